#pragma once
// The table of access tokens. The database has their digests, not the tokens. Any thread, blocking. Throws
// StorageError.

#include <cstdint>
#include <string>
#include <vector>

#include "server/access/access_token.hpp"
#include "server/access/principal.hpp"
#include "server/util/clock.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

struct NewAccessToken {
    std::string name; // 1 to max_token_name bytes, without control characters; need not be unique
    Role role = Role::viewer;
    Micros expires = 0;       // 0: never
    std::string created_by{}; // to_text() of a principal
    // Id of the user for whom it stands: it ends with the user, and may do no more. Empty: none.
    std::string owner{};
};

struct AccessToken : NewAccessToken {
    std::string id{}; // "token_..."
    Micros created = 0;
    Micros last_used = 0; // late by minutes; 0: not yet
};

struct StoredAccessToken {
    AccessToken token;
    TokenDigest digest{}; // of the token
    TokenDigest cookie{}; // of its cookie_value_of()
    Role allowed{};       // its role, or the lower one of its owner; none: the owner is disabled
};

struct CreatedAccessToken {
    AccessToken token;
    std::string secret; // the token itself, which nobody can find again
};

inline constexpr std::size_t max_token_name = 100; // bytes
// Why a text cannot be the name of a token, as the end of a sentence; empty: it can.
std::string token_name_fault(std::string_view name);

class TokenTable {
public:
    static constexpr long long max_tokens = 1000; // unexpired ones
    static constexpr long long max_tokens_of_owner = 50;

    // `database` outlives the table.
    explicit TokenTable(DatabaseConnections& database) : database_(database) {}

    // Errors: conflict `too_many_tokens`. Removes tokens that have expired a month ago, and the oldest ones
    // of an owner who has too many.
    Result<CreatedAccessToken> create(NewAccessToken wanted) const;
    // Errors: not_found.
    Result<void> remove(const std::string& id) const;
    // The newest first.
    std::vector<StoredAccessToken> list() const;
    // Stores the time unless one is stored that is later. May be lost by a power failure.
    void record_use(const std::string& id, Micros used) const;

private:
    DatabaseConnections& database_;
};

} // namespace vitrine::server
