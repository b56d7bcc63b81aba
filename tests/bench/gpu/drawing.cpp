// Triangles and pixels per second.

#include <cmath>
#include <cstdint>
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

// Images of one pose from different sides, which share its skinning.
std::vector<render::FrameRequest> orbit(const render::SharedScene& scene, const render::View& view, int count)
{
    std::vector<render::FrameRequest> requests;
    for (int i = 0; i < count; ++i) {
        requests.push_back({scene, view, {}});
        requests.back().view.camera.yaw += 360.0f * static_cast<float>(i) / static_cast<float>(count);
    }
    return requests;
}

Measured draw(render::Renderer& renderer, double seconds, const std::vector<render::FrameRequest>& requests)
{
    std::vector<render::Frame> frames;
    return measure_within(seconds, [&] { renderer.render(requests, frames); });
}

json::object triangles_row(render::Renderer& renderer, double seconds, std::uint32_t side,
                           std::uint32_t images)
{
    const auto scene = std::make_shared<const scene::Scene>(test::tube(side, side, 2, 1));
    const auto triangles = scene->meshes[0].indices.size() / 3;
    const render::View view{.width = 256, .height = 256, .light = render::LightingPreset::reference};
    const auto measured = draw(renderer, seconds, orbit(scene, view, static_cast<int>(images)));
    return {{"what", "triangles, 256 x 256, reference light"},
            {"count", triangles},
            {"images", images},
            {"M/s", static_cast<double>(triangles) * images / measured.seconds / 1e6},
            {"imagesPerSecond", images / measured.seconds},
            {"runs", measured.runs}};
}

// A square that fills the image: few triangles, and each pixel is copied to the host. A masked one is visible
// everywhere, too.
json::object pixels_row(render::Renderer& renderer, double seconds, std::uint32_t side,
                        render::LightingPreset light, scene::AlphaMode alpha = scene::AlphaMode::opaque)
{
    constexpr std::uint32_t images = 4;
    auto material = test::rough_material(glm::vec3(0.5f));
    material.alpha_mode = alpha;
    const auto scene = std::make_shared<const scene::Scene>(test::square(material));
    const std::string masked = alpha == scene::AlphaMode::mask ? ", masked" : "";
    render::View view{.width = side, .height = side, .light = light};
    view.framing = scene::Aabb{glm::vec3(-0.2f), glm::vec3(0.2f)};
    std::vector<render::FrameRequest> requests(images, {scene, view, {}});
    const auto measured = draw(renderer, seconds, requests);
    const auto pixels = std::uint64_t{side} * side;
    return {{"what",
             (light == render::LightingPreset::studio ? "pixels, studio light" : "pixels, reference light") +
                 masked},
            {"count", pixels},
            {"images", images},
            {"M/s", static_cast<double>(pixels) * images / measured.seconds / 1e6},
            {"imagesPerSecond", images / measured.seconds},
            {"runs", measured.runs}};
}

} // namespace

json::value measure_drawing(const PartInput& input)
{
    render::Renderer renderer(input.options);
    const double seconds = input.seconds / 6;
    const std::uint32_t side = input.software ? 1024 : 2048;
    json::array rows;
    rows.push_back(triangles_row(renderer, seconds, 100, 16));
    rows.push_back(triangles_row(renderer, seconds, input.software ? 300 : 1000, input.software ? 2 : 16));
    rows.push_back(pixels_row(renderer, seconds, side, render::LightingPreset::reference));
    rows.push_back(pixels_row(renderer, seconds, side, render::LightingPreset::studio));
    rows.push_back(
        pixels_row(renderer, seconds, side, render::LightingPreset::studio, scene::AlphaMode::mask));
    return json::object{{"rows", std::move(rows)}};
}

} // namespace vitrine::bench
