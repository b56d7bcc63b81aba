#pragma once
// The table of grants of groups: roles of groups of an identity provider for collections, which their users
// have besides their own grants. Any thread, blocking. Throws StorageError.

#include <string>
#include <vector>

#include "server/access/principal.hpp"
#include "server/util/clock.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

struct GroupName {
    std::string issuer{}; // of the identity provider
    std::string group{};  // as the claim of the ID token has it; cases are distinguished
    bool operator==(const GroupName&) const = default;
};

struct GroupGrant {
    GroupName name{};
    Role role = Role::viewer;
    Micros created = 0;
    std::string created_by{}; // to_text() of a principal
};

struct NewGroupGrant {
    std::string collection{};
    GroupName name{}; // without a fault of group_name_fault()
    Role role = Role::viewer;
    std::string created_by{};
};

class GroupGrantTable {
public:
    static constexpr long long max_grants = 1'000; // of one collection

    // `database` outlives the table.
    explicit GroupGrantTable(DatabaseConnections& database) : database_(database) {}

    // By group. Empty for a collection that does not exist.
    std::vector<GroupGrant> list(const std::string& collection) const;
    // Replaces the one that the group has for the collection. The provider need not have the group. Errors:
    // not_found `no_collection`; conflict `too_many_grants`.
    Result<GroupGrant> put(const NewGroupGrant& wanted) const;
    // Errors: not_found `no_grant`.
    Result<void> remove(const std::string& collection, const GroupName& name) const;

private:
    DatabaseConnections& database_;
};

} // namespace vitrine::server
