#pragma once
// Views by name: one meaning on the command line, in REST and on the page, the same for every format.

#include <optional>
#include <string>
#include <string_view>

#include "vk_renderer/view.hpp"

namespace vitrine::render {

// "front" (yaw 0, pitch 0), "back", "left", "right", "side" (as right), "top", "bottom" and "three-quarter"
// (30, 15: what thumbnails and the live preview begin with). Distance and target are left to framing.
std::optional<Camera> find_named_view(std::string_view name);

// "front, back, left, ...", for messages.
std::string named_views();

} // namespace vitrine::render
