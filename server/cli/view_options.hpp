#pragma once
// The view, pixel and image format of `render`: --view, --size, --background, --overlay, --light, --crowd,
// --ghosts, --pick, --output. Converts text to values; errors are sentences.

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include <CLI/App.hpp>

#include "vk_renderer/base/view.hpp"
#include "vk_renderer/encode/encode.hpp"

namespace vitrine::cli {

struct ViewArguments {
    std::string size = "512x512";
    std::string view{}; // empty: auto, or three-quarter for comparing renderers
    std::string background = "studio";
    std::string overlays{};
    std::string light = "studio";
    bool orthographic = false;
    std::uint32_t crowd = 1;
    std::string ghosts{};
};

void add_view_options(CLI::App& app, ViewArguments& arguments);

// The accepted words are those of vk_renderer/camera/view_parser.hpp.
std::expected<render::View, std::string> choose_view(const ViewArguments& arguments);

// Parses "X,Y", a pixel of the image.
std::expected<render::Pixel, std::string> parse_pixel(std::string_view text, const render::View& view);

// Returns the format for the extension of a file name: .png, .jpg, .jpeg or .webp.
std::expected<render::ImageFormat, std::string> parse_image_format(const std::string& output);

} // namespace vitrine::cli
