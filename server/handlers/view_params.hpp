#pragma once
// A view as a URL says it: view=three-quarter, w, h, background, overlay, light.

#include <optional>
#include <string_view>
#include <vector>

#include "server/handlers/query.hpp"
#include "vk_renderer/encode/encode.hpp"
#include "vk_renderer/view.hpp"

namespace vitrine::server {

// front, back, left, right, top, bottom, three-quarter, or "yaw,pitch[,distance]" in degrees and metres.
std::optional<render::Camera> parse_camera(std::string_view text);
// "#rrggbb", "#rrggbbaa" (the '#' may be left out) or "transparent".
std::optional<glm::vec4> parse_colour(std::string_view text);
// "wireframe,skeleton,normals,bounds" in any order. Empty: an unknown one.
std::optional<render::Overlays> parse_overlays(const std::vector<std::string>& names);

// view, target, fov, ortho, w, h, background, overlay, light. Errors are left with the reader.
render::View read_view(QueryReader& reader, std::uint32_t largest_side);

// What Accept likes best of png, webp, jpeg; empty: none of them.
std::optional<render::ImageFormat> negotiate_image(std::optional<std::string_view> accept);

} // namespace vitrine::server
