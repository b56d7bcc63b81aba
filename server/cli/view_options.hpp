#pragma once
// --view, --size, --background, --overlay, --light: the view of `render`. Converts text to values; errors are
// sentences.

#include <expected>
#include <string>

#include "vk_renderer/base/view.hpp"

namespace vitrine::cli {

struct ViewArguments {
    std::string size = "512x512";
    std::string view{}; // empty: auto, or three-quarter for comparing renderers
    std::string background = "studio";
    std::string overlays{};
    std::string light = "studio";
    bool orthographic = false;
};

// The accepted words are those of vk_renderer/camera/view_parser.hpp.
std::expected<render::View, std::string> choose_view(const ViewArguments& arguments);

} // namespace vitrine::cli
