#pragma once
// View parameters of URLs: view=three-quarter, w, h, background, overlay, light.

#include <optional>
#include <span>
#include <string_view>

#include "server/handlers/query_reader.hpp"
#include "vk_renderer/base/view.hpp"
#include "vk_renderer/encode/encode.hpp"

namespace vitrine::server {

// view, target, fov, ortho, w, h, background, overlay, light. Errors are recorded in the reader.
render::View read_view(QueryReader& reader, std::uint32_t max_side);

// Returns the format with the highest quality value in Accept; on a tie, or without the field, the first of
// `preferred`. Empty: none is acceptable.
std::optional<render::ImageFormat> negotiate_image(std::optional<std::string_view> accept,
                                                   std::span<const render::ImageFormat> preferred);

} // namespace vitrine::server
