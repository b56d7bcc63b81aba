// Members of collections.
#include "api/resources.hpp"
#include "server/handlers/organization/organization_routes.hpp"
#include "server/routing/body_members.hpp"
#include "server/routing/context.hpp"
#include "server/routing/json_responses.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/query_reader.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_named_assets = 10'000; // in one request

std::expected<MemberChange, api::Problem> read_change(const Request& request, bool with_position)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto body = read_json_object(request);
    if (!body) return std::unexpected(body.error());
    BodyMembers members(*body);
    MemberChange change;
    members.require("assets");
    change.assets = members.texts("assets", 0, max_named_assets).value_or(std::vector<std::string>());
    if (with_position) change.position = members.integer("position", CollectionTable::max_members);
    if (auto rejection = members.finish()) return std::unexpected(*rejection);
    change.if_match = read_if_match(request);
    return change;
}

HandlerResult members_response(const Result<Collection>& collection)
{
    if (!collection) return problem(collection.error());
    auto response = json_response(200, to_json(*collection));
    add_caching(response, collection->etag());
    return response;
}

} // namespace

HandlerResult list_members(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto limit = reader.integer("limit", 1, 500).value_or(100);
    const auto cursor = reader.text("cursor").value_or("");
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    auto page = context.services.collections.members(request.param("id"), limit, cursor);
    if (!page) return problem(page.error());
    boost::json::array items;
    for (auto& member : page->items) {
        hide_custom_fields(request.principal, member.asset);
        items.push_back({{"position", member.position}, {"asset", api::row_json(member.asset)}});
    }
    return page_response(request, std::move(items), page->next);
}

HandlerResult insert_members(const Request& request, Context& context)
{
    const auto change = read_change(request, true);
    if (!change) return std::unexpected(change.error());
    return members_response(context.services.collections.insert_members(request.param("id"), *change));
}

HandlerResult replace_members(const Request& request, Context& context)
{
    const auto change = read_change(request, false);
    if (!change) return std::unexpected(change.error());
    return members_response(context.services.collections.replace_members(request.param("id"), *change));
}

HandlerResult remove_members(const Request& request, Context& context)
{
    QueryReader reader(request);
    MemberChange change{.assets = reader.texts("asset")};
    if (change.assets.empty()) reader.reject("asset", "must be given");
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    change.if_match = read_if_match(request);
    return members_response(context.services.collections.remove_members(request.param("id"), change));
}

} // namespace vitrine::server
