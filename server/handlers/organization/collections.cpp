// Collections of assets.
#include <fmt/format.h>

#include "server/handlers/organization/organization_routes.hpp"
#include "server/net/byte_range.hpp"
#include "server/routing/body_members.hpp"
#include "server/routing/context.hpp"
#include "server/routing/json_responses.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/visibility/visibility.hpp"

namespace vitrine::server {
namespace {

HandlerResult collection_response(int status, const Result<Collection>& collection)
{
    if (!collection) return problem(collection.error());
    auto response = json_response(status, to_json(*collection));
    add_caching(response, collection->etag());
    if (status == 201) response.headers.add("Location", "/v1/collections/" + collection->id);
    return response;
}

std::expected<CollectionChange, api::Problem> read_collection(const Request& request, bool is_new)
{
    const auto body = read_json_object(request);
    if (!body) return std::unexpected(body.error());
    BodyMembers members(*body);
    CollectionChange change;
    if (is_new) members.require("name");
    change.name = members.text("name");
    if (change.name) members.reject("name", collection_name_fault(*change.name));
    change.description = members.text("description");
    if (change.description && change.description->size() > max_description_bytes)
        members.reject("description", fmt::format("must have at most {} bytes", max_description_bytes));
    if (change.description && change.description->contains('\0'))
        members.reject("description", "must not contain the character 0");
    change.parent = members.text_or_null("parent");
    change.cover = members.text_or_null("cover");
    if (!is_new) change.position = members.integer("position", CollectionTable::max_collections);
    if (auto rejection = members.finish()) return std::unexpected(*rejection);
    if (!is_new) change.if_match = read_if_match(request);
    return change;
}

// With the role of the one who sends the request for each: others get another response.
boost::json::array json_with_roles(const Request& request, const std::vector<Collection>& collections,
                                   Context& context)
{
    std::vector<std::string> ids;
    for (const auto& collection : collections)
        ids.push_back(collection.id);
    const auto roles = context.services.catalog.connections().read(
        [&](DatabaseConnection& sql) { return roles_for_collections(sql, request.principal, ids); });
    boost::json::array items;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        auto item = to_json(collections[i]);
        item["role"] = to_word(roles[i]);
        items.push_back(std::move(item));
    }
    return items;
}

Response personal(Response response)
{
    response.headers.set("Cache-Control", "private, no-store");
    return response;
}

// What a share link does not show.
void hide_surroundings(Collection& collection, const LinkScope& scope, const LinkTable& links)
{
    if (collection.id == scope.collection) collection.parent.clear();
    if (!links.has_asset(scope, collection.cover)) collection.cover.clear();
}

// By grants: collections are made below those that are granted, and stay where they are.
std::optional<api::Problem> reject_place(const Request& request, const CollectionChange& wanted, bool is_new,
                                         Context& context)
{
    if (sees_everything()) return std::nullopt;
    const bool has_parent = wanted.parent && !wanted.parent->empty();
    if (is_new ? !has_parent : wanted.parent.has_value())
        return role_problem(Role::editor,
                            fmt::format("This request requires the role editor for the library; the one that "
                                        "sends it has the role {}.",
                                        to_word(request.principal.role)));
    if (!is_new) return std::nullopt;
    const auto parent = context.services.collections.find(*wanted.parent);
    return parent ? std::nullopt : std::optional(to_problem(parent.error()));
}

} // namespace

HandlerResult list_collections(const Request& request, Context& context)
{
    QueryReader reader(request);
    CollectionQuery query;
    query.parent = reader.text("parent");
    query.asset = reader.text("asset").value_or("");
    query.limit = reader.integer("limit", 1, 1000).value_or(100);
    query.cursor = reader.text("cursor").value_or("");
    const bool shows_roles = reader.flag("role").value_or(false);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const auto page = context.services.collections.list(query);
    if (!page) return problem(page.error());
    if (shows_roles)
        return personal(page_response(request, json_with_roles(request, page->items, context), page->next));
    boost::json::array items;
    for (const auto& collection : page->items)
        items.push_back(to_json(collection));
    return page_response(request, std::move(items), page->next);
}

HandlerResult create_collection(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto wanted = read_collection(request, true);
    if (!wanted) return std::unexpected(wanted.error());
    if (auto rejection = reject_place(request, *wanted, true, context)) return std::unexpected(*rejection);
    Collection collection;
    collection.name = *wanted->name;
    collection.description = wanted->description.value_or("");
    collection.parent = wanted->parent.value_or("");
    collection.cover = wanted->cover.value_or("");
    return collection_response(201, context.services.collections.create(collection));
}

HandlerResult get_collection(const Request& request, Context& context)
{
    QueryReader reader(request);
    const bool shows_role = reader.flag("role").value_or(false);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    auto collection = context.services.collections.find(request.param("id"));
    if (collection && request.principal.scope)
        hide_surroundings(*collection, *request.principal.scope, context.services.tokens.links());
    if (collection && shows_role)
        return personal(json_response(200, json_with_roles(request, {*collection}, context).front()));
    if (collection)
        if (auto same = not_modified(request, collection->etag())) return std::move(*same);
    return collection_response(200, collection);
}

HandlerResult change_collection(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto change = read_collection(request, false);
    if (!change) return std::unexpected(change.error());
    if (auto rejection = reject_place(request, *change, false, context)) return std::unexpected(*rejection);
    change->counted = visibility_of(request.principal, Access::read);
    return collection_response(200, context.services.collections.change(request.param("id"), *change));
}

HandlerResult delete_collection(const Request& request, Context& context)
{
    QueryReader reader(request);
    const bool descendants = reader.flag("descendants").value_or(false);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const auto removed =
        context.services.collections.remove(request.param("id"), read_if_match(request), descendants);
    if (!removed) return problem(removed.error());
    return Response{.status = 204};
}

} // namespace vitrine::server
