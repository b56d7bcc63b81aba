#include "server/services/oidc/single_sign_on.hpp"

#include <algorithm>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "loaders/io/base64.hpp"
#include "server/access/access_token.hpp"
#include "server/http_client/http_client.hpp"
#include "server/services/oidc/logout_token.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

std::unexpected<ServiceError> sign_in_failed(std::string detail)
{
    return make_error(Errc::invalid, "sign_in_failed", std::move(detail));
}

std::string with_query(const std::string& url, const std::string& query)
{
    return url + (url.find('?') == url.npos ? '?' : '&') + query;
}

std::string challenge_of(const std::string& verifier)
{
    const auto digest = digest_of(verifier);
    return encode_base64url({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

// A code such as "access_denied" (RFC 6749, 4.1.2.1), which may be shown.
std::string printable_code(std::string_view code)
{
    constexpr std::size_t max_code_bytes = 40;
    const bool is_code = !code.empty() && code.size() <= max_code_bytes &&
                         std::ranges::all_of(code, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
    return is_code ? std::string(code) : "an error without a known code";
}

// Of the first claim with a text: a name that a person recognizes.
std::string first_text(const json::object& claims, std::initializer_list<std::string_view> names)
{
    for (const auto name : names)
        if (auto text = text_of(claims, name); !text.empty()) return text;
    return {};
}

bool is_true(const json::object& claims, std::string_view name)
{
    const auto* value = claims.if_contains(name);
    return value && value->is_bool() && value->as_bool();
}

} // namespace

// What the cookie holds.
struct SingleSignOn::Pending {
    std::string state, nonce, verifier, next;
};

Result<SignOnStart> SingleSignOn::begin(const std::string& redirect, const std::string& next)
{
    const auto endpoints = documents_.endpoints();
    if (!endpoints) return std::unexpected(endpoints.error());
    const auto state = make_access_token(""), nonce = make_access_token(""), verifier = make_access_token("");
    const auto content = json::serialize(json::object{{"state", state},
                                                      {"nonce", nonce},
                                                      {"verifier", verifier},
                                                      {"next", next},
                                                      {"expires", now() / 1'000'000 + max_sign_on_s}});
    const auto query = encode_form({{"response_type", "code"},
                                    {"client_id", settings_.client_id},
                                    {"redirect_uri", redirect},
                                    {"scope", settings_.scopes},
                                    {"state", state},
                                    {"nonce", nonce},
                                    {"code_challenge", challenge_of(verifier)},
                                    {"code_challenge_method", "S256"}});
    return SignOnStart{with_query(endpoints->authorization, query),
                       encode_base64url(content) + "." + derive_from_token(settings_.state_key, content)};
}

Result<SingleSignOn::Pending> SingleSignOn::read_cookie(const std::string& cookie) const
{
    const auto rejected = [] {
        return sign_in_failed("This sign-in was not begun in this browser, or more than ten minutes ago.");
    };
    const auto dot = std::min(cookie.find('.'), cookie.size());
    const auto content = decode_base64url(std::string_view(cookie).substr(0, dot));
    if (!content || dot == cookie.size()) return rejected();
    const auto expected = derive_from_token(settings_.state_key, *content);
    if (!constant_time_equal(digest_of(expected), digest_of(cookie.substr(dot + 1)))) return rejected();
    const auto value = json::parse(*content).as_object(); // as begin() has written it
    if (value.at("expires").to_number<std::int64_t>() <= now() / 1'000'000) return rejected();
    return Pending{text_of(value, "state"), text_of(value, "nonce"), text_of(value, "verifier"),
                   text_of(value, "next")};
}

Result<json::object> SingleSignOn::exchange(const SignOnReturn& returned, const std::string& verifier,
                                            const ProviderEndpoints& endpoints) const
{
    HttpCall call{.url = endpoints.token, .ca_file = settings_.ca_file};
    call.headers = {"Accept: application/json", "Content-Type: application/x-www-form-urlencoded"};
    auto form = encode_form({{"grant_type", "authorization_code"},
                             {"code", returned.code},
                             {"redirect_uri", returned.redirect},
                             {"code_verifier", verifier}});
    if (!settings_.client_secret.empty() && endpoints.takes_basic) {
        // "ID=&SECRET=", both escaped as in forms (RFC 6749, 2.3.1).
        auto id = encode_form({{settings_.client_id, ""}}),
             secret = encode_form({{settings_.client_secret, ""}});
        id.pop_back();
        secret.pop_back();
        call.headers.push_back("Authorization: Basic " + io::encode_base64(id + ":" + secret));
    } else {
        form += "&" + encode_form({{"client_id", settings_.client_id}});
        if (!settings_.client_secret.empty())
            form += "&" + encode_form({{"client_secret", settings_.client_secret}});
    }
    call.body = std::move(form);
    const auto answer = send_call(call);
    boost::system::error_code error;
    auto value = answer.status > 0 && answer.status < 500 ? json::parse(answer.body, error) : json::value();
    if (error || !value.is_object())
        return provider_unavailable(endpoints.token, answer.failure.empty()
                                                         ? fmt::format("status {}", answer.status)
                                                         : answer.failure);
    if (answer.status == 200) return std::move(value.as_object());
    return sign_in_failed(fmt::format("The identity provider has rejected the code of this sign-in: {}.",
                                      printable_code(text_of(value.as_object(), "error"))));
}

Result<SignedToken> SingleSignOn::verify_signed(const std::string& text, std::string_view name)
{
    auto token = parse_signed_token(text);
    if (!token)
        return sign_in_failed(fmt::format("The {} of the identity provider {}.", name, token.error()));
    const auto keys = documents_.keys_for_token(*token);
    if (!keys) return std::unexpected(keys.error());
    const bool is_signed = std::ranges::any_of(*keys, [&token](const JsonWebKey& key) {
        return verify_signature(key, token->algorithm, token->text, token->signature);
    });
    if (!is_signed)
        return sign_in_failed(fmt::format("The {} of the identity provider has a wrong signature.", name));
    return std::move(*token);
}

Result<json::object> SingleSignOn::verify(const std::string& id_token, const std::string& nonce)
{
    auto token = verify_signed(id_token, "ID token");
    if (!token) return std::unexpected(token.error());
    const auto fault = claims_fault(token->claims, {settings_.issuer, settings_.client_id, nonce, now()});
    if (!fault.empty())
        return sign_in_failed(fmt::format("The ID token of the identity provider {}.", fault));
    return std::move(token->claims);
}

// Some providers have groups and names only there. Claims of the ID token come before these.
Result<void> SingleSignOn::add_user_info(json::object& claims, const std::string& access_token,
                                         const ProviderEndpoints& endpoints) const
{
    const bool is_whole = !strings_of(claims, settings_.groups_claim).empty() &&
                          !first_text(claims, {"preferred_username", "email"}).empty();
    if (is_whole || endpoints.user_info.empty() || access_token.empty()) return {};
    const auto answer =
        send_call({.url = endpoints.user_info,
                   .headers = {"Accept: application/json", "Authorization: Bearer " + access_token},
                   .ca_file = settings_.ca_file});
    boost::system::error_code error;
    auto value = answer.status == 200 ? json::parse(answer.body, error) : json::value();
    if (error || !value.is_object())
        return provider_unavailable(endpoints.user_info, answer.failure.empty()
                                                             ? fmt::format("status {}", answer.status)
                                                             : answer.failure);
    if (text_of(value.as_object(), "sub") != text_of(claims, "sub"))
        return sign_in_failed("The identity provider has described another user than that of its ID token.");
    for (auto& [name, member] : value.as_object())
        if (!claims.contains(name)) claims[name] = std::move(member);
    return {};
}

// An address that its owner has not confirmed is anybody's.
std::vector<std::string> SingleSignOn::groups_of(const json::object& claims) const
{
    if (settings_.groups_claim == "email" && !is_true(claims, "email_verified")) return {};
    return strings_of(claims, settings_.groups_claim);
}

Role SingleSignOn::role_of(const json::object& claims) const
{
    auto role = settings_.default_role;
    for (const auto& group : groups_of(claims))
        for (const auto& [name, granted] : settings_.roles)
            if (group == name) role = std::max(role, granted);
    return role;
}

Result<SignedOn> SingleSignOn::finish(const SignOnReturn& returned)
{
    auto pending = read_cookie(returned.cookie);
    if (!pending) return std::unexpected(pending.error());
    if (!constant_time_equal(digest_of(pending->state), digest_of(returned.state)))
        return sign_in_failed("This sign-in is not the last one that was begun in this browser (state).");
    const auto endpoints = documents_.endpoints();
    if (!endpoints) return std::unexpected(endpoints.error());
    const bool names_issuer = endpoints->sends_issuer || !returned.issuer.empty();
    if (names_issuer && returned.issuer != settings_.issuer)
        return sign_in_failed("The response is of another identity provider (iss).");
    if (!returned.error.empty() || returned.code.empty())
        return sign_in_failed(fmt::format("The identity provider has not signed in a user: {}.",
                                          printable_code(returned.error)));
    const auto tokens = exchange(returned, pending->verifier, *endpoints);
    if (!tokens) return std::unexpected(tokens.error());
    auto claims = verify(text_of(*tokens, "id_token"), pending->nonce);
    if (!claims) return std::unexpected(claims.error());
    auto sid = text_of(*claims, "sid"); // not from the user info, which is not about a session
    if (auto added = add_user_info(*claims, text_of(*tokens, "access_token"), *endpoints); !added)
        return std::unexpected(added.error());
    return SignedOn{{.issuer = settings_.issuer,
                     .subject = text_of(*claims, "sub"),
                     .name = first_text(*claims, {"preferred_username", "email", "sub"}),
                     .display_name = first_text(*claims, {"name", "preferred_username"}),
                     .email = text_of(*claims, "email"),
                     .role = role_of(*claims),
                     .groups = groups_of(*claims)},
                    std::move(pending->next),
                    std::move(sid)};
}

Result<ProviderLogout> SingleSignOn::read_logout(const std::string& token)
{
    const auto rejected = [](std::string detail) {
        return make_error(Errc::invalid, "bad_logout_token", std::move(detail));
    };
    auto verified = verify_signed(token, "logout token");
    if (!verified && verified.error().kind == Errc::invalid) return rejected(verified.error().detail);
    if (!verified) return std::unexpected(verified.error());
    const auto& claims = verified->claims;
    const auto fault = logout_claims_fault(claims, {settings_.issuer, settings_.client_id, {}, now()});
    if (!fault.empty()) return rejected(fmt::format("The logout token of the identity provider {}.", fault));
    return logout_of(claims);
}

std::string SingleSignOn::sign_out_address(const std::string& back)
{
    const auto endpoints = documents_.endpoints();
    if (!endpoints || endpoints->end_session.empty()) return {};
    return with_query(endpoints->end_session,
                      encode_form({{"client_id", settings_.client_id}, {"post_logout_redirect_uri", back}}));
}

} // namespace vitrine::server
