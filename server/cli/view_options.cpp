#include "server/cli/view_options.hpp"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::cli {
namespace {

bool parse(std::string_view text, std::uint32_t& value)
{
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    return result.ec == std::errc{} && result.ptr == text.data() + text.size();
}

std::unexpected<std::string> invalid_option(std::string_view what, std::string_view text,
                                            std::string_view expected_values)
{
    return std::unexpected(fmt::format("--{} '{}': must be {}", what, text, expected_values));
}

// Parses "WIDTHxHEIGHT", or one number for a square.
bool set_size(std::string_view text, render::View& view)
{
    const auto cross = text.find('x');
    const auto height = cross == text.npos ? text : text.substr(cross + 1);
    return parse(text.substr(0, cross), view.width) && parse(height, view.height) && view.width > 0 &&
           view.height > 0;
}

} // namespace

std::expected<render::View, std::string> choose_view(const ViewArguments& arguments)
{
    render::View view;
    if (!set_size(arguments.size, view))
        return invalid_option("size", arguments.size, "WIDTHxHEIGHT, at least 1 pixel");
    const auto overlays = render::parse_overlays(arguments.overlays);
    if (!overlays) return invalid_option("overlay", arguments.overlays, render::overlays_help());
    view.overlays = *overlays;
    if (arguments.light == "reference")
        view.light = render::LightingPreset::reference;
    else if (arguments.light != "studio")
        return invalid_option("light", arguments.light, "studio or reference");
    const auto* usual = view.light == render::LightingPreset::reference ? "three-quarter" : "auto";
    const auto camera = render::parse_camera(arguments.view.empty() ? usual : arguments.view);
    if (!camera) return invalid_option("view", arguments.view, render::camera_words());
    view.camera = *camera;
    view.camera.orthographic = arguments.orthographic;
    if (!render::parse_background(arguments.background, view.background))
        return invalid_option("background", arguments.background, render::background_words);
    return view;
}

} // namespace vitrine::cli
