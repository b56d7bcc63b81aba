#include <algorithm>

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "server/access/cookies.hpp"
#include "server/handlers/access/json_body.hpp"
#include "server/handlers/access/session_cookies.hpp"
#include "server/handlers/sign_on/sign_on_requests.hpp"
#include "server/handlers/sign_on/sign_on_routes.hpp"
#include "server/routing/context.hpp"
#include "server/routing/plain_page.hpp"
#include "server/routing/problems.hpp"
#include "server/services/oidc/single_sign_on.hpp"

namespace vitrine::server {
namespace {

// Bytes. Browsers keep cookies of 4 KiB: that of the sign-in has it in Base64, with 300 bytes more.
constexpr std::size_t max_next = 1500;

std::unexpected<api::Problem> no_provider()
{
    return problem(404, "no_provider", "This server has no identity provider.");
}

std::string redirect_address(const Request& request)
{
    return origin_of(request) + "/v1/oidc/callback";
}

std::string pending_cookie_name(const Request& request, const Context& context)
{
    return (request.https ? context.cookies.secure_session : context.cookies.session) + "_oidc";
}

// Empty: the browser has none of this name.
std::string find_cookie(const Request& request, std::string_view name)
{
    for (std::string_view rest = request.headers.find("Cookie").value_or(""); !rest.empty();) {
        const auto end = std::min(rest.find(';'), rest.size());
        const auto pair = without_blanks(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const auto equals = std::min(pair.find('='), pair.size());
        if (pair.substr(0, equals) == name)
            return std::string(pair.substr(std::min(equals + 1, pair.size())));
    }
    return {};
}

// Of a user whom this server does not let in, other than of a request that is wrong.
api::Problem sign_on_problem(const ServiceError& error)
{
    auto rejection = to_problem(error);
    if (error.code == "no_role" || error.code == "user_disabled") rejection.status = 403;
    return rejection;
}

// A page for a browser, which has been led here by the provider.
HandlerResult sign_on_failure(const Request& request, const ServiceError& error)
{
    const auto rejection = sign_on_problem(error);
    if (!accepts_html(request)) return std::unexpected(rejection);
    auto page =
        plain_page(rejection.status, "Not signed in",
                   fmt::format("<p class=\"error\" role=\"alert\">{}</p>\n<p><a class=\"button\" href=\"/\">"
                               "Back to the sign-in</a></p>\n",
                               escape_html(rejection.detail)));
    if (rejection.retry_after_s > 0) page.headers.add("Retry-After", std::to_string(rejection.retry_after_s));
    return page;
}

} // namespace

HandlerResult begin_sign_on(const Request& request, Context& context)
{
    if (!context.services.sign_on) return no_provider();
    const auto wanted = value_of(request.target.query, "next");
    const auto next = wanted.size() <= max_next && is_own_address(wanted) ? wanted : "/";
    const auto started = context.services.sign_on->begin(redirect_address(request), next);
    if (!started) return sign_on_failure(request, started.error());
    auto response = text_response(303, "text/plain; charset=utf-8", "Sign in at the identity provider.\n");
    response.headers.add("Location", started->location);
    response.headers.add("Cache-Control", "no-store");
    response.headers.add("Set-Cookie", cookie_field(pending_cookie_name(request, context), started->cookie,
                                                    max_sign_on_s, request.https));
    return response;
}

HandlerResult finish_sign_on(const Request& request, Context& context)
{
    if (!context.services.sign_on) return no_provider();
    const auto& query = request.target.query;
    const auto cookie = pending_cookie_name(request, context);
    const auto signed_on = context.services.sign_on->finish({.cookie = find_cookie(request, cookie),
                                                             .state = value_of(query, "state"),
                                                             .code = value_of(query, "code"),
                                                             .error = value_of(query, "error"),
                                                             .issuer = value_of(query, "iss"),
                                                             .redirect = redirect_address(request)});
    if (!signed_on) {
        context.services.audit.record_rejected("session.reject", "provider: " + signed_on.error().detail);
        return sign_on_failure(request, signed_on.error());
    }
    const auto agent = std::string(request.headers.find("User-Agent").value_or(""));
    const auto made =
        context.services.accounts.sign_on(signed_on->user, {request.client, agent, signed_on->sid});
    if (!made) return sign_on_failure(request, made.error());
    auto response = signed_in_redirect(is_own_address(signed_on->next) ? signed_on->next : "/");
    response.headers.add("Set-Cookie", cookie_field(cookie, "", 0, request.https));
    add_session_cookie(response, *made, request, context);
    return response;
}

// Every failure is 400, also while the keys of the provider cannot be read (OpenID Connect Back-Channel
// Logout 1.0, 2.8).
HandlerResult end_provider_sessions(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    auto& services = context.services;
    if (!services.sign_on) return no_provider();
    const auto form = read_form_body(request);
    if (!form) return oauth_error("invalid_request", "Send a form (application/x-www-form-urlencoded).");
    const auto logout = services.sign_on->read_logout(value_of(*form, "logout_token"));
    const auto ended = logout ? services.accounts.end_sessions(*logout, request.client)
                              : Result<void>(std::unexpected(logout.error()));
    if (!ended) {
        services.audit.record_rejected("session.reject", "logout: " + ended.error().detail);
        return oauth_error("invalid_request", ended.error().detail);
    }
    Response response{.status = 200};
    response.headers.add("Cache-Control", "no-store");
    return response;
}

// The session ends here also while the provider cannot be reached.
HandlerResult sign_out(const Request& request, Context& context)
{
    if (auto rejection = reject_parameters(request)) return std::unexpected(*rejection);
    const auto& me = request.principal;
    std::string address;
    if (me.kind == Principal::Kind::user) {
        const auto user = context.services.accounts.find_user(me.id);
        if (auto ended = context.services.accounts.end_session(me.session, me.id); !ended)
            return problem(ended.error());
        const auto& sign_on = context.services.sign_on;
        if (sign_on && user && user->issuer == sign_on->issuer())
            address = sign_on->sign_out_address(origin_of(request) + "/");
    }
    auto response =
        json_answer(200, boost::json::object{{"location", address.empty() ? "/" : address}}, "no-store");
    remove_cookies(response, request, context);
    return response;
}

} // namespace vitrine::server
