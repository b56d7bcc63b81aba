#pragma once
// ID tokens (OpenID Connect Core 1.0, 2 and 3.1.3.7). Pure functions; the signature is verified by
// json_web_key.hpp. Reasons are for people, without parts of the token.

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "server/services/oidc/json_web_key.hpp"
#include "server/util/clock.hpp"

namespace vitrine::server {

// A signed token in its compact form (RFC 7515, 7.1). Nothing of it is trusted before its signature is.
struct SignedToken {
    SignatureAlgorithm algorithm{};
    std::string key_id{}; // "kid"; empty: none
    boost::json::object claims{};
    std::string_view text; // that is signed, a part of the token
    std::string signature{};
};

inline constexpr std::size_t max_id_token = 64 << 10; // bytes

std::expected<SignedToken, std::string> parse_signed_token(std::string_view token);
// The keys of the provider that may have signed the token.
std::vector<JsonWebKey> keys_for(const SignedToken& token, const std::vector<JsonWebKey>& keys);

struct ExpectedClaims {
    std::string issuer, client_id, nonce;
    Micros time = 0; // now
};
inline constexpr std::int64_t clock_skew_s = 60; // between this server and the provider

// Why a token with these claims was not issued by this provider for this client, or is not valid now, as the
// end of a sentence; empty: it was. Also of tokens that are no ID tokens; `nonce` is not looked at.
std::string issuance_fault(const boost::json::object& claims, const ExpectedClaims& expected);
// Why the claims are not those of a sign-in that has just ended here, as the end of a sentence; empty: they
// are.
std::string claims_fault(const boost::json::object& claims, const ExpectedClaims& expected);

// The strings of a claim that is a string or an array of strings. `name`: of a member, or names with dots
// between them of members in members ("realm_access.roles").
std::vector<std::string> strings_of(const boost::json::object& claims, std::string_view name);
std::string text_of(const boost::json::object& claims, std::string_view name); // empty: no string

} // namespace vitrine::server
