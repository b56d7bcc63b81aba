#include "server/handlers/access/access_routes.hpp"

#include <algorithm>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "api/resources.hpp"
#include "server/access/cookies.hpp"
#include "server/handlers/access/json_body.hpp"
#include "server/handlers/access/session_cookies.hpp"
#include "server/net/url.hpp"
#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/sign_in.hpp"
#include "server/services/access/accounts.hpp"
#include "server/services/services.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

struct SignInBody {
    SignInAttempt attempt;
    std::string next = "/"; // path of this server where the form leads; of forms
};

bool is_form(const Request& request)
{
    return request.headers.find("Content-Type").value_or("").starts_with("application/x-www-form-urlencoded");
}

std::string read_credential(std::string_view key, std::string_view value, SignInBody& body)
{
    const auto max_bytes = key == "name" ? max_user_name : max_password;
    if (value.empty() || value.size() > max_bytes || value.contains('\0'))
        return fmt::format("must be a string of 1 to {} bytes", max_bytes);
    (key == "name" ? body.attempt.name : body.attempt.password) = value;
    return {};
}

std::expected<SignInBody, api::Problem> read_json(const Request& request)
{
    SignInBody body;
    const auto read =
        read_members(request, "sign-in", {"name", "password"}, [&](auto key, const auto& value) {
            if (key != "name" && key != "password") return std::string("is no member of a sign-in");
            return read_credential(key, value.is_string() ? std::string_view(value.as_string()) : "", body);
        });
    if (!read) return std::unexpected(read.error());
    return body;
}

// Of the sign-in page; its browser has checked the fields. Anything that is no path of this server leads to
// the first page.
SignInBody read_form(const Request& request)
{
    SignInBody body;
    std::string_view rest = request.body;
    while (!rest.empty()) {
        const auto end = std::min(rest.find('&'), rest.size());
        const auto pair = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const auto equals = std::min(pair.find('='), pair.size());
        const auto value = percent_decode(pair.substr(std::min(equals + 1, pair.size())), true).value_or("");
        const auto key = pair.substr(0, equals);
        if (key == "name" || key == "password") (void)read_credential(key, value, body);
        if (key == "next" && is_own_address(value)) body.next = value;
    }
    return body;
}

// `current`: id of the session of the request.
json::object to_json(const UserSession& session, const std::string& current)
{
    return {{"id", session.id},
            {"createdAt", api::to_rfc3339(session.created)},
            {"lastUsedAt", api::to_rfc3339(session.last_used)},
            {"expiresAt", api::to_rfc3339(session.expires)},
            {"address", session.address},
            {"agent", session.agent},
            {"current", session.id == current}};
}

Response form_rejection(const SignInRejection& rejection, const SignInBody& body, const Context& context)
{
    const auto fault = rejection.retry_after_s > 0 ? SignInFault::too_often : SignInFault::wrong_password;
    auto page = sign_in_page(fault, body.next, provider_of(context));
    if (rejection.retry_after_s == 0) return page;
    page.status = 429;
    page.headers.add("Retry-After", std::to_string(rejection.retry_after_s));
    return page;
}

} // namespace

bool is_own_address(std::string_view text)
{
    return text.starts_with('/') && !text.starts_with("//") && std::ranges::all_of(text, [](char c) {
               return c > ' ' && c < '\x7f' && c != '\\' && c != '"' && c != '<';
           });
}

Response signed_in_redirect(const std::string& next)
{
    auto response = text_response(303, "text/plain; charset=utf-8", "Signed in.\n");
    response.headers.add("Location", next);
    response.headers.add("Cache-Control", "no-store");
    return response;
}

void add_session_cookie(Response& response, const CreatedSession& made, const Request& request,
                        const Context& context)
{
    const auto& name = request.https ? context.cookies.secure_session : context.cookies.session;
    const auto seconds = (made.session.expires - made.session.created) / 1'000'000;
    response.headers.add("Set-Cookie", cookie_field(name, made.secret, seconds, request.https));
}

void remove_cookies(Response& response, const Request& request, const Context& context)
{
    const auto& name = request.https ? context.cookies.secure_session : context.cookies.session;
    response.headers.add("Set-Cookie", cookie_field(name, "", 0, request.https));
    response.headers.add("Set-Cookie", cookie_field(context.cookies.token, "", 0, request.https));
}

HandlerResult create_session(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    auto body = is_form(request) ? read_form(request) : read_json(request);
    if (!body) return std::unexpected(body.error());
    body->attempt.address = request.client;
    body->attempt.agent = request.headers.find("User-Agent").value_or("");
    const auto made = context.services.accounts.sign_in(body->attempt);
    if (!made && is_form(request)) return form_rejection(made.error(), *body, context);
    if (!made) return std::unexpected(sign_in_problem(made.error().retry_after_s, 401));
    const auto& session = made->session;
    auto response = is_form(request) ? signed_in_redirect(body->next)
                                     : json_answer(201, to_json(session, session.id), "no-store");
    add_session_cookie(response, *made, request, context);
    return response;
}

HandlerResult list_sessions(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    json::array items;
    const auto& me = request.principal;
    if (const auto user = account_of(me); !user.empty())
        for (const auto& session : context.services.accounts.list_sessions(user))
            items.push_back(to_json(session, me.session));
    return json_answer(200, json::object{{"items", std::move(items)}});
}

// "current" also makes a browser forget the cookie of a token.
HandlerResult end_session(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto& me = request.principal;
    const bool is_user = me.kind == Principal::Kind::user;
    const bool is_current = request.param("id") == "current";
    const auto id = is_current ? me.session : request.param("id");
    if (is_user || !is_current) {
        const auto ended = context.services.accounts.end_session(id, account_of(me));
        if (!ended) return problem(ended.error());
    }
    Response response{.status = 204};
    if (!is_current && id != me.session) return response;
    remove_cookies(response, request, context);
    return response;
}

} // namespace vitrine::server
