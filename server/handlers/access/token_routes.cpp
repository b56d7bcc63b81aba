#include "server/handlers/access/access_routes.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "api/resources.hpp"
#include "server/access/principal.hpp"
#include "server/handlers/access/json_body.hpp"
#include "server/handlers/access/token_json.hpp"
#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"
#include "server/services/access/access_tokens.hpp"
#include "server/services/services.hpp"
#include "server/util/clock.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::int64_t max_lifetime_s = 10ll * 366 * 24 * 3600;

// Reads one member of the body; returns why it is wrong, as the end of a sentence, or empty.
std::string read_token_member(std::string_view key, const json::value& value, NewAccessToken& token)
{
    if (key == "name") {
        if (!value.is_string()) return "must be a string";
        token.name = value.as_string();
        return token_name_fault(token.name);
    }
    if (key == "role") {
        const auto role = value.is_string() ? parse_role(value.as_string()) : std::nullopt;
        if (!role) return "must be viewer, editor or admin";
        token.role = *role;
        return {};
    }
    if (key != "expiresIn") return "is no member of a token";
    const auto* seconds = value.if_int64();
    if (!seconds || *seconds < 1 || *seconds > max_lifetime_s)
        return fmt::format("must be a number of seconds, 1 to {}", max_lifetime_s);
    token.expires = now() + *seconds * 1'000'000;
    return {};
}

std::expected<NewAccessToken, api::Problem> read_token(const Request& request)
{
    NewAccessToken token;
    const auto read =
        read_members(request, "token", {"name", "role"}, [&](std::string_view key, const json::value& value) {
            return read_token_member(key, value, token);
        });
    if (!read) return std::unexpected(read.error());
    token.created_by = to_text(request.principal);
    return token;
}

} // namespace

json::object to_json(const AccessToken& token)
{
    return {{"id", token.id},
            {"name", token.name},
            {"role", to_word(token.role)},
            {"createdAt", api::to_rfc3339(token.created)},
            {"createdBy", token.created_by},
            {"expiresAt", time_or_null(token.expires)},
            {"lastUsedAt", time_or_null(token.last_used)}};
}

HandlerResult list_tokens(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    json::array items;
    for (const auto& token : context.services.tokens.list())
        items.push_back(to_json(token));
    return json_answer(200, json::object{{"items", std::move(items)}}, "no-cache");
}

HandlerResult create_token(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    auto wanted = read_token(request);
    if (!wanted) return std::unexpected(wanted.error());
    const auto created = context.services.tokens.create(std::move(*wanted));
    if (!created) return problem(created.error());
    auto shown = to_json(created->token);
    shown["token"] = created->secret;
    return json_answer(201, shown, "no-store");
}

HandlerResult revoke_token(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto removed = context.services.tokens.remove(request.param("id"));
    if (!removed) return problem(removed.error());
    return Response{.status = 204};
}

} // namespace vitrine::server
