#include "server/cli/view_choice.hpp"
#include "vk_renderer/named_view.hpp"

#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace vitrine::cli {
namespace {

template <class T>
bool parse(std::string_view text, T& value)
{
    const auto* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    return result.ec == std::errc{} && result.ptr == end;
}

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find(separator, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

std::unexpected<std::string> wrong(std::string_view what, std::string_view text, std::string_view wanted)
{
    return std::unexpected(fmt::format("--{} '{}': it takes {}", what, text, wanted));
}

bool set_size(std::string_view text, render::View& view)
{
    const auto parts = split(text, 'x');
    if (parts.size() == 1 && parse(parts[0], view.width)) return view.height = view.width, true;
    return parts.size() == 2 && parse(parts[0], view.width) && parse(parts[1], view.height);
}

bool set_camera(std::string_view text, render::Camera& camera)
{
    if (const auto named = render::find_named_view(text)) return camera = *named, true;
    const auto parts = split(text, ',');
    if (parts.size() < 2 || parts.size() > 3 || !parse(parts[0], camera.yaw) ||
        !parse(parts[1], camera.pitch))
        return false;
    if (parts.size() == 2) return true;
    float distance = 0.0f;
    if (!parse(parts[2], distance) || !(distance > 0.0f)) return false;
    camera.distance = distance;
    return true;
}

bool set_overlays(std::string_view text, render::Overlays& overlays)
{
    if (text.empty()) return true;
    for (const auto word : split(text, ',')) {
        if (word == "wireframe")
            overlays.wireframe = true;
        else if (word == "skeleton")
            overlays.skeleton = true;
        else if (word == "normals")
            overlays.normals = true;
        else if (word == "bounds")
            overlays.bounds = true;
        else
            return false;
    }
    return true;
}

} // namespace

std::expected<glm::vec4, std::string> parse_colour(std::string_view text)
{
    if (text == "transparent") return glm::vec4(0.0f);
    if (text == "white") return glm::vec4(1.0f);
    if (text == "black") return glm::vec4(0.0f, 0.0f, 0.0f, 1.0f);
    const std::string_view digits = text.starts_with('#') ? text.substr(1) : std::string_view();
    glm::vec4 colour(1.0f);
    bool good = digits.size() == 6 || digits.size() == 8;
    for (std::size_t i = 0; good && i < digits.size(); i += 2) {
        unsigned value = 0;
        const auto result = std::from_chars(digits.data() + i, digits.data() + i + 2, value, 16);
        good = result.ec == std::errc{} && result.ptr == digits.data() + i + 2;
        colour[static_cast<int>(i / 2)] = static_cast<float>(value) / 255.0f;
    }
    if (!good) return wrong("background", text, "transparent, white, black, #rrggbb or #rrggbbaa");
    return colour;
}

std::expected<render::View, std::string> choose_view(const ViewArguments& arguments)
{
    render::View view;
    view.camera.orthographic = arguments.orthographic;
    if (!set_size(arguments.size, view)) return wrong("size", arguments.size, "WIDTHxHEIGHT");
    if (!set_camera(arguments.view, view.camera))
        return wrong("view", arguments.view, render::named_views() + " or yaw,pitch[,distance]");
    if (!set_overlays(arguments.overlays, view.overlays))
        return wrong("overlay", arguments.overlays,
                     "wireframe, skeleton, normals, bounds, separated by commas");
    if (arguments.light == "reference")
        view.light = render::Light::reference;
    else if (arguments.light != "studio")
        return wrong("light", arguments.light, "studio or reference");
    if (arguments.background.empty()) return view;
    const auto colour = parse_colour(arguments.background);
    if (!colour) return std::unexpected(colour.error());
    view.background = *colour;
    return view;
}

} // namespace vitrine::cli
