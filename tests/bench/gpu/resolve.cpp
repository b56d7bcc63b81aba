// The device's time for resolving a picture's samples: by fragments into an image that is copied, or in
// compute.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "tests/bench/gpu/measure.hpp"
#include "tests/bench/gpu/parts.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::bench {
namespace {

namespace json = boost::json;

constexpr std::pair<render::ResolvePath, const char*> resolve_paths[] = {
    {render::ResolvePath::fragment, "fragment, image copied"},
    {render::ResolvePath::compute_to_host, "compute to host memory"},
    {render::ResolvePath::compute_to_device, "compute, buffer copied"}};
constexpr std::uint32_t resolve_sides[] = {256, 512};

struct ResolveTimes {
    double resolve_us = 0.0, copy_us = 0.0, picture_us = 0.0; // of the device, per picture
};

// All pictures show one pose, so that little else is timed.
ResolveTimes time_resolve(render::Renderer& renderer, const std::vector<render::FrameRequest>& requests,
                          double seconds, int& runs)
{
    std::vector<render::Frame> frames;
    renderer.render(requests, frames); // uploads the scene and creates the pipelines
    const auto before = renderer.pass_times();
    const auto work_before = renderer.work_time();
    measure_within(seconds, [&] {
        ++runs;
        renderer.render(requests, frames);
    });
    const auto per_picture = [&](std::chrono::nanoseconds time) {
        return std::chrono::duration<double, std::micro>(time).count() /
               (static_cast<double>(requests.size()) * runs);
    };
    const auto of = [&](render::Pass pass) {
        const auto at = static_cast<std::size_t>(pass);
        return per_picture(renderer.pass_times()[at] - before[at]);
    };
    return {of(render::Pass::resolve), of(render::Pass::copy),
            per_picture(renderer.work_time() - work_before)};
}

} // namespace

json::value measure_resolve(const PartInput& input)
{
    const auto scene = std::make_shared<const scene::Scene>(test::tube(100, 20, 4, 4));
    const std::size_t batch = input.software ? 4 : 64;
    const double seconds =
        input.seconds / static_cast<double>(std::size(resolve_paths) * std::size(resolve_sides));
    json::array rows;
    for (const auto side : resolve_sides)
        for (const auto& [path, name] : resolve_paths) {
            auto options = input.options;
            options.measures_passes = true;
            options.resolve_path = path;
            render::Renderer renderer(options);
            int runs = 0;
            const std::vector<render::FrameRequest> requests(
                batch, {scene, {.width = side, .height = side}, {0, 0.0}});
            const auto times = time_resolve(renderer, requests, seconds, runs);
            rows.push_back(json::object{{"path", name},
                                        {"side", side},
                                        {"batch", batch},
                                        {"runs", runs},
                                        {"resolveUs", times.resolve_us},
                                        {"copyUs", times.copy_us},
                                        {"bothUs", times.resolve_us + times.copy_us},
                                        {"pictureUs", times.picture_us}});
        }
    return json::object{{"rows", std::move(rows)}};
}

} // namespace vitrine::bench
