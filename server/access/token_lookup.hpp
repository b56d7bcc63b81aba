#pragma once
// Finds the principals of tokens and sessions. Any thread; must not wait.

#include <optional>

#include "server/access/access_token.hpp"
#include "server/access/principal.hpp"

namespace vitrine::server {

class TokenLookup {
public:
    virtual ~TokenLookup() = default;
    // Empty: there is no such token, or it has expired.
    virtual std::optional<Principal> find_token(const TokenDigest& digest) const = 0;
    // By cookie_value_of() the token.
    virtual std::optional<Principal> find_cookie(const TokenDigest& digest) const = 0;
    // By the cookie of the session of a user. Empty: there is none, or it has ended.
    virtual std::optional<Principal> find_session(const TokenDigest& digest) const = 0;
};

} // namespace vitrine::server
