#pragma once
// The table of sessions: browsers in which users have signed in. The database has digests of their cookies.
// Any thread, blocking. Throws StorageError.

#include <string>
#include <vector>

#include "server/access/access_token.hpp"
#include "server/access/principal.hpp"
#include "server/util/clock.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

struct SessionTimes {
    Micros lifetime = 30ll * 24 * 3600 * 1'000'000; // after the sign-in
    Micros idle = 7ll * 24 * 3600 * 1'000'000;      // after the last request
};

struct UserSession {
    std::string id{}; // "session_..."
    std::string user{};
    Micros created = 0;
    Micros last_used = 0; // late by minutes
    Micros expires = 0;
    std::string address{}; // of the client that has signed in
    std::string agent{};   // its field User-Agent, at most max_agent bytes
};

inline constexpr std::size_t max_agent = 200;

struct NewSession {
    std::string user{}; // id
    std::string password_hash{};
    std::string address{}, agent{};
    std::string sid{}; // of the session at the identity provider, as its ID token names it; empty: none
};

// What a valid logout token of an identity provider says (OpenID Connect Back-Channel Logout 1.0, 2.4). One
// of `subject` and `sid` is not empty.
struct ProviderLogout {
    std::string issuer{};
    std::string subject{}, sid{}; // with a sid: this session of the provider, otherwise all of the subject
    std::string token_id{};       // jti
    Micros expires = 0;           // after which the token is invalid by itself
};

struct CreatedSession {
    UserSession session;
    std::string secret; // the value of the cookie, which nobody can find again
};

// A session as requests need it.
struct ActiveSession {
    UserSession session;
    TokenDigest digest{};
    std::string user_name;
    Role role = Role::none;
};

class SessionTable {
public:
    static constexpr long long max_sessions = 50; // of one user; a further one ends the oldest

    // `database` outlives the table.
    SessionTable(DatabaseConnections& database, const SessionTimes& times)
        : database_(database), times_(times)
    {
    }

    // Removes sessions that have ended. Errors: not_found `no_user`: the user was removed or disabled, or has
    // another password, since `password_hash` was read.
    Result<CreatedSession> create(const NewSession& wanted) const;
    // Errors: not_found `no_session`: the user has no such session.
    Result<void> remove(const std::string& id, const std::string& user) const;
    // Returns how many sessions have ended. Errors: invalid `logout_token_used`: by any process before.
    Result<std::size_t> end(const ProviderLogout& logout) const;
    // Those of the user that have not ended, the newest first.
    std::vector<UserSession> list(const std::string& user) const;
    // Those that have not ended, of all users.
    std::vector<ActiveSession> list_active() const;
    // Stores the time unless one is stored that is later. May be lost by a power failure.
    void record_use(const std::string& id, Micros used) const;
    const SessionTimes& times() const { return times_; }

private:
    DatabaseConnections& database_;
    const SessionTimes times_;
};

} // namespace vitrine::server
