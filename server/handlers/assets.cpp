// Assets: list, read, rename, move to trash.
#include <algorithm>
#include <set>
#include <span>

#include <fmt/format.h>

#include "loaders/base/stop.hpp"
#include "loaders/scene/geometry/up_axis.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/organization/fact_members.hpp"
#include "server/handlers/organization/list_params.hpp"
#include "server/routing/query_reader.hpp"
#include "server/routing/request_watch.hpp"
#include "server/services/organization/favorites.hpp"
#include "server/services/pictures/pictures.hpp"
#include "server/services/storage/scene_changes.hpp"
#include "server/services/visibility/visibility.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

void select_members(json::object& list, const std::vector<std::string>& fields)
{
    for (auto& row : list.at("items").as_array()) {
        json::object selected;
        for (const auto& field : fields)
            if (auto* const member = row.as_object().if_contains(field)) selected[field] = std::move(*member);
        row = std::move(selected);
    }
}

// Whether each row is a favorite of the one who sends the request.
void add_favorites(json::object& list, const Request& request, Context& context)
{
    const auto favorites =
        FavoriteTable(context.services.catalog.connections()).list(to_text(request.principal));
    const std::set<std::string_view> ids(favorites.begin(), favorites.end());
    for (auto& row : list.at("items").as_array())
        row.as_object()["favorite"] = ids.contains(std::string_view(row.at("id").as_string()));
}

// The role of the one who sends the request for each row.
void add_roles(json::object& list, const Request& request, Context& context)
{
    auto& rows = list.at("items").as_array();
    std::vector<std::string> ids;
    for (const auto& row : rows)
        ids.emplace_back(row.at("id").as_string());
    const auto roles = context.services.catalog.connections().read(
        [&](DatabaseConnection& sql) { return roles_for_assets(sql, request.principal, ids); });
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].as_object()["role"] = to_word(roles[i]);
}

// To what a share link shows.
void restrict_list(QueryReader& reader, ListQuery& query, const LinkScope& scope, const LinkTable& links)
{
    query.within = scope.collection;
    if (query.trash) reader.reject("trash", "is not for share links");
    for (const auto& name : reader.names_after("field."))
        reader.reject("field." + name, "is not for share links");
    if (!query.at.empty() && !links.has_asset(scope, query.at)) reader.reject("at", "is not in the list");
}

// Sets the ranking by what the embedder makes of the words. Without one, or while it fails, the list is that
// of the words. Returns the member `search` of the response.
json::object rank_by_pictures(ListQuery& query, Pictures& pictures)
{
    std::string fault = "There is no embedder (--embedder-url)";
    if (pictures.has_embedder()) {
        const auto vector = pictures.embed_text(query.q);
        if (vector) {
            query.ranking.emplace();
            for (const auto& near : pictures.find_near(*vector).items)
                query.ranking->push_back(near.seq);
            return {{"mode", "semantic"}, {"model", pictures.embedder_model()}};
        }
        fault = "The embedder " + vector.error().detail;
    }
    query.sort = Sort::relevance;
    return {{"mode", "words"}, {"notice", fault + ": words of names were searched."}};
}

Response asset_response(const Request& request, AssetRecord asset)
{
    hide_custom_fields(request.principal, asset);
    auto response = json_response(200, to_json(asset));
    add_caching(response, asset.etag());
    return response;
}

// With the role of the one who sends the request: others get another response.
Response personal_response(const Request& request, AssetRecord asset, Context& context)
{
    hide_custom_fields(request.principal, asset);
    const auto roles = context.services.catalog.connections().read([&](DatabaseConnection& sql) {
        return roles_for_assets(sql, request.principal, std::span(&asset.id, 1));
    });
    auto body = to_json(asset);
    body["role"] = to_word(roles.front());
    auto response = json_response(200, body);
    response.headers.set("Cache-Control", "private, no-store");
    return response;
}

// Waits for the embedder at most as long as the client, and as requests may take.
HandlerResult rank_while_wanted(ListQuery& query, json::object& search, const Request& request,
                                Context& context)
{
    const auto rank = [&]() -> HandlerResult {
        search = rank_by_pictures(query, context.services.pictures);
        return Response{};
    };
    if (thread_stop_token().stop_possible()) return rank(); // watched already
    RequestWatch::Work work(context.request_watch, request.socket);
    return work.answer(rank);
}

// 202 while the version that has the axis is being imported.
HandlerResult oriented_response(const Request& request, const Result<CreatedVersion>& oriented)
{
    if (!oriented) return problem(oriented.error());
    auto response = asset_response(request, oriented->asset);
    if (oriented->existing) return response;
    response.status = 202;
    response.headers.add("Location", "/v1/jobs/" + oriented->job.id);
    return response;
}

std::expected<AssetChange, api::Problem> read_change(const Request& request, Context& context)
{
    const auto body = read_json_object(request);
    if (!body) return std::unexpected(body.error());
    BodyMembers members(*body);
    AssetChange change;
    change.if_match = read_if_match(request);
    change.name = members.text("name");
    if (change.name) members.reject("name", name_fault(*change.name));
    change.tags = read_tags(members);
    read_facts(members, change);
    auto cover = read_cover(members, std::string(request.param("id")), context);
    if (!cover) return std::unexpected(cover.error());
    change.cover = std::move(*cover);
    change.up_axis = members.text_or_null("upAxis");
    if (change.up_axis && !change.up_axis->empty() && !scene::is_axis_word(*change.up_axis))
        members.reject("upAxis", "must be x, y, z, -x, -y, -z or null");
    if (auto rejection = members.finish()) return std::unexpected(*rejection);
    return change;
}

} // namespace

HandlerResult list_assets(const Request& request, Context& context)
{
    QueryReader reader(request);
    auto [query, fields, is_semantic, is_personal] = read_list(reader, request.principal);
    if (const auto& scope = request.principal.scope)
        restrict_list(reader, query, *scope, context.services.tokens.links());
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    json::object search;
    if (is_semantic) {
        auto ranked = rank_while_wanted(query, search, request, context);
        if (!ranked) return ranked;
    }
    auto page = context.services.catalog.list_assets(query);
    if (!page) return problem(page.error());
    for (auto& asset : page->items)
        hide_custom_fields(request.principal, asset);
    auto list = api::asset_list_json(*page);
    if (is_semantic) list["search"] = search;
    const bool shows_favorites = std::ranges::find(fields, "favorite") != fields.end();
    const bool shows_roles = std::ranges::find(fields, "role") != fields.end();
    if (shows_favorites) add_favorites(list, request, context);
    if (shows_roles) add_roles(list, request, context);
    if (!fields.empty()) select_members(list, fields);
    auto response = json_response(200, list);
    if (!page->next.empty()) {
        response.headers.add("Link", fmt::format("<{}>; rel=\"next\"", next_page_url(request, page->next)));
    }
    // Others get another response for the same request.
    if (shows_favorites || shows_roles || is_personal || is_semantic)
        response.headers.set("Cache-Control", "private, no-store");
    return response;
}

HandlerResult get_asset(const Request& request, Context& context)
{
    QueryReader reader(request);
    const bool shows_role = reader.flag("role").value_or(false);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    auto asset = require_asset(request, context);
    if (!asset) return std::unexpected(asset.error());
    if (shows_role) return personal_response(request, std::move(*asset), context);
    if (auto same = not_modified(request, asset->etag())) return std::move(*same);
    return asset_response(request, std::move(*asset));
}

HandlerResult change_asset(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto change = read_change(request, context);
    if (!change) return std::unexpected(change.error());
    auto& catalog = context.services.catalog;
    if (change->up_axis)
        return oriented_response(request, catalog.orient_asset(request.param("id"), *change));
    auto asset = catalog.change_asset(request.param("id"), *change);
    if (!asset) return problem(asset.error());
    return asset_response(request, std::move(*asset));
}

HandlerResult delete_asset(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto asset = context.services.catalog.trash_asset(request.param("id"), read_if_match(request));
    if (!asset) return problem(asset.error());
    return Response{.status = 204};
}

HandlerResult restore_asset(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto asset = context.services.catalog.restore_asset(request.param("id"));
    if (!asset) return problem(asset.error());
    return asset_response(request, std::move(*asset));
}

HandlerResult reimport_asset(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto queued = context.services.catalog.reimport_asset(request.param("id"));
    if (!queued) return problem(queued.error());
    auto response = json_response(202, to_json(queued->job));
    response.headers.add("Location", "/v1/jobs/" + queued->job.id);
    return response;
}

HandlerResult lift_quarantine(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto asset = require_asset(request, context);
    if (!asset) return std::unexpected(asset.error());
    context.services.quarantine.lift(std::string(quarantine_group(asset->content_hash)));
    return Response{.status = 204};
}

} // namespace vitrine::server
