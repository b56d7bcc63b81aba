#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "server/handlers/access/json_body.hpp"
#include "server/handlers/sign_on/sign_on_requests.hpp"
#include "server/handlers/sign_on/sign_on_routes.hpp"
#include "server/net/url.hpp"
#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::string_view device_grant_type = "urn:ietf:params:oauth:grant-type:device_code";

std::string_view sentence_of(DevicePollError error)
{
    switch (error) {
    case DevicePollError::pending: return "The code waits for its approval.";
    case DevicePollError::slow_down: return "Wait longer between two requests.";
    case DevicePollError::denied: return "The request was denied.";
    case DevicePollError::expired: return "The code has expired.";
    case DevicePollError::too_many_tokens: return "There are too many tokens; revoke some.";
    case DevicePollError::unknown: break;
    }
    return "There is no such device code.";
}

} // namespace

HandlerResult authorize_device(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    if (request.principal.kind == Principal::Kind::open)
        return problem(409, "no_token_required", "This server requires no token.");
    const auto form = read_form_body(request);
    if (!form) return oauth_error("invalid_request", "Send a form (application/x-www-form-urlencoded).");
    const auto client = value_of(*form, "client_id");
    if (const auto fault = token_name_fault(client); !fault.empty())
        return oauth_error("invalid_request", fmt::format("client_id {}.", fault));
    const auto scope = value_of(*form, "scope");
    const auto role = scope.empty() ? Role::viewer : parse_role(scope);
    if (!role) return oauth_error("invalid_scope", "scope must be viewer, editor or admin.");
    auto& grants = context.services.device_grants;
    const auto made = grants.create({.client = client, .address = request.client, .role = *role});
    if (!made) return problem(made.error());
    const auto page = origin_of(request) + "/device";
    const auto& times = grants.times();
    return json_answer(
        200,
        json::object{{"device_code", made->device_code},
                     {"user_code", made->grant.user_code},
                     {"verification_uri", page},
                     {"verification_uri_complete", page + "?user_code=" + made->grant.user_code},
                     {"expires_in", times.lifetime / 1'000'000},
                     {"interval", times.pause / 1'000'000}},
        "no-store");
}

HandlerResult create_device_token(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto form = read_form_body(request);
    if (!form) return oauth_error("invalid_request", "Send a form (application/x-www-form-urlencoded).");
    if (value_of(*form, "grant_type") != device_grant_type)
        return oauth_error("unsupported_grant_type",
                           fmt::format("grant_type must be {}.", device_grant_type));
    const auto made = context.services.device_grants.poll(value_of(*form, "device_code"), request.client);
    if (!made) return oauth_error(to_word(made.error()), sentence_of(made.error()));
    return json_answer(200,
                       json::object{{"access_token", made->secret},
                                    {"token_type", "Bearer"},
                                    {"expires_in", (made->token.expires - made->token.created) / 1'000'000},
                                    {"scope", to_word(made->token.role)}},
                       "no-store");
}

// Any role may revoke the token that it has got itself, and no other.
HandlerResult revoke_device_token(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto& me = request.principal;
    if (me.kind != Principal::Kind::token || me.id.empty())
        return problem(403, "token_required_to_revoke", "Send the token that shall be revoked.");
    const auto removed = context.services.tokens.remove(me.id);
    if (!removed) return problem(removed.error());
    return Response{.status = 204};
}

} // namespace vitrine::server
