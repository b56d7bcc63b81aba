#include <algorithm>

#include <boost/json/array.hpp>

#include "server/access/principal.hpp"
#include "server/handlers/access/account_routes.hpp"
#include "server/handlers/access/json_body.hpp"
#include "server/handlers/access/token_json.hpp"
#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"
#include "server/services/access/access_tokens.hpp"
#include "server/services/services.hpp"

namespace vitrine::server {
namespace {

// Those that stand for the user, and those that the user has made.
bool is_own(const AccessToken& token, const std::string& user)
{
    return !user.empty() && (token.owner == user || token.created_by == "user:" + user);
}

} // namespace

HandlerResult list_own_tokens(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto& me = request.principal;
    const auto user = account_of(me);
    boost::json::array items;
    for (const auto& token : context.services.tokens.list()) {
        if (!is_own(token, user)) continue;
        auto shown = to_json(token);
        shown["current"] = me.kind == Principal::Kind::token && token.id == me.id;
        items.push_back(std::move(shown));
    }
    return json_answer(200, boost::json::object{{"items", std::move(items)}});
}

// Tokens of others are answered as those that do not exist.
HandlerResult revoke_own_token(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    auto& tokens = context.services.tokens;
    const auto& id = request.param("id");
    const auto user = account_of(request.principal);
    const bool exists = std::ranges::any_of(
        tokens.list(), [&](const AccessToken& token) { return token.id == id && is_own(token, user); });
    if (!exists) return problem(ServiceError{Errc::not_found, "no_token", id, "You have no such token."});
    if (const auto removed = tokens.remove(id); !removed) return problem(removed.error());
    return Response{.status = 204};
}

} // namespace vitrine::server
