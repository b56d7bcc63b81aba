// The device's time in each pass of a picture, by timestamps between the passes.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
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

constexpr std::uint32_t joints = 80;

struct PassesCase {
    const char* scene;
    std::uint32_t rings, sides; // vertices of the tube along it and around it
    std::uint32_t image_side;
};
constexpr PassesCase cases[] = {{"2,000 vertices", 100, 20, 256},
                                {"20,000 vertices", 1000, 20, 256},
                                {"20,000 vertices", 1000, 20, 512},
                                {"200,000 vertices", 2000, 100, 512}};

// Every picture is skinned, because each has a time of its own.
json::object passes_row(render::Renderer& renderer, const PassesCase& of, double seconds, std::size_t batch)
{
    const auto scene = std::make_shared<const scene::Scene>(test::tube(of.rings, of.sides, joints, 4));
    std::vector<render::FrameRequest> requests(
        batch, {scene, {.width = of.image_side, .height = of.image_side}, {0, 0.0}});
    std::vector<render::Frame> frames;
    int run = 0;
    const auto draw = [&] {
        ++run;
        for (std::size_t i = 0; i < batch; ++i)
            requests[i].clip_time.time =
                (static_cast<double>(i) + run / 64.0) * 1.9 / static_cast<double>(batch);
        renderer.render(requests, frames);
    };
    draw(); // uploads the scene and creates the pipelines
    run = 0;
    const auto before = renderer.pass_times();
    measure_within(seconds, draw);
    const auto after = renderer.pass_times();
    json::object row{{"scene", of.scene}, {"side", of.image_side}, {"batch", batch}, {"runs", run}};
    for (std::size_t pass = 0; pass < after.size(); ++pass) {
        const std::chrono::duration<double, std::micro> time = after[pass] - before[pass];
        row[std::string(render::pass_names[pass]) + "Us"] = time.count() / static_cast<double>(batch) / run;
    }
    return row;
}

} // namespace

json::value measure_passes(const PartInput& input)
{
    auto options = input.options;
    options.measures_passes = true;
    render::Renderer renderer(options);
    const std::size_t batch = input.software ? 4 : 64;
    json::array rows;
    for (const auto& of : cases)
        rows.push_back(
            passes_row(renderer, of, input.seconds / static_cast<double>(std::size(cases)), batch));
    return json::object{{"rows", std::move(rows)}};
}

} // namespace vitrine::bench
