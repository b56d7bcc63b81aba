// What a browser does with a share link: a form if it has a password, then a cookie and the shared page.

#include <algorithm>

#include <boost/json/value.hpp>

#include "server/handlers/access/json_body.hpp"
#include "server/handlers/sharing/sharing_routes.hpp"
#include "server/net/url.hpp"
#include "server/routing/context.hpp"
#include "server/routing/plain_page.hpp"
#include "server/routing/problems.hpp"
#include "server/services/services.hpp"

namespace vitrine::server {
namespace {

constexpr std::int64_t max_cookie_age_s = 30ll * 24 * 3600;

constexpr std::string_view link_password_form = R"(<form method="post">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="off" maxlength="256" required autofocus>
<button>Open</button>
</form>
)";

bool is_link_form(const Request& request)
{
    return request.headers.find("Content-Type").value_or("").starts_with("application/x-www-form-urlencoded");
}

Response no_such_link()
{
    return plain_page(404, "No such link", "<p>This link does not exist, was revoked or has expired.</p>\n");
}

Response password_page(int status, std::string_view fault)
{
    std::string body = "<p>This link has a password.</p>\n";
    if (!fault.empty()) body.append(R"(<p class="error" role="alert">)").append(fault).append("</p>\n");
    return plain_page(status, "Shared", body.append(link_password_form));
}

std::string page_of(const LinkScope& scope)
{
    if (!scope.collection.empty()) return "/"; // the library, which is restricted to the collection
    auto page = "/assets/" + percent_encode(scope.asset);
    if (!scope.shown.empty()) page += "?" + scope.shown;
    return page;
}

// Lets the browser in.
void add_link_cookie(Response& response, const Request& request, const ShareLink& link, Context& context)
{
    const auto left_s = link.expires == 0 ? max_cookie_age_s : (link.expires - now()) / 1'000'000;
    const auto& name = request.https ? context.cookies.secure_link : context.cookies.link;
    const auto value = link_cookie_value(request.param("secret"), link.password_hash);
    response.headers.add(
        "Set-Cookie",
        cookie_field(name, value, std::clamp<std::int64_t>(left_s, 1, max_cookie_age_s), request.https));
}

Response opened(const Request& request, const ShareLink& link, Context& context)
{
    auto response = text_response(303, "text/plain; charset=utf-8", "Opened.\n");
    response.headers.add("Location", page_of(link.scope));
    response.headers.add("Cache-Control", "no-store");
    add_link_cookie(response, request, link, context);
    return response;
}

std::string read_form_password(std::string_view body)
{
    std::string password;
    while (!body.empty()) {
        const auto end = std::min(body.find('&'), body.size());
        const auto pair = body.substr(0, end);
        body.remove_prefix(std::min(end + 1, body.size()));
        if (pair.starts_with("password="))
            password = percent_decode(pair.substr(pair.find('=') + 1), true).value_or("");
    }
    return password.substr(0, max_password);
}

std::expected<std::string, api::Problem> read_link_password(const Request& request)
{
    if (is_link_form(request)) return read_form_password(request.body);
    std::string password;
    const auto read =
        read_members(request, "password", {"password"}, [&](auto key, const boost::json::value& value) {
            if (key != "password") return std::string("is no member of a password");
            if (!value.is_string() || value.as_string().size() > max_password)
                return std::string("must be a string of at most 256 bytes");
            password = value.as_string();
            return std::string();
        });
    if (!read) return std::unexpected(read.error());
    return password;
}

Response password_rejection(unsigned retry_after_s)
{
    if (retry_after_s == 0) return password_page(401, "The password is wrong.");
    auto page = password_page(429, "Too many passwords were wrong. Try again later.");
    page.headers.add("Retry-After", std::to_string(retry_after_s));
    return page;
}

} // namespace

HandlerResult open_share_link(const Request& request, Context& context)
{
    const auto link = context.services.tokens.find_share_link(request.param("secret"));
    if (!link) return no_such_link();
    if (!link->password_hash.empty()) return password_page(200, "");
    if (request.method == Method::get) context.services.tokens.links().record_opening(link->id);
    return opened(request, *link, context);
}

HandlerResult unlock_share_link(const Request& request, Context& context)
{
    const auto password = read_link_password(request);
    if (!password) return std::unexpected(password.error());
    const auto link = context.services.tokens.find_share_link(request.param("secret"));
    if (!link) return no_such_link();
    if (!link->password_hash.empty()) {
        const auto checked = context.services.accounts.check_link(*link, *password, request.client);
        const auto wait_s = checked ? 0 : checked.error().retry_after_s;
        if (!checked && is_link_form(request)) return password_rejection(wait_s);
        if (!checked) return std::unexpected(sign_in_problem(wait_s, 401));
    }
    context.services.tokens.links().record_opening(link->id);
    if (is_link_form(request)) return opened(request, *link, context);
    Response response{.status = 204};
    response.headers.add("Cache-Control", "no-store");
    add_link_cookie(response, request, *link, context);
    return response;
}

} // namespace vitrine::server
