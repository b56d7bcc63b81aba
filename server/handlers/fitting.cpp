// Which clips of other assets a character plays, and which characters play the clips of an asset.
#include <fmt/format.h>

#include "loaders/scene/lookup.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/query_reader.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_page = 500;

FittingQuery read_page(QueryReader& reader)
{
    return {.clip = scene::none,
            .limit = reader.integer("limit", 1, max_page).value_or(50),
            .offset = reader.integer("cursor", 0, max_fittings).value_or(0)};
}

// The clips of the assets of a page as their lists have them. Of a list with many clips only those of the
// page are parsed.
class ClipRows {
public:
    explicit ClipRows(const Catalog& catalog) : catalog_(catalog) {}

    boost::json::object row(const std::string& asset, std::uint32_t clip)
    {
        if (asset != asset_) {
            asset_ = asset;
            const auto record = catalog_.find_asset(asset);
            const auto text =
                record ? catalog_.find_document(asset, record->version, AssetDocument::clips) : std::nullopt;
            list_ = text.value_or("");
            clips_ = api::ListItems(list_);
        }
        auto row = api::clip_row(clips_.find(clip));
        if (row.empty()) row["id"] = scene::clip_id(clip);
        return row;
    }

private:
    const Catalog& catalog_;
    std::string asset_;
    std::string list_;
    api::ListItems clips_{list_};
};

HandlerResult page_response(const Request& request, Context& context, const std::optional<FittingPage>& page)
{
    if (!page)
        return problem(not_imported_error("The import has not stored this part of the model yet.").error());
    ClipRows rows(context.services.catalog);
    boost::json::array items;
    for (const auto& item : page->items) {
        api::FittingAsset row{
            .asset = item.asset, .name = item.name, .share = item.fit.share, .by_role = item.fit.by_role};
        if (item.clip != scene::none) row.clip = rows.row(item.asset, item.clip);
        items.push_back(to_json(row));
    }
    const auto next = page->next == 0 ? std::string() : std::to_string(page->next);
    auto response = json_response(200, api::list_json(std::move(items), next));
    if (!next.empty())
        response.headers.add("Link", fmt::format("<{}>; rel=\"next\"", next_page_url(request, next)));
    return response;
}

} // namespace

HandlerResult list_fitting_clips(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto query = read_page(reader);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    return page_response(request, context, find_fitting_clips(context.services.catalog, *asset, query));
}

HandlerResult list_fitting_characters(const Request& request, Context& context)
{
    QueryReader reader(request);
    auto query = read_page(reader);
    if (const auto clip = reader.integer("clip", 0, 1'000'000))
        query.clip = static_cast<std::uint32_t>(*clip);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    return page_response(request, context, find_fitting_characters(context.services.catalog, *asset, query));
}

} // namespace vitrine::server
