#pragma once
// A view as a URL says it: view=three-quarter, w, h, background, overlay, light.

#include <optional>
#include <span>
#include <string_view>

#include "server/handlers/query_reader.hpp"
#include "vk_renderer/base/view.hpp"
#include "vk_renderer/encode/encode.hpp"

namespace vitrine::server {

// view, target, fov, ortho, w, h, background, overlay, light. Errors are left with the reader.
render::View read_view(QueryReader& reader, std::uint32_t max_side);

// What Accept likes best; the first of `preferred` where it likes several alike or is not there. Empty: none.
std::optional<render::ImageFormat> negotiate_image(std::optional<std::string_view> accept,
                                                   std::span<const render::ImageFormat> preferred);

} // namespace vitrine::server
