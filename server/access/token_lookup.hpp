#pragma once
// Finds the principals of tokens and sessions. Any thread; must not wait.

#include <optional>

#include "server/access/access_token.hpp"
#include "server/access/principal.hpp"

namespace vitrine::server {

class TokenLookup {
public:
    virtual ~TokenLookup() = default;
    // Null: there is no such token, or it has expired.
    virtual SharedPrincipal find_token(const TokenDigest& digest) const = 0;
    // By cookie_value_of() the token.
    virtual SharedPrincipal find_cookie(const TokenDigest& digest) const = 0;
    // By the cookie of the session of a user. Null: there is none, or it has ended.
    virtual SharedPrincipal find_session(const TokenDigest& digest) const = 0;
    // By the secret of a share link without a password. Null: there is none, or it has expired.
    virtual SharedPrincipal find_link(const TokenDigest& digest) const = 0;
    // By what a browser keeps of a share link.
    virtual SharedPrincipal find_link_cookie(const TokenDigest& digest) const = 0;
    // The secret of a key that signs URLs. Empty: there is none.
    virtual std::optional<std::string> find_url_key(std::string_view id) const = 0;
};

} // namespace vitrine::server
