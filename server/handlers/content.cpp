// What a model consists of: its nodes, meshes and images, page by page, and the pixels of an image.
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/scene_json.hpp"
#include "loaders/base/parse_whole.hpp"
#include "loaders/export/png/png.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

constexpr std::uint64_t default_rows = 100, max_rows = 1000; // of a page
constexpr std::uint64_t max_cursor = 1u << 30;

using ReadPage = api::RowPage (*)(const scene::Scene&, const api::RowRange&);

// `kind`: of the list, with a number that is incremented when the response changes.
HandlerResult list_content(const Request& request, Context& context, std::string_view kind,
                           ReadPage read_page)
{
    QueryReader reader(request);
    const auto limit = reader.integer("limit", 1, max_rows).value_or(default_rows);
    const auto first = reader.integer("cursor", 0, max_cursor).value_or(0);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    const auto etag = data_etag(*asset, fmt::format("{}-{}-{}", kind, first, limit));
    if (auto same = not_modified(request, etag)) return std::move(*same);
    const auto scene = require_scene(*asset, context);
    if (!scene) return std::unexpected(scene.error());
    auto page = read_page(**scene, {.first = first, .count = limit});
    const auto end = first + page.items.size();
    const auto next = end < page.total ? std::to_string(end) : std::string();
    auto list = api::list_json(std::move(page.items), next);
    list["total"] = page.total;
    auto response = json_text_response(api::to_text(list));
    if (!next.empty())
        response.headers.add("Link", fmt::format("<{}>; rel=\"next\"", next_page_url(request, next)));
    add_caching(response, etag);
    return response;
}

} // namespace

HandlerResult list_nodes(const Request& request, Context& context)
{
    return list_content(request, context, "nodes-1", api::nodes_page);
}

HandlerResult list_meshes(const Request& request, Context& context)
{
    return list_content(request, context, "meshes-1", api::meshes_page);
}

HandlerResult list_images(const Request& request, Context& context)
{
    return list_content(request, context, "images-1", api::images_page);
}

HandlerResult get_image(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    const auto index = parse_whole<std::uint32_t>(request.param("image"));
    if (!index) return problem(404, "no_image", "An image is addressed by its index in the list of images.");
    const auto etag = data_etag(*asset, fmt::format("image-1-{}", *index));
    if (auto same = not_modified(request, etag)) return std::move(*same);
    const auto scene = require_scene(*asset, context);
    if (!scene) return std::unexpected(scene.error());
    if (*index >= (*scene)->images.size())
        return problem(404, "no_image", fmt::format("This model has {} images.", (*scene)->images.size()));
    const auto& image = (*scene)->images[*index];
    if (image.pixels.empty())
        return problem(404, "no_image", "The file of this image is missing or could not be decoded.");
    auto response = bytes_response(
        "image/png", std::make_shared<const std::vector<std::byte>>(exporting::write_png(image)));
    add_caching(response, etag);
    return response;
}

} // namespace vitrine::server
