// Which clips of other assets a character plays, which characters play the clips of an asset, and which
// assets are like another one.
#include <fmt/format.h>

#include "loaders/scene/lookup.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/pictures/pictures.hpp"
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

ServiceError not_stored()
{
    return not_imported_error("The import has not stored this part of the model yet.").error();
}

// `next`: offset of the next page; 0: this is the last one.
Response page_response(const Request& request, boost::json::array items, std::size_t next,
                       const boost::json::object& more = {})
{
    const auto cursor = next == 0 ? std::string() : std::to_string(next);
    auto list = api::list_json(std::move(items), cursor);
    list.insert(more.begin(), more.end());
    auto response = json_response(200, list);
    if (!cursor.empty())
        response.headers.add("Link", fmt::format("<{}>; rel=\"next\"", next_page_url(request, cursor)));
    return response;
}

HandlerResult fitting_response(const Request& request, Context& context,
                               const std::optional<FittingPage>& page)
{
    if (!page) return problem(not_stored());
    ClipRows rows(context.services.catalog);
    boost::json::array items;
    for (const auto& item : page->items) {
        api::FittingAsset row{
            .asset = item.asset, .name = item.name, .share = item.fit.share, .by_role = item.fit.by_role};
        if (item.clip != scene::none) row.clip = rows.row(item.asset, item.clip);
        items.push_back(to_json(row));
    }
    return page_response(request, std::move(items), page->next);
}

SimilarQuery read_similar_query(QueryReader& reader)
{
    SimilarQuery query{.limit = reader.integer("limit", 1, max_page).value_or(50),
                       .offset = reader.integer("cursor", 0, max_compared).value_or(0)};
    query.by = reader
                   .choice<SimilarBy>("by", {{"bytes", SimilarBy::bytes},
                                             {"mesh", SimilarBy::mesh},
                                             {"rig", SimilarBy::rig},
                                             {"motion", SimilarBy::motion},
                                             {"picture", SimilarBy::picture}})
                   .value_or(SimilarBy::mesh);
    query.min_score = reader.number("score.min", 0.0, 1.0).value_or(query.min_score);
    if (const auto clip = reader.integer("clip", 0, 1'000'000)) {
        query.clip = static_cast<std::uint32_t>(*clip);
        if (query.by != SimilarBy::motion) reader.reject("clip", "is for by=motion");
    }
    return query;
}

boost::json::array clip_pairs(const SimilarAsset& item, ClipRows& theirs, ClipRows& own,
                              const std::string& asset)
{
    boost::json::array clips;
    for (const auto& [clip, of, score] : item.clips)
        clips.push_back(boost::json::object{
            {"clip", theirs.row(item.asset, clip)}, {"of", own.row(asset, of)}, {"score", score}});
    return clips;
}

boost::json::object similar_row(const SimilarAsset& item)
{
    boost::json::object row{{"asset", boost::json::object{{"id", item.asset}, {"name", item.name}}},
                            {"score", item.score},
                            {"reason", item.reason}};
    if (item.surface)
        row["mesh"] = boost::json::object{{"scale", item.surface->scale},
                                          {"mirrored", item.surface->is_mirrored},
                                          {"triangles", item.triangles}};
    if (item.rig)
        row["rig"] = boost::json::object{{"sharedJoints", item.rig->shared},
                                         {"sameNames", item.rig->has_same_names},
                                         {"lengthDifference", item.rig->proportions}};
    if (item.all_bytes > 0)
        row["bytes"] = boost::json::object{{"shared", item.shared_bytes}, {"all", item.all_bytes}};
    return row;
}

std::string_view reason_of_picture(double score, bool is_embedding)
{
    if (is_embedding) return "the embedder finds the pictures alike";
    return score >= 0.95 ? "nearly the same picture" : "outline, shading or colors are alike";
}

// Not stored by caches: further assets get their vectors at any time.
HandlerResult similar_pictures(const Request& request, Context& context, const AssetRecord& asset,
                               const SimilarQuery& query)
{
    const auto found = context.services.pictures.find_similar(asset);
    if (!found) return problem(found.error());
    const auto& near = found->near.items;
    std::size_t next = 0;
    boost::json::array items;
    for (auto at = query.offset; at < near.size(); ++at) {
        const double score = Pictures::score(*found, near[at].cosine);
        if (score < query.min_score) break; // the others have less
        if (items.size() == query.limit) {
            next = at;
            break;
        }
        items.push_back(boost::json::object{
            {"asset", boost::json::object{{"id", near[at].asset}, {"name", near[at].name}}},
            {"score", score},
            {"reason", reason_of_picture(score, found->is_embedding)}});
    }
    boost::json::object pictures{{"model", found->model}, {"embedding", found->is_embedding}};
    if (!found->notice.empty()) pictures["notice"] = found->notice;
    auto response = page_response(request, std::move(items), next,
                                  {{"compared", found->near.compared},
                                   {"complete", found->near.is_complete},
                                   {"pictures", std::move(pictures)}});
    response.headers.set("Cache-Control", "private, no-store");
    return response;
}

} // namespace

HandlerResult list_similar(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto query = read_similar_query(reader);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    if (query.by == SimilarBy::picture) return similar_pictures(request, context, *asset, query);
    const auto page = find_similar(context.services.catalog, *asset, query);
    if (!page) return problem(not_stored());
    ClipRows theirs(context.services.catalog), own(context.services.catalog);
    boost::json::array items;
    for (const auto& item : page->items) {
        auto row = similar_row(item);
        if (query.by == SimilarBy::motion) row["clips"] = clip_pairs(item, theirs, own, asset->id);
        items.push_back(std::move(row));
    }
    return page_response(request, std::move(items), page->next,
                         {{"compared", page->compared}, {"complete", page->is_complete}});
}

HandlerResult list_fitting_clips(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto query = read_page(reader);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    return fitting_response(request, context, find_fitting_clips(context.services.catalog, *asset, query));
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
    return fitting_response(request, context,
                            find_fitting_characters(context.services.catalog, *asset, query));
}

} // namespace vitrine::server
