#include "server/services/access/group_grant_table.hpp"

#include <fmt/format.h>

#include "server/services/access/access_revision.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/database/database_connections.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

std::string describe(const GroupName& name, std::string_view role)
{
    return fmt::format("group {}: {}", name.group, role);
}

// Locks the collections, of which this one may be deleted meanwhile.
Result<void> check_room(DatabaseConnection& sql, const NewGroupGrant& wanted)
{
    sql.dialect.lock_briefly(sql, "vitrine.collections");
    long long count = 0;
    sql << "SELECT COUNT(*) FROM collections WHERE id = :id", into(count), use(wanted.collection);
    if (count == 0)
        return make_error(Errc::not_found, "no_collection",
                          fmt::format("there is no collection '{}'", wanted.collection));
    sql << "SELECT COUNT(*) FROM group_grants WHERE collection = :id AND NOT (issuer = :issuer AND "
           "group_name = :name)",
        into(count), use(wanted.collection), use(wanted.name.issuer), use(wanted.name.group);
    if (count >= GroupGrantTable::max_grants)
        return make_error(
            Errc::conflict, "too_many_grants",
            fmt::format("a collection must have at most {} grants of groups", GroupGrantTable::max_grants));
    return {};
}

} // namespace

std::vector<GroupGrant> GroupGrantTable::list(const std::string& collection) const
{
    return database_.read([&](DatabaseConnection& sql) {
        GroupGrant grant;
        std::string role;
        long long created = 0;
        std::vector<GroupGrant> grants;
        PreparedStatement rows =
            (sql.prepare << "SELECT issuer, group_name, role, created, created_by FROM group_grants WHERE "
                            "collection = :id ORDER BY group_name, issuer",
             into(grant.name.issuer), into(grant.name.group), into(role), into(created),
             into(grant.created_by), use(collection));
        for (rows.execute(); rows.fetch();) {
            grant.role = parse_role(role).value_or(Role::none);
            grant.created = created;
            grants.push_back(grant);
        }
        return grants;
    });
}

Result<GroupGrant> GroupGrantTable::put(const NewGroupGrant& wanted) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<GroupGrant> {
        if (auto checked = check_room(sql, wanted); !checked) return std::unexpected(checked.error());
        const std::string role(to_word(wanted.role));
        const long long instant = now();
        sql << "INSERT INTO group_grants (collection, issuer, group_name, role, created, created_by) VALUES "
               "(:collection, :issuer, :name, :role, :created, :by) ON CONFLICT (collection, issuer, "
               "group_name) DO UPDATE SET role = excluded.role, created = excluded.created, created_by = "
               "excluded.created_by",
            use(wanted.collection), use(wanted.name.issuer), use(wanted.name.group), use(role), use(instant),
            use(wanted.created_by);
        record_audit(sql, "grant.set", wanted.collection, describe(wanted.name, role));
        note_access_change(sql);
        return GroupGrant{wanted.name, wanted.role, instant, wanted.created_by};
    });
}

Result<void> GroupGrantTable::remove(const std::string& collection, const GroupName& name) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        std::string role;
        sql << "SELECT role FROM group_grants WHERE collection = :id AND issuer = :issuer AND group_name = "
               ":name",
            into(role), use(collection), use(name.issuer), use(name.group);
        if (!sql.got_data())
            return std::unexpected(
                ServiceError{Errc::not_found, "no_grant", name.group, "The group has no grant for this."});
        sql << "DELETE FROM group_grants WHERE collection = :id AND issuer = :issuer AND group_name = :name",
            use(collection), use(name.issuer), use(name.group);
        record_audit(sql, "grant.remove", collection, describe(name, role));
        note_access_change(sql);
        return {};
    });
}

} // namespace vitrine::server
