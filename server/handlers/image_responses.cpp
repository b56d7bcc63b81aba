#include "server/handlers/image_responses.hpp"

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "server/handlers/query_params.hpp"
#include "server/routing/remote_image.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

std::uint32_t read_coordinate(QueryReader& reader, std::string_view name, std::uint32_t side)
{
    if (!reader.text(name)) reader.reject(name, "is missing");
    return static_cast<std::uint32_t>(reader.integer(name, 0, side - 1).value_or(0));
}

} // namespace

using render::ImageFormat;

std::optional<ImageFormat> read_format(QueryReader& reader)
{
    return reader.choice<ImageFormat>("format", {{"png", ImageFormat::png},
                                                 {"jpeg", ImageFormat::jpeg},
                                                 {"jpg", ImageFormat::jpeg},
                                                 {"webp", ImageFormat::webp}});
}

std::optional<ImageFormat> negotiate_still(const Request& request)
{
    constexpr std::array preferred{ImageFormat::png, ImageFormat::webp, ImageFormat::jpeg};
    return negotiate_image(request.headers.find("Accept"), preferred);
}

std::unexpected<api::Problem> not_acceptable()
{
    return problem(406, "not_acceptable", "Images are available as image/png, image/webp or image/jpeg.");
}

render::Pixel read_pixel(QueryReader& reader, const render::View& view)
{
    return {read_coordinate(reader, "x", view.width), read_coordinate(reader, "y", view.height)};
}

HandlerResult image_response(const Result<RenderedImage>& image, const std::string& etag, bool immutable)
{
    if (!image) return problem(image.error());
    auto response = bytes_response(image->content_type, image->bytes);
    add_caching(response, etag, immutable);
    return response;
}

bool asks_worker(Context& context, const DerivedKey& key)
{
    return !context.services.renders.draws() && !context.services.derived.open(key);
}

namespace {

std::expected<RemoteImage, api::Problem> fetch_image(const Request& request, Context& context,
                                                     const AssetRecord& asset, const DerivedKey& key,
                                                     const std::string& etag)
{
    auto drawn = draw_remotely(request, context, asset, {.id = key.digest(), .etag = etag, .key = &key});
    if (!drawn) return std::unexpected(drawn.error());
    auto& derived = context.services.derived;
    const auto body = std::as_bytes(std::span(drawn->body));
    auto bytes = body.empty() ? derived.find_published(key) : std::vector(body.begin(), body.end());
    if (!bytes)
        return problem(ServiceError{Errc::unavailable, "not_drawn", "",
                                    "The image was drawn but is not found; try again later.", 1});
    if (!body.empty()) derived.store(key, body);
    return RemoteImage{std::make_shared<const std::vector<std::byte>>(std::move(*bytes)),
                       std::move(drawn->content_type)};
}

} // namespace

HandlerResult image_of_worker(const Request& request, Context& context, const AssetRecord& asset,
                              const DerivedKey& key, const std::string& etag, bool immutable)
{
    require_blocking_thread(context);
    auto image = context.image_waits.images.run(
        key.digest() + ' ' + asset.id, [&] { return fetch_image(request, context, asset, key, etag); });
    if (!image) return std::unexpected(image.error());
    return image_response(RenderedImage{std::move(image->bytes), std::move(image->content_type), etag}, etag,
                          immutable);
}

HandlerResult pick_of_worker(const Request& request, Context& context, const AssetRecord& asset,
                             const std::string& etag, bool immutable)
{
    require_blocking_thread(context);
    auto drawn = draw_remotely(request, context, asset, {.id = sha256_hex("pick " + etag), .etag = etag});
    if (!drawn) return std::unexpected(drawn.error());
    auto response = json_text_response(std::move(drawn->body));
    add_caching(response, etag, immutable);
    return response;
}

} // namespace vitrine::server
