// The page where a person approves a program that asks for a token.

#include <algorithm>

#include <fmt/format.h>

#include "server/handlers/sign_on/sign_on_requests.hpp"
#include "server/handlers/sign_on/sign_on_routes.hpp"
#include "server/routing/context.hpp"
#include "server/routing/plain_page.hpp"
#include "server/routing/problems.hpp"

namespace vitrine::server {
namespace {

constexpr std::string_view code_form = R"(<p>Enter the code that the program shows.</p>
{}<form method="get" action="/device">
<label for="code">Code</label>
<input id="code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus>
<button>Continue</button>
</form>
)";

constexpr std::string_view decision_form =
    R"(<p><strong>{client}</strong> at the address <strong>{address}</strong> asks for access to this server.</p>
<p>It may then do what the role <strong>{role}</strong> allows, for 90 days, as {me}.</p>
<p>Code: <strong>{code}</strong></p>
<p class="hint">Approve only what you have started yourself: whoever has started it gets the access.</p>
<form method="post" action="/device">
<input name="user_code" type="hidden" value="{code}">
<button name="decision" value="approve">Approve</button>
<button class="quiet" name="decision" value="deny">Deny</button>
</form>
)";

// Tokens come from users, who can lose their access, and from admins, who can make tokens anyway.
bool may_approve(const Principal& me)
{
    return me.kind == Principal::Kind::user || me.role == Role::admin;
}

std::unexpected<api::Problem> user_required()
{
    return problem(403, "user_required", "Only a user who has signed in can approve this.");
}

Response form_page(int status, std::string_view fault)
{
    const auto alert = fault.empty() ? "" : fmt::format("<p class=\"error\" role=\"alert\">{}</p>\n", fault);
    return plain_page(status, "Approve a program", fmt::format(code_form, alert));
}

// `wait`: as of DeviceGrants::find_waiting.
Response rejected_code(unsigned wait)
{
    if (wait == 0) return form_page(404, "This code does not exist or has expired.");
    auto page = form_page(429, "Too many codes were wrong. Try again later.");
    page.headers.add("Retry-After", std::to_string(wait));
    return page;
}

Response decision_page(const DeviceGrant& grant, const Principal& me)
{
    const auto role = std::min(grant.role, me.role);
    return plain_page(200, "Approve a program",
                      fmt::format(decision_form, fmt::arg("client", escape_html(grant.client)),
                                  fmt::arg("address", escape_html(grant.address)),
                                  fmt::arg("role", to_word(role)), fmt::arg("me", escape_html(me.name)),
                                  fmt::arg("code", grant.user_code)));
}

} // namespace

HandlerResult get_device_page(const Request& request, Context& context)
{
    const auto& me = request.principal;
    if (!may_approve(me)) return user_required();
    const auto code = value_of(request.target.query, "user_code");
    if (code.empty()) return form_page(200, "");
    const auto grant = context.services.device_grants.find_waiting(code, to_text(me), request.client);
    if (!grant) return rejected_code(grant.error());
    return decision_page(*grant, me);
}

// The guard has checked that the form is one of this server.
HandlerResult decide_device(const Request& request, Context& context)
{
    const auto& me = request.principal;
    if (!may_approve(me)) return user_required();
    const auto form = read_form_body(request).value_or(Query{});
    const auto decision = value_of(form, "decision");
    const bool is_approved = decision == "approve";
    if (!is_approved && decision != "deny")
        return problem(400, "bad_body", "The member decision must be approve or deny.");
    auto& grants = context.services.device_grants;
    const auto grant = grants.find_waiting(value_of(form, "user_code"), to_text(me), request.client);
    if (!grant) return rejected_code(grant.error());
    std::optional<DeviceApproval> approval;
    if (is_approved)
        approval = DeviceApproval{
            .owner = me.kind == Principal::Kind::user ? me.id : "", .by = to_text(me), .role = me.role};
    if (!grants.decide(grant->user_code, approval)) return rejected_code(0);
    return plain_page(
        200, is_approved ? "Approved" : "Denied",
        fmt::format("<p role=\"status\">{} You can close this page.</p>\n",
                    is_approved ? "The program has access now." : "The program gets no access."));
}

} // namespace vitrine::server
