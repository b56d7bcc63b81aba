// Tags of the library.
#include "server/handlers/organization/organization_routes.hpp"
#include "server/routing/body_members.hpp"
#include "server/routing/context.hpp"
#include "server/routing/json_responses.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/query_reader.hpp"

namespace vitrine::server {
namespace {

boost::json::object tag_json(const LibraryTag& tag)
{
    return {{"name", tag.name}, {"assets", tag.assets}};
}

} // namespace

HandlerResult list_tags(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto prefix = reader.text("prefix").value_or("");
    const auto limit = reader.integer("limit", 1, 1000).value_or(100);
    const auto cursor = reader.text("cursor").value_or("");
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const auto page = context.services.tags.list(prefix, limit, cursor);
    if (!page) return problem(page.error());
    boost::json::array items;
    for (const auto& tag : page->items)
        items.push_back(tag_json(tag));
    return page_response(request, std::move(items), page->next);
}

HandlerResult rename_tag(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto body = read_json_object(request);
    if (!body) return std::unexpected(body.error());
    BodyMembers members(*body);
    members.require("name");
    const auto name = members.text("name");
    if (name) members.reject("name", tag_fault(*name));
    const bool merge = members.flag("merge").value_or(false);
    if (auto rejection = members.finish()) return std::unexpected(*rejection);
    const auto tag = context.services.tags.rename(request.param("tag"), *name, merge);
    if (!tag) return problem(tag.error());
    return json_response(200, tag_json(*tag));
}

HandlerResult delete_tag(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto removed = context.services.tags.remove(request.param("tag"));
    if (!removed) return problem(removed.error());
    return Response{.status = 204};
}

} // namespace vitrine::server
