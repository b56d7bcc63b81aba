#include "server/handlers/image_responses.hpp"

#include <array>

#include "server/handlers/query_params.hpp"

namespace vitrine::server {

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

HandlerResult image_response(const Result<RenderedImage>& image, const std::string& etag, bool immutable)
{
    if (!image) return problem(image.error());
    auto response = bytes_response(image->content_type, image->bytes);
    add_caching(response, etag, immutable);
    return response;
}

} // namespace vitrine::server
