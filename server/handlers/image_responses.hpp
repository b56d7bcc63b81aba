#pragma once
// Formats and responses that the routes of images share.

#include <cstdint>
#include <optional>
#include <string>

#include "server/handlers/common.hpp"
#include "server/routing/query_reader.hpp"
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

// The parameters x and y of a pick, of a pixel of the view.
render::Pixel read_pixel(QueryReader& reader, const render::View& view);

HandlerResult image_response(const Result<RenderedImage>& image, const std::string& etag, bool immutable);

// Whether this process has no device and finds no such image: it asks a worker. Blocking.
bool asks_worker(Context& context, const DerivedKey& key);
// The image that a worker makes of the same request, which is kept. Blocking.
HandlerResult image_of_worker(const Request& request, Context& context, const AssetRecord& asset,
                              const DerivedKey& key, const std::string& etag, bool immutable);

// As image_of_worker(), of a pick. `etag`: of what it shows.
HandlerResult pick_of_worker(const Request& request, Context& context, const AssetRecord& asset,
                             const std::string& etag, bool immutable);

// As image_response(make()), by a worker if necessary. `params`: as for image_key().
// With Context::checks_only an empty response, or the problem of the parameters.
template <class Params, class Make>
HandlerResult drawn_response(const Request& request, Context& context, const AssetRecord& asset,
                             const Params& params, bool immutable, const Make& make)
{
    if (context.checks_only) {
        const auto valid = context.services.images.check(asset, params);
        return valid ? HandlerResult(Response{}) : problem(valid.error());
    }
    const auto etag = ImageService::etag(asset, params);
    const auto key = image_key(asset, params);
    if (asks_worker(context, key)) return image_of_worker(request, context, asset, key, etag, immutable);
    return image_response(make(), etag, immutable);
}

} // namespace vitrine::server
