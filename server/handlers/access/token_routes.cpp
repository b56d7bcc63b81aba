#include "server/handlers/access/token_routes.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/resources.hpp"
#include "server/access/principal.hpp"
#include "server/net/http.hpp"
#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"
#include "server/services/access/access_tokens.hpp"
#include "server/services/services.hpp"
#include "server/util/clock.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::int64_t max_lifetime_s = 10ll * 366 * 24 * 3600;

json::value time_or_null(Micros time)
{
    return time == 0 ? json::value() : json::value(api::to_rfc3339(time));
}

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

Response token_response(int status, const json::value& value, std::string_view caching)
{
    auto response = text_response(status, "application/json", api::to_text(value));
    response.headers.add("Cache-Control", std::string(caching));
    return response;
}

std::optional<api::Problem> reject_parameters(const Request& request)
{
    if (request.target.query.empty()) return std::nullopt;
    return api::Problem{.status = 400, .code = "bad_query", .detail = "This route has no query parameters."};
}

// Reads one member of the body; returns why it is wrong, as the end of a sentence, or empty.
std::string read_member(std::string_view key, const json::value& value, NewAccessToken& token)
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
    if (!request.headers.find("Content-Type").value_or("application/json").starts_with("application/json"))
        return problem(415, "unsupported_media_type", "Send the token as application/json.");
    boost::system::error_code error;
    const auto value = json::parse(request.body, error);
    if (error || !value.is_object()) return problem(400, "bad_json", "The body must be one JSON object.");
    api::Problem rejection{.status = 400, .code = "bad_body", .detail = "The body describes no token."};
    NewAccessToken token;
    const auto reject = [&](std::string_view key, const std::string& why) {
        rejection.errors.push_back(
            {.pointer = fmt::format("/{}", key), .detail = fmt::format("{} {}", key, why)});
    };
    for (const auto& [key, member] : value.as_object())
        if (const auto why = read_member(key, member, token); !why.empty()) reject(key, why);
    for (const char* key : {"name", "role"})
        if (!value.as_object().contains(key)) reject(key, "is required");
    if (!rejection.errors.empty()) return std::unexpected(rejection);
    token.created_by = to_text(request.principal);
    return token;
}

} // namespace

HandlerResult get_me(const Request& request, Context&)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto& me = request.principal;
    const bool has_token = me.kind == Principal::Kind::token;
    return token_response(200,
                          json::object{{"kind", has_token ? "token" : "open"},
                                       {"id", me.id.empty() ? json::value() : json::value(me.id)},
                                       {"name", has_token ? json::value(me.name) : json::value()},
                                       {"role", to_word(me.role)},
                                       {"expiresAt", time_or_null(me.expires)}},
                          "no-cache");
}

HandlerResult list_tokens(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    json::array items;
    for (const auto& token : context.services.tokens.list())
        items.push_back(to_json(token));
    return token_response(200, json::object{{"items", std::move(items)}}, "no-cache");
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
    return token_response(201, shown, "no-store");
}

HandlerResult revoke_token(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto removed = context.services.tokens.remove(request.param("id"));
    if (!removed) return problem(removed.error());
    return Response{.status = 204};
}

} // namespace vitrine::server
