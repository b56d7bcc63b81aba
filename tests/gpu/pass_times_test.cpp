// Options::measures_passes.
#include <numeric>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

using render::Pass;
using GpuPassTimes = Gpu;

std::chrono::nanoseconds sum_of(const render::PassTimes& times)
{
    return std::accumulate(times.begin(), times.end(), std::chrono::nanoseconds{});
}

// More passes than are measured in one batch, too.
TEST_F(GpuPassTimes, DivideTheTimeOfWork)
{
    render::Renderer measuring(tested({.validation = true, .measures_passes = true}));
    const auto scene = share(tube(24, 16, 4, 4));
    for (const std::size_t images : {4u, 256u}) {
        const std::uint32_t side = images == 4 ? 128 : 16;
        std::vector<render::FrameRequest> requests(images,
                                                   {scene, {.width = side, .height = side}, {0, 0.0}});
        for (std::size_t i = 0; i < images; ++i)
            requests[i].view.camera.yaw = static_cast<float>(i);
        const auto before = measuring.pass_times();
        const auto work_before = measuring.work_time();
        std::vector<render::Frame> frames;
        measuring.render(requests, frames);
        EXPECT_EQ(frames[3].pixels, picture(scene, requests[3].view, {0, 0.0}).pixels);
        auto times = measuring.pass_times();
        for (std::size_t pass = 0; pass < times.size(); ++pass)
            times[pass] -= before[pass];
        EXPECT_LE(sum_of(times), measuring.work_time() - work_before + std::chrono::microseconds(1));
        for (const auto pass : {Pass::shadow_cast, Pass::raster, Pass::resolve})
            EXPECT_GT(times[static_cast<std::size_t>(pass)].count(), 0)
                << images << ' ' << render::pass_names[static_cast<std::size_t>(pass)];
    }
}

TEST_F(GpuPassTimes, AreZeroUnlessTheyAreMeasured)
{
    picture(share(tube(24, 16, 4, 4)), {.width = 32, .height = 32});
    EXPECT_EQ(sum_of(renderer().pass_times()).count(), 0);
}

TEST_F(GpuPassTimes, OfTheHostAreInTheTimeOfTheCall)
{
    const auto scene = share(tube(24, 16, 4, 4));
    const auto before = renderer().host_times();
    const auto begin = std::chrono::steady_clock::now();
    picture(scene, {.width = 64, .height = 64});
    const std::chrono::nanoseconds elapsed = std::chrono::steady_clock::now() - begin;
    auto times = renderer().host_times();
    std::chrono::nanoseconds sum{};
    for (std::size_t step = 0; step < times.size(); ++step) {
        times[step] -= before[step];
        EXPECT_GT(times[step].count(), 0) << render::host_step_names[step];
        sum += times[step];
    }
    EXPECT_LE(sum, elapsed);
}

} // namespace
} // namespace vitrine::test
