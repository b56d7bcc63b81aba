#pragma once
// The table of users. The database has hashes of their passwords. Any thread, blocking. Throws StorageError.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/access/principal.hpp"
#include "server/util/clock.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

struct NewUser {
    std::string name;           // unique; cases of ASCII letters are not distinguished
    std::string display_name{}; // may be empty
    Role role = Role::viewer;
    bool is_disabled = false;
    std::string password_hash{}; // of hash_password(); empty: cannot sign in with a password
    std::string created_by{};    // to_text() of a principal
    // Of a user of an identity provider, who has no other way to sign in without a password. Empty: none.
    std::string issuer{}, subject{};
    std::string email{}; // as the provider has told it; shown only
    // Bytes of the files that the user has uploaded; empty: as of all users.
    std::optional<std::uint64_t> quota{};
};

struct User : NewUser {
    std::string id{}; // "user_..."
    Micros created = 0;
    Micros updated = 0;
};

struct UserChange {
    std::optional<std::string> name{}, display_name{};
    std::optional<Role> role{};
    std::optional<bool> is_disabled{};
    std::optional<std::string> password_hash{};
    std::optional<std::optional<std::uint64_t>> quota{};
    std::string kept_session{}; // id of a session that a new password does not end
};

// A user as an identity provider describes one who has signed in there. Texts of any length and content.
struct ExternalUser {
    std::string issuer, subject; // together the key
    std::string name;            // for a new user; another one may have it
    std::string display_name, email;
    Role role = Role::none;            // none: no access
    std::vector<std::string> groups{}; // those that grants may name are kept
};

inline constexpr std::size_t max_user_name = 64;     // bytes
inline constexpr std::size_t max_display_name = 100; // bytes
// Why a text cannot be such a name, as the end of a sentence; empty: it can.
std::string user_name_fault(std::string_view name);
std::string display_name_fault(std::string_view name);
// The same for the name of a group of an identity provider.
inline constexpr std::size_t max_group_name = 255; // bytes
std::string group_name_fault(std::string_view name);

class UserTable {
public:
    static constexpr long long max_users = 10'000;
    static constexpr std::size_t max_groups = 1'000; // of a user; further ones are not kept

    // `database` outlives the table.
    explicit UserTable(DatabaseConnections& database) : database_(database) {}

    // Errors: conflict `name_in_use`, `too_many_users`.
    Result<User> create(NewUser wanted) const;
    // A new password and `is_disabled` end the user's sessions. Errors: not_found `no_user`, conflict
    // `name_in_use`.
    Result<User> change(const std::string& id, const UserChange& change) const;
    // With the sessions, and with the tokens and share links that the user has made. Errors: not_found
    // `no_user`.
    Result<void> remove(const std::string& id) const;
    // Makes or changes the user of the provider, with the groups. Errors: invalid `no_role`, also ends the
    // user's sessions;
    // `user_disabled`; conflict `too_many_users`.
    Result<User> sign_on(const ExternalUser& external) const;
    std::optional<User> find(const std::string& id) const;
    std::optional<User> find_by_name(std::string_view name) const;
    // By name.
    std::vector<User> list() const;

private:
    DatabaseConnections& database_;
};

} // namespace vitrine::server
