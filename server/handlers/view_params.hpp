#pragma once
// A view as a URL says it: view=three-quarter, w, h, background, overlay, light.

#include <optional>
#include <string_view>

#include "server/handlers/query.hpp"
#include "vk_renderer/encode/encode.hpp"
#include "vk_renderer/view.hpp"

namespace vitrine::server {

// view, target, fov, ortho, w, h, background, overlay, light. Errors are left with the reader.
render::View read_view(QueryReader& reader, std::uint32_t largest_side);

// What Accept likes best of png, webp, jpeg; empty: none of them.
std::optional<render::ImageFormat> negotiate_image(std::optional<std::string_view> accept);

} // namespace vitrine::server
