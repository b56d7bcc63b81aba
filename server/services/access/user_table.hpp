#pragma once
// The table of users. The database has hashes of their passwords. Any thread, blocking. Throws StorageError.

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
    std::string kept_session{}; // id of a session that a new password does not end
};

inline constexpr std::size_t max_user_name = 64;     // bytes
inline constexpr std::size_t max_display_name = 100; // bytes
// Why a text cannot be such a name, as the end of a sentence; empty: it can.
std::string user_name_fault(std::string_view name);
std::string display_name_fault(std::string_view name);

class UserTable {
public:
    static constexpr long long max_users = 10'000;

    // `database` outlives the table.
    explicit UserTable(DatabaseConnections& database) : database_(database) {}

    // Errors: conflict `name_in_use`, `too_many_users`.
    Result<User> create(NewUser wanted) const;
    // A new password and `is_disabled` end the user's sessions. Errors: not_found `no_user`, conflict
    // `name_in_use`.
    Result<User> change(const std::string& id, const UserChange& change) const;
    // With the sessions. Errors: not_found `no_user`.
    Result<void> remove(const std::string& id) const;
    std::optional<User> find(const std::string& id) const;
    std::optional<User> find_by_name(std::string_view name) const;
    // By name.
    std::vector<User> list() const;

private:
    DatabaseConnections& database_;
};

} // namespace vitrine::server
