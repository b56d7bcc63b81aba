#include "server/handlers/access/access_routes.hpp"

#include <boost/json/array.hpp>

#include "api/resources.hpp"
#include "server/handlers/access/json_body.hpp"
#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

json::object grant_json(const UserGrant& grant)
{
    return {
        {"user",
         json::object{{"id", grant.user}, {"name", grant.user_name}, {"displayName", grant.display_name}}},
        {"role", to_word(grant.role)},
        {"createdAt", api::to_rfc3339(grant.created)},
        {"createdBy", grant.created_by}};
}

std::expected<Role, api::Problem> read_grant_role(const Request& request)
{
    std::optional<Role> role;
    const auto read =
        read_members(request, "grant", {"role"}, [&](std::string_view key, const json::value& value) {
            if (key != "role") return "is no member of a grant";
            role = value.is_string() ? parse_role(value.as_string()) : std::nullopt;
            return role ? "" : "must be viewer, editor or admin";
        });
    if (!read) return std::unexpected(read.error());
    return *role;
}

} // namespace

HandlerResult list_grants(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto& id = request.param("id");
    if (const auto known = context.services.collections.find(id); !known) return problem(known.error());
    json::array items;
    for (const auto& grant : context.services.tokens.grants().list(id))
        items.push_back(grant_json(grant));
    return json_answer(200, json::object{{"items", std::move(items)}});
}

HandlerResult put_grant(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto role = read_grant_role(request);
    if (!role) return std::unexpected(role.error());
    const auto grant = context.services.tokens.put_grant({.collection = request.param("id"),
                                                          .user = request.param("user"),
                                                          .role = *role,
                                                          .created_by = to_text(request.principal)});
    if (!grant) return problem(grant.error());
    return json_answer(200, grant_json(*grant), "no-store");
}

HandlerResult remove_grant(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto removed = context.services.tokens.remove_grant(request.param("id"), request.param("user"));
    if (!removed) return problem(removed.error());
    return Response{.status = 204};
}

} // namespace vitrine::server
