#include "server/cli/view_options.hpp"

#include <algorithm>
#include <string_view>

#include <CLI/Option.hpp>
#include <fmt/format.h>

#include "loaders/base/parse_whole.hpp"
#include "loaders/io/resource_name.hpp"
#include "vk_renderer/base/scene_instances.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::cli {
namespace {

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
    view.width = parse_whole<std::uint32_t>(text.substr(0, cross)).value_or(0);
    view.height = parse_whole<std::uint32_t>(height).value_or(0);
    return view.width > 0 && view.height > 0;
}

} // namespace

void add_view_options(CLI::App& app, ViewArguments& arguments)
{
    app.add_option("--size", arguments.size, "Image size in pixels")->type_name("WxH")->capture_default_str();
    app.add_option("--view", arguments.view,
                   render::camera_words() + ". Default: auto; with --light reference: three-quarter");
    app.add_option("--background", arguments.background, std::string(render::background_words))
        ->capture_default_str();
    app.add_option("--overlay", arguments.overlays, render::overlays_help());
    app.add_option("--light", arguments.light, "studio, or reference (for comparison with other renderers)")
        ->capture_default_str();
    app.add_flag("--orthographic", arguments.orthographic, "Orthographic projection");
    app.add_option("--crowd", arguments.crowd,
                   "Copies of the model on a grid, each at its own time of the clip")
        ->check(CLI::Range(1u, render::max_crowd));
    app.add_option("--ghosts", arguments.ghosts,
                   "Translucent copies at earlier and later times of the clip: " + render::ghosts_words());
}

std::expected<render::View, std::string> choose_view(const ViewArguments& arguments)
{
    render::View view;
    if (!set_size(arguments.size, view))
        return invalid_option("size", arguments.size, "WIDTHxHEIGHT, at least 1 pixel");
    const auto overlays = render::parse_overlays(arguments.overlays);
    if (!overlays) return invalid_option("overlay", arguments.overlays, render::overlays_help());
    view.overlays = *overlays;
    const auto* const light =
        std::ranges::find(render::lighting_words, arguments.light, &render::LightingWord::word);
    if (light == render::lighting_words.end())
        return invalid_option("light", arguments.light, "studio or reference");
    view.light = light->light;
    const auto* usual = view.light == render::LightingPreset::reference ? "three-quarter" : "auto";
    const auto camera = render::parse_camera(arguments.view.empty() ? usual : arguments.view);
    if (!camera) return invalid_option("view", arguments.view, render::camera_words());
    view.camera = *camera;
    view.camera.orthographic = arguments.orthographic;
    if (!render::parse_background(arguments.background, view.background))
        return invalid_option("background", arguments.background, render::background_words);
    view.crowd = arguments.crowd;
    if (arguments.ghosts.empty()) return view;
    const auto ghosts = render::parse_ghosts(arguments.ghosts);
    if (!ghosts) return invalid_option("ghosts", arguments.ghosts, render::ghosts_words());
    view.ghosts = *ghosts;
    return view;
}

std::expected<render::Pixel, std::string> parse_pixel(std::string_view text, const render::View& view)
{
    const auto comma = std::min(text.find(','), text.size());
    const auto x = parse_whole<std::uint32_t>(text.substr(0, comma));
    const auto y = parse_whole<std::uint32_t>(text.substr(std::min(comma + 1, text.size())));
    if (x && y && *x < view.width && *y < view.height) return render::Pixel{*x, *y};
    return std::unexpected(fmt::format("--pick '{}': must be X,Y, a pixel of the image of {} x {}", text,
                                       view.width, view.height));
}

std::expected<render::ImageFormat, std::string> parse_image_format(const std::string& output)
{
    const auto extension = io::extension_of(output);
    if (extension == ".png") return render::ImageFormat::png;
    if (extension == ".jpg" || extension == ".jpeg") return render::ImageFormat::jpeg;
    if (extension == ".webp") return render::ImageFormat::webp;
    return std::unexpected(fmt::format("{}: the name must end in .png, .jpg or .webp", output));
}

} // namespace vitrine::cli
