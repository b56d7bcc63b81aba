#include "server/routing/sign_in.hpp"

#include <string>
#include <string_view>

#include <spdlog/spdlog.h>

#include "server/net/url.hpp"
#include "server/routing/context.hpp"
#include "server/routing/plain_page.hpp"
#include "server/services/audit/audit_log.hpp"

namespace vitrine::server {
namespace {

bool is_navigation(const Request& request)
{
    const bool reads = request.method == Method::get || request.method == Method::head;
    const auto accepted = request.headers.find("Accept").value_or("");
    return reads && request.target.segments.front() != "v1" && accepted.find("text/html") != accepted.npos;
}

const std::string* find_token_parameter(const Request& request)
{
    for (const auto& [name, value] : request.target.query) {
        if (name == "token") return &value;
    }
    return nullptr;
}

// The address of the request without the token. Encoded anew, so that "//host" cannot become another host.
std::string address_without_token(const RequestTarget& target)
{
    std::string address;
    for (const auto& segment : target.segments) {
        if (!segment.empty()) address += "/" + percent_encode(segment);
    }
    if (address.empty()) address = "/";
    char separator = '?';
    for (const auto& [name, value] : target.query) {
        if (name == "token") continue;
        address += separator + percent_encode(name) + "=" + percent_encode(value);
        separator = '&';
    }
    return address;
}

constexpr std::string_view provider_link =
    R"(<p><a class="button" href="/v1/oidc/sign-in?next={next}">Sign in with {name}</a></p>
)";

// With {next}, the address where the form leads.
constexpr std::string_view password_form = R"(<form method="post" action="/v1/sessions">
<label for="name">Name</label>
<input id="name" name="name" autocomplete="username" maxlength="64" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="256" required>
<input name="next" type="hidden" value="{next}">
<button>Sign in</button>
</form>
)";

constexpr std::string_view token_form = R"(<form method="get" action="{action}">
<label for="token">Or an access token</label>
<input id="token" name="token" type="password" autocomplete="off" required>
<button>Use the token</button>
</form>
<p class="hint">The server printed a link with the token when it started. The token is also in the file
<code>token</code> of its data directory, unless it was set with <code>--token</code>.</p>
)";

std::string_view sentence_of(SignInFault fault)
{
    switch (fault) {
    case SignInFault::none: break;
    case SignInFault::wrong_token: return "This is no token of this server, or it has expired.";
    case SignInFault::wrong_password: return "The name or the password is wrong.";
    case SignInFault::too_often: return "Too many passwords were wrong. Try again later.";
    }
    return {};
}

std::string replaced(std::string_view text, std::string_view placeholder, std::string_view value)
{
    std::string out(text);
    out.replace(out.find(placeholder), placeholder.size(), value);
    return out;
}

} // namespace

Response sign_in_page(SignInFault fault, std::string_view next, const std::string* provider)
{
    std::string body = "<p>This server is not public.</p>\n";
    if (const auto sentence = sentence_of(fault); !sentence.empty())
        body.append(R"(<p class="error" role="alert">)").append(sentence).append("</p>\n");
    if (provider)
        body += replaced(replaced(provider_link, "{next}", percent_encode(next)), "{name}",
                         escape_html(*provider));
    body += replaced(password_form, "{next}", escape_html(next));
    body += replaced(token_form, "{action}", escape_html(next.substr(0, next.find('?'))));
    auto response = plain_page(401, "Sign in", body);
    response.headers.add("WWW-Authenticate",
                         "Bearer realm=\"Vitrine\""); // not Basic: browsers would ask as well
    return response;
}

std::optional<SignInAnswer> sign_in(const Guard& guard, const Request& request,
                                    const std::optional<api::Problem>& rejection, const std::string* provider)
{
    const bool is_only_unauthorized = !rejection || rejection->status == 401;
    if (!guard.requires_token() || !is_only_unauthorized || !is_navigation(request)) return std::nullopt;
    const std::string* token = find_token_parameter(request);
    if (auto principal = token ? guard.find_token(*token) : nullptr) {
        auto response = text_response(303, "text/plain; charset=utf-8", "Signed in.\n");
        response.headers.add("Location", address_without_token(request.target));
        response.headers.add("Set-Cookie", guard.session_cookie(request, *token));
        response.headers.add("Cache-Control", "no-store");
        return SignInAnswer{std::move(response), *principal};
    }
    if (!rejection) return std::nullopt;
    const auto fault = token ? SignInFault::wrong_token : SignInFault::none;
    return SignInAnswer{.response = sign_in_page(fault, address_without_token(request.target), provider),
                        .is_rejected = token != nullptr};
}

const std::string* provider_of(const Context& context)
{
    const auto& sign_on = context.services.sign_on;
    return sign_on ? &sign_on->name() : nullptr;
}

// On the catalog pool, because this thread must not wait. With a full queue the entry is lost, as when the
// database is away: whoever has a valid token is not kept out for that.
void record_sign_in(Context& context, const Request& request, const SignInAnswer& answer)
{
    if (!answer.principal && !answer.is_rejected) return;
    const auto work = [&audit = context.services.audit, is_rejected = answer.is_rejected,
                       principal = to_text(answer.principal.value_or(Principal{})),
                       address = request.client] {
        const AuditScope scope({principal, address});
        try {
            if (is_rejected)
                audit.record_rejected("session.reject", "token");
            else
                audit.record("session.create", "token");
        } catch (const std::exception& error) {
            spdlog::error("msg=\"a sign-in is not in the audit log\" error={:?}",
                          std::string_view(error.what()));
        }
    };
    if (!context.catalog_pool.post(work)) spdlog::error("msg=\"a sign-in is not in the audit log\"");
}

} // namespace vitrine::server
