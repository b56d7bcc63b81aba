#include "server/handlers/query_params.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "server/net/accept.hpp"
#include "server/services/rendering/image_service.hpp"
#include "vk_renderer/base/scene_instances.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::server {
namespace {

std::string_view media_type(render::ImageFormat format)
{
    switch (format) {
    case render::ImageFormat::png: return "image/png";
    case render::ImageFormat::jpeg: return "image/jpeg";
    case render::ImageFormat::webp: break;
    }
    return "image/webp";
}

struct Size {
    std::uint32_t width, height;
};

Size read_size(QueryReader& reader, std::uint32_t max_side)
{
    const auto side = [&](std::string_view name) {
        return static_cast<std::uint32_t>(reader.integer(name, 1, max_side).value_or(512));
    };
    return {.width = side("w"), .height = side("h")};
}

} // namespace

bool has_many_pixels(const Request& request)
{
    QueryReader reader(request); // the handler reports its errors
    const auto size = read_size(reader, std::numeric_limits<std::uint32_t>::max());
    return std::uint64_t{size.width} * size.height > large_image_pixels;
}

void read_instances(QueryReader& reader, std::uint32_t& crowd, render::Ghosts& ghosts)
{
    crowd = static_cast<std::uint32_t>(reader.integer("crowd", 1, render::max_crowd).value_or(1));
    const auto text = reader.text("ghosts");
    if (!text) return;
    if (const auto parsed = render::parse_ghosts(*text))
        ghosts = *parsed;
    else
        reader.reject("ghosts", "must be " + render::ghosts_words());
}

render::Overlays read_overlays(QueryReader& reader)
{
    const auto overlays = render::parse_overlays(reader.text("overlay").value_or(""));
    if (!overlays) reader.reject("overlay", "takes " + render::overlays_help());
    return overlays.value_or(render::Overlays{});
}

render::View read_view(QueryReader& reader, std::uint32_t max_side)
{
    render::View view;
    const auto size = read_size(reader, max_side);
    view.width = size.width;
    view.height = size.height;
    if (auto camera = render::parse_camera(reader.text("view").value_or("three-quarter"))) {
        view.camera = *camera;
    } else {
        reader.reject("view", "must be " + render::camera_words());
    }
    if (auto target = reader.numbers("target", 3, 3)) {
        bool far = std::any_of(target->begin(), target->end(),
                               [](double x) { return std::abs(x) > render::max_meters; });
        if (far) reader.reject("target", "is out of range");
        view.camera.target = glm::vec3((*target)[0], (*target)[1], (*target)[2]);
    }
    view.camera.vertical_fov = static_cast<float>(reader.number("fov", 1.0, 170.0).value_or(45.0));
    view.camera.orthographic = reader.flag("ortho").value_or(false);
    if (!render::parse_background(reader.text("background").value_or("studio"), view.background))
        reader.reject("background", fmt::format("must be {}", render::background_words));
    view.overlays = read_overlays(reader);
    view.light = reader.choice<render::LightingPreset>("light", render::lighting_words)
                     .value_or(render::LightingPreset::studio);
    read_instances(reader, view.crowd, view.ghosts);
    return view;
}

std::optional<render::ImageFormat> negotiate_image(std::optional<std::string_view> accept,
                                                   std::span<const render::ImageFormat> preferred)
{
    if (!accept || accept->empty()) return preferred.front();
    std::optional<render::ImageFormat> best;
    double best_quality = 0.0;
    for (auto format : preferred) {
        double quality = accept_quality(*accept, media_type(format));
        if (quality <= best_quality) continue;
        best = format;
        best_quality = quality;
    }
    return best;
}

} // namespace vitrine::server
