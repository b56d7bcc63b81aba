// Pictures per second through the renderer's interface, with pixels in host memory, not encoded.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <span>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "tests/bench/gpu/measure.hpp"
#include "tests/bench/gpu/parts.hpp"
#include "tests/bench/timing.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::bench {
namespace {

namespace json = boost::json;

constexpr std::uint32_t joints = 80;

// How much of the time the device works, from now on.
class DeviceShare {
public:
    explicit DeviceShare(const render::Renderer& renderer) : renderer_(renderer) {}
    double value() const
    {
        return std::chrono::duration<double>(renderer_.work_time() - work_).count() / seconds_since(start_);
    }

private:
    const render::Renderer& renderer_;
    std::chrono::nanoseconds work_ = renderer_.work_time();
    Clock::time_point start_ = Clock::now();
};

// The time of the calling thread in each step of a batch, from now on.
class HostShare {
public:
    explicit HostShare(const render::Renderer& renderer) : renderer_(renderer) {}
    json::object microseconds_each(double pictures) const
    {
        const auto times = renderer_.host_times();
        json::object steps;
        for (std::size_t step = 0; step < times.size(); ++step)
            steps[render::host_step_names[step]] =
                std::chrono::duration<double, std::micro>(times[step] - before_[step]).count() / pictures;
        return steps;
    }

private:
    const render::Renderer& renderer_;
    render::HostTimes before_ = renderer_.host_times();
};

json::object row_of(const char* scenes, std::uint32_t side, std::size_t batch, double pictures,
                    const Measured& measured, double device_share, json::object host)
{
    return {{"scenes", scenes},
            {"side", side},
            {"batch", batch},
            {"picturesPerSecond", pictures / measured.seconds},
            {"processorMsEach", measured.processor_seconds * 1e3 / pictures},
            {"hostMicrosecondsEach", std::move(host)},
            {"deviceBusyShare", device_share},
            {"runs", measured.runs}};
}

// Over a clip: each picture is skinned, because every run has other times.
json::object of_one_scene(render::Renderer& renderer, double seconds, std::uint32_t side, std::size_t batch)
{
    const auto scene = std::make_shared<const scene::Scene>(test::tube(1000, 20, joints, 4));
    std::vector<render::FrameRequest> requests(batch, {scene, {.width = side, .height = side}, {0, 0.0}});
    std::vector<render::Frame> frames;
    int run = 0;
    const auto draw = [&] {
        ++run;
        for (std::size_t i = 0; i < batch; ++i)
            requests[i].clip_time.time =
                (static_cast<double>(i) + run / 64.0) * 1.9 / static_cast<double>(batch);
        renderer.render(requests, frames);
    };
    // A card that had little to do before has low clocks at first.
    for (const auto start = Clock::now(); seconds_since(start) < seconds / 2;)
        draw();
    run = 0;
    const DeviceShare device(renderer);
    const HostShare host(renderer);
    const auto measured = measure_within(seconds, draw);
    return row_of("one of 20,000 vertices", side, batch, static_cast<double>(batch), measured, device.value(),
                  host.microseconds_each(static_cast<double>(batch) * run));
}

// Each scene is uploaded and drawn once; the scenes exist before. Stops when the time is over.
json::object of_new_scenes(render::Renderer& renderer, double seconds, std::uint32_t side, std::size_t batch,
                           std::size_t most)
{
    const auto made = test::tube(100, 20, joints, 4);
    std::vector<render::FrameRequest> requests;
    for (std::size_t i = 0; i < most; ++i)
        requests.push_back(
            {std::make_shared<const scene::Scene>(made), {.width = side, .height = side}, {0, 0.5}});
    std::vector<render::Frame> frames;
    const auto start = Clock::now();
    const auto processor = std::clock();
    const DeviceShare device(renderer);
    const HostShare host(renderer);
    std::size_t drawn = 0;
    while (drawn < most && (drawn == 0 || seconds_since(start) < seconds)) {
        const auto count = std::min(batch, most - drawn);
        renderer.render(std::span(requests).subspan(drawn, count), frames);
        drawn += count;
    }
    const Measured measured{.seconds = seconds_since(start),
                            .processor_seconds =
                                static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC,
                            .runs = static_cast<int>(drawn)};
    return row_of("new ones of 2,000 vertices", side, batch, static_cast<double>(drawn), measured,
                  device.value(), host.microseconds_each(static_cast<double>(drawn)));
}

} // namespace

json::value measure_stills(const PartInput& input)
{
    render::Renderer renderer(input.options);
    renderer.warm_up();
    const double seconds = input.seconds / 16;
    const std::size_t most_together = input.software ? 64 : 256;
    const std::size_t most_new_together = input.software ? 16 : 256;
    json::array rows;
    for (const std::uint32_t side : {256u, 512u}) {
        for (const std::size_t batch : {1u, 16u, 64u, 256u})
            if (batch <= most_together) rows.push_back(of_one_scene(renderer, seconds, side, batch));
        for (const std::size_t batch : {1u, 16u, 64u, 256u})
            if (batch <= most_new_together)
                rows.push_back(of_new_scenes(renderer, seconds, side, batch, input.software ? 32 : 1024));
    }
    return json::object{{"rows", std::move(rows)}};
}

} // namespace vitrine::bench
