#pragma once
// Formats and responses that the routes of images share.

#include <cstdint>
#include <optional>
#include <string>

#include "server/handlers/common.hpp"
#include "server/handlers/query_reader.hpp"
#include "server/services/rendering/image_service.hpp"
#include "vk_renderer/encode/encode.hpp"

namespace vitrine::server {

// ImageService enforces its configured limits too.
inline constexpr std::uint32_t max_side = ImageLimits{}.max_side;
inline constexpr std::uint32_t max_frames = ImageLimits{}.max_frames;

// The parameter format.
std::optional<render::ImageFormat> read_format(QueryReader& reader);
// The format of a still that Accept prefers; PNG without the field. Empty: none is acceptable.
std::optional<render::ImageFormat> negotiate_still(const Request& request);
std::unexpected<api::Problem> not_acceptable();

HandlerResult image_response(const Result<RenderedImage>& image, const std::string& etag, bool immutable);

} // namespace vitrine::server
