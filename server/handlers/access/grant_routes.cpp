#include "server/handlers/access/access_routes.hpp"

#include <boost/json/array.hpp>

#include "api/resources.hpp"
#include "server/handlers/access/json_body.hpp"
#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/oidc/single_sign_on.hpp"

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

json::object group_grant_json(const GroupGrant& grant)
{
    return {{"group", grant.name.group},
            {"issuer", grant.name.issuer},
            {"role", to_word(grant.role)},
            {"createdAt", api::to_rfc3339(grant.created)},
            {"createdBy", grant.created_by}};
}

// Of the parameters `group` and, if `may_name_issuer`, `issuer`, which is otherwise the provider's.
std::expected<GroupName, api::Problem> read_group(const Request& request, const Context& context,
                                                  bool may_name_issuer)
{
    QueryReader reader(request);
    const auto group = reader.text("group");
    const auto issuer = may_name_issuer ? reader.text("issuer") : std::nullopt;
    if (const auto fault = group_name_fault(group.value_or("")); !fault.empty())
        reader.reject("group", fault);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const auto& sign_on = context.services.sign_on;
    if (!issuer && !sign_on) return problem(404, "no_provider", "This server has no identity provider.");
    return GroupName{issuer ? *issuer : sign_on->issuer(), *group};
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
    json::array groups;
    for (const auto& grant : context.services.tokens.group_grants().list(id))
        groups.push_back(group_grant_json(grant));
    const auto& sign_on = context.services.sign_on;
    return json_answer(200,
                       json::object{{"items", std::move(items)},
                                    {"groups", std::move(groups)},
                                    {"provider", sign_on ? json::value(sign_on->name()) : json::value()}});
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

HandlerResult put_group_grant(const Request& request, Context& context)
{
    auto name = read_group(request, context, false);
    if (!name) return std::unexpected(name.error());
    const auto role = read_grant_role(request);
    if (!role) return std::unexpected(role.error());
    const auto grant = context.services.tokens.put_group_grant({.collection = request.param("id"),
                                                                .name = *std::move(name),
                                                                .role = *role,
                                                                .created_by = to_text(request.principal)});
    if (!grant) return problem(grant.error());
    return json_answer(200, group_grant_json(*grant), "no-store");
}

HandlerResult remove_group_grant(const Request& request, Context& context)
{
    const auto name = read_group(request, context, true);
    if (!name) return std::unexpected(name.error());
    const auto removed = context.services.tokens.remove_group_grant(request.param("id"), *name);
    if (!removed) return problem(removed.error());
    return Response{.status = 204};
}

} // namespace vitrine::server
