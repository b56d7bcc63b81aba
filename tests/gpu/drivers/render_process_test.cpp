// A device in a process of its own renders what a device in this process renders.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "tests/gpu/drivers/host_pages.hpp"
#include "tests/gpu/drivers/render_process_fixture.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"
#include "vk_renderer/mesh/lod.hpp"

namespace vitrine::test {
namespace {

using render::ClipTime;
using render::Frame;
using render::FrameRequest;

TEST_F(GpuProcess, RendersWhatADeviceHereRenders)
{
    const auto device = make();
    EXPECT_EQ(device->info().name, renderer().info().name);
    EXPECT_EQ(device->info().driver, renderer().info().driver);
    EXPECT_EQ(device->info().software, renderer().info().software);
    for (std::uint32_t number = 0; number < 12; ++number)
        expect_equal(there(*device, requests(number)), here(requests(number)),
                     fmt::format("request {}", number));
    EXPECT_GT(device->work_time().count(), 0);
    EXPECT_GT(device->memory().used, 0u);
    EXPECT_GE(device->memory().budget, device->memory().used);
}

// By which the server decides whether a device has a process of its own.
TEST_F(GpuProcess, IsChosenByTheKindOfTheDevice)
{
    EXPECT_EQ(render::selects_software(tested_device()), renderer().info().software);
    EXPECT_TRUE(render::selects_software("software"));
    EXPECT_TRUE(render::selects_software("no such device")) << "there is nothing to start a process for";
}

TEST_F(GpuProcess, RendersSequencesBoundsAndPicks)
{
    const auto device = make();
    const auto scene = share(mixture());
    std::vector<ClipTime> clip_times;
    for (int i = 0; i < 40; ++i)
        clip_times.push_back({0, 0.05 * i});
    const render::View view{.width = 64, .height = 48};
    std::vector<Frame> frames;
    device->render(scene, view, clip_times, frames);
    EXPECT_FALSE(device->expected_time(share(textured_cube()), view)) << "it was not rendered yet";
    EXPECT_TRUE(device->expected_time(scene, view));
    const auto* const memory = frames[0].pixels.data();
    expect_equal(frames, renderer().RenderDevice::render(scene, view, clip_times), "frame");
    device->render(scene, view, clip_times, frames);
    EXPECT_LT(std::abs(frames[0].pixels.data() - memory), 64 << 10) << "live views reuse it";

    const auto boxes = device->bounds(scene, clip_times), expected = renderer().bounds(scene, clip_times);
    ASSERT_EQ(boxes.size(), expected.size());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        EXPECT_TRUE(boxes[i].min == expected[i].min && boxes[i].max == expected[i].max) << i;

    int hits = 0;
    for (std::uint32_t x = 0; x < view.width; x += 5) {
        const auto hit = device->pick(scene, view, clip_times[3], x, 24);
        const auto other = renderer().pick(scene, view, clip_times[3], x, 24);
        ASSERT_EQ(hit.has_value(), other.has_value()) << x;
        if (!hit) continue;
        ++hits;
        EXPECT_EQ(hit->node, other->node);
        EXPECT_EQ(hit->triangle, other->triangle);
        EXPECT_EQ(hit->position, other->position);
    }
    EXPECT_GT(hits, 1);
}

TEST_F(GpuProcess, RendersCrowdsAndGhosts)
{
    const auto device = make();
    const auto scene = share(tube(20, 12, 6, 4));
    const render::View view{
        .width = 64, .height = 48, .crowd = 3, .ghosts = {.before = 1, .after = 2, .step = 0.2}};
    const std::array all{FrameRequest{scene, view, {0, 0.5}},
                         FrameRequest{scene, {.width = 64, .height = 48}, {0, 0.5}}};
    const auto frames = there(*device, all);
    expect_equal(frames, here(all), "image");
    EXPECT_FALSE(frames[0].pixels == frames[1].pixels);
}

TEST_F(GpuProcess, RendersLevelsOfDetail)
{
    const auto device = make();
    const auto scene = share(dense_tube());
    render::View view{.width = 96, .height = 96};
    view.lod = render::build_lod(*scene, 5'000);
    ASSERT_TRUE(view.lod);
    const std::array all{FrameRequest{scene, view, {}}, FrameRequest{scene, {.width = 96, .height = 96}, {}}};
    const auto frames = there(*device, all);
    expect_equal(frames, here(all), "image");
    EXPECT_FALSE(frames[0].pixels == frames[1].pixels);
}

TEST_F(GpuProcess, ReportsErrorsByTheirType)
{
    const auto device = make();
    const auto scene = share(mixture());
    EXPECT_THROW(there(*device, std::array{FrameRequest{scene, {.width = 0, .height = 4}, {}}}),
                 render::RenderError);
    EXPECT_THROW(there(*device, std::array{FrameRequest{scene, {.width = 9, .height = 9}, {7, 0.0}}}),
                 render::RenderError)
        << "the scene has no such clip";
    EXPECT_THROW(there(*device, std::array{FrameRequest{
                                    scene, {.width = 4'000'000'000, .height = 4'000'000'000}, {}}}),
                 render::RenderError);
    EXPECT_THROW(device->pick(scene, {.width = 8, .height = 8}, {}, 8, 0), render::RenderError);
    EXPECT_THROW(there(*device, std::array{FrameRequest{nullptr, {}, {}}}), std::runtime_error);
    expect_equal(there(*device, requests(3)), here(requests(3)), "afterwards");
}

// Behind the boxes of the batch, which the device writes first; copied ones begin with the memory.
TEST_F(GpuProcess, WritesPixelsToTheMemoryThatIsShared)
{
    const auto device = make();
    const std::array request{FrameRequest{share(mixture()), {.width = 200, .height = 200}, {}}};
    const auto expected = here(request);
    const auto offset = [](const Frame& frame) {
        return reinterpret_cast<std::uintptr_t>(frame.pixels.data()) % 4096;
    };
    const auto frames = there(*device, request), submitted = device->submit(request)->collect();
    expect_equal(frames, expected, "rendered");
    expect_equal(submitted, expected, "submitted");
    const HostPages pages(1);
    if (!renderer().import_memory(pages.bytes(), nullptr)) GTEST_SKIP() << "the device cannot import memory";
    EXPECT_NE(offset(frames[0]), 0u);
    EXPECT_NE(offset(submitted[0]), 0u);
}

TEST_F(GpuProcess, KeepsTicketsInFlightDuringOtherCalls)
{
    const auto device = make();
    std::vector<std::shared_ptr<render::FrameTicket>> tickets;
    for (std::uint32_t number = 0; number < 7; ++number)
        tickets.push_back(device->submit(requests(number)));
    expect_equal(there(*device, requests(9)), here(requests(9)), "between");
    EXPECT_THROW(device->submit(std::array{FrameRequest{share(mixture()), {.width = 0, .height = 4}, {}}}),
                 render::RenderError);
    for (std::uint32_t number = 0; number < 7; ++number) {
        if (number % 2 == 0) std::thread([&] { tickets[number]->wait(); }).join();
        expect_equal(tickets[number]->collect(), here(requests(number)), fmt::format("ticket {}", number));
        EXPECT_GT(tickets[number]->work_time().count(), 0);
    }
    const auto second = device->submit(requests(1)), first = device->submit(requests(2));
    expect_equal(first->collect(), here(requests(2)), "the later one first");
    expect_equal(second->collect(), here(requests(1)), "the earlier one");
    for (std::uint32_t number = 0; number < 5; ++number)
        device->submit(requests(number)); // dropped
    expect_equal(device->submit(requests(1))->collect(), here(requests(1)), "after dropped ones");
}

} // namespace
} // namespace vitrine::test
