#pragma once
// The table of grants: roles of users for collections. Any thread, blocking. Throws StorageError.

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/access/principal.hpp"
#include "server/util/clock.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

struct UserGrant {
    std::string user{}; // id
    std::string user_name{}, display_name{};
    Role role = Role::viewer;
    Micros created = 0;
    std::string created_by{}; // to_text() of a principal
};

struct NewUserGrant {
    std::string collection{};
    std::string user{}; // id or name
    Role role = Role::viewer;
    std::string created_by{};
};

class GrantTable {
public:
    static constexpr long long max_grants = 1'000; // of one collection

    // `database` outlives the table.
    explicit GrantTable(DatabaseConnections& database) : database_(database) {}

    // By name. Empty for a collection that does not exist.
    std::vector<UserGrant> list(const std::string& collection) const;
    // Replaces the one that the user has for the collection. Errors: not_found `no_collection`, `no_user`;
    // conflict `too_many_grants`.
    Result<UserGrant> put(const NewUserGrant& wanted) const;
    // `user`: id or name. Errors: not_found `no_grant`.
    Result<void> remove(const std::string& collection, const std::string& user) const;
    // Of all users, by their ids, with those of their groups: of several for a collection, the highest.
    std::unordered_map<std::string, std::shared_ptr<const CollectionGrants>> by_user() const;

private:
    DatabaseConnections& database_;
};

} // namespace vitrine::server
