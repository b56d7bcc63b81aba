#pragma once
// Users and their sessions, as requests use them: each change holds in this process when a function returns,
// and in others within a second (access_tokens.hpp). Any thread, blocking, up to a second where a password is
// hashed. Throws StorageError.

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "server/access/password.hpp"
#include "server/services/access/access_tokens.hpp"
#include "server/services/access/session_table.hpp"
#include "server/services/access/sign_in_throttle.hpp"
#include "server/services/access/user_table.hpp"

namespace vitrine::server {

class AuditLog; // server/services/audit/audit_log.hpp

// What somebody shows who wants to sign in.
struct SignInAttempt {
    std::string name, password;
    std::string address; // as Request::client
    std::string agent;   // User-Agent
};

// The browser of somebody whom an identity provider has signed in.
struct SignOnClient {
    std::string address; // as Request::client
    std::string agent{}; // User-Agent
    std::string sid{};   // as NewSession's
};

struct SignInRejection {
    unsigned retry_after_s = 0; // 0: the name or the password is wrong, or the user is disabled
};

class Accounts {
public:
    // All outlive it.
    Accounts(DatabaseConnections& database, AccessTokens& tokens, AuditLog& audit, const PasswordCost& cost)
        : users_(database), tokens_(tokens), audit_(audit), throttle_(database, "password"), cost_(cost)
    {
    }

    // `password`: empty: the user cannot sign in with one. Otherwise as UserTable's.
    Result<User> create_user(NewUser wanted, const std::optional<std::string>& password);
    Result<User> change_user(const std::string& id, UserChange change,
                             const std::optional<std::string>& password);
    Result<void> remove_user(const std::string& id);
    std::optional<User> find_user(const std::string& id) const { return users_.find(id); }
    std::vector<User> list_users() const { return users_.list(); }

    // Takes the same time for names that do not exist.
    std::expected<CreatedSession, SignInRejection> sign_in(const SignInAttempt& attempt);
    // Of a user of an identity provider. Errors: as UserTable::sign_on's.
    Result<CreatedSession> sign_on(const ExternalUser& external, const SignOnClient& client);
    // Those that have ended at the identity provider; `address`: of the request of the provider. Errors: as
    // SessionTable::end()'s.
    Result<void> end_sessions(const ProviderLogout& logout, const std::string& address);
    // Whether the password is that of the user; as a sign-in, it is slowed and recorded.
    std::expected<void, SignInRejection> check_password(const std::string& user, const std::string& password,
                                                        const std::string& address);
    // Whether the password is that of the share link; as a sign-in, it is slowed and recorded.
    std::expected<void, SignInRejection> check_link(const ShareLink& link, const std::string& password,
                                                    const std::string& address);
    std::string hash(const std::string& password) const { return hash_password(password, cost_); }
    Result<void> end_session(const std::string& id, const std::string& user);
    std::vector<UserSession> list_sessions(const std::string& user) const;

private:
    std::expected<void, SignInRejection> check(const SignInAttempt& attempt, const std::optional<User>& user);

    UserTable users_;
    AccessTokens& tokens_;
    AuditLog& audit_;
    SignInThrottle throttle_;
    const PasswordCost cost_;
};

} // namespace vitrine::server
