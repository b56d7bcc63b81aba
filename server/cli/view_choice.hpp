#pragma once
// --view, --size, --background, --overlay, --light: how `render` looks at a model. Words to values; the
// errors are sentences.

#include <expected>
#include <string>
#include <string_view>

#include "loaders/scene/scene.hpp"
#include "vk_renderer/view.hpp"

namespace vitrine::cli {

struct ViewArguments {
    std::string size = "512x512";
    std::string view = "three-quarter";
    std::string background;
    std::string overlays;
    std::string light = "studio";
    bool orthographic = false;
};

// Named views count from where the format's models look; numbers are yaw,pitch[,distance] in scene space.
std::expected<render::View, std::string> choose_view(const ViewArguments& arguments);

// "transparent", "white", "black", "#rrggbb" or "#rrggbbaa".
std::expected<glm::vec4, std::string> parse_colour(std::string_view text);

} // namespace vitrine::cli
