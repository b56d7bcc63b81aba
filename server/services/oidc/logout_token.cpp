#include "server/services/oidc/logout_token.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::string_view logout_event = "http://schemas.openid.net/event/backchannel-logout";

bool is_logout_event(const json::object& claims)
{
    const auto* events = claims.if_contains("events");
    const auto* event =
        events && events->is_object() ? events->as_object().if_contains(logout_event) : nullptr;
    return event && event->is_object();
}

// Absent, or a text that is not empty.
bool is_text_if_present(const json::object& claims, std::string_view name)
{
    return !claims.contains(name) || !text_of(claims, name).empty();
}

} // namespace

std::string logout_claims_fault(const json::object& claims, const ExpectedClaims& expected)
{
    if (auto fault = issuance_fault(claims, expected); !fault.empty()) return fault;
    if (!is_text_if_present(claims, "sub") || !is_text_if_present(claims, "sid"))
        return "has an empty subject or session (sub, sid)";
    if (!claims.contains("sub") && !claims.contains("sid"))
        return "names no subject and no session (sub, sid)";
    if (!is_logout_event(claims)) return "is not of a logout (events)";
    if (claims.contains("nonce")) return "is of a sign-in (nonce)";
    if (text_of(claims, "jti").empty()) return "has no identifier (jti)";
    return {};
}

ProviderLogout logout_of(const json::object& claims)
{
    const auto expires_s = claims.at("exp").to_number<double>();
    return {.issuer = text_of(claims, "iss"),
            .subject = text_of(claims, "sub"),
            .sid = text_of(claims, "sid"),
            .token_id = text_of(claims, "jti"),
            .expires = (static_cast<Micros>(expires_s) + clock_skew_s) * 1'000'000};
}

} // namespace vitrine::server
