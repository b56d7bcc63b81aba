#include "server/services/access/grant_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "server/services/access/access_revision.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/database/database_connections.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

std::vector<UserGrant> fetch_grants(DatabaseConnection& sql, const std::string& collection)
{
    UserGrant grant;
    std::string role;
    long long created = 0;
    std::vector<UserGrant> grants;
    PreparedStatement rows =
        (sql.prepare << "SELECT g.user_id, u.name, u.display_name, g.role, g.created, g.created_by FROM "
                        "collection_grants g JOIN users u ON u.id = g.user_id WHERE g.collection = :id "
                        "ORDER BY u.name_key",
         into(grant.user), into(grant.user_name), into(grant.display_name), into(role), into(created),
         into(grant.created_by), use(collection));
    for (rows.execute(); rows.fetch();) {
        grant.role = parse_role(role).value_or(Role::none);
        grant.created = created;
        grants.push_back(grant);
    }
    return grants;
}

std::unexpected<ServiceError> missing_row(std::string_view code, const std::string& where,
                                          std::string_view detail)
{
    return std::unexpected(ServiceError{Errc::not_found, std::string(code), where, std::string(detail)});
}

// The id of the user with this id or name; empty: there is none.
std::string find_user_id(DatabaseConnection& sql, const std::string& text)
{
    std::string id;
    const auto key = ascii::lower(text);
    sql << "SELECT id FROM users WHERE id = :id OR name_key = :key ORDER BY id = :same DESC LIMIT 1",
        into(id), use(text), use(key), use(text);
    return id;
}

std::string describe(const UserGrant& grant)
{
    return fmt::format("{}: {}", grant.user_name, to_word(grant.role));
}

// The highest role of those for the same collection. The grants are sorted by collection.
void add_grant(CollectionGrants& grants, CollectionGrant grant)
{
    if (!grants.empty() && grants.back().collection == grant.collection)
        grants.back().role = std::max(grants.back().role, grant.role);
    else
        grants.push_back(std::move(grant));
}

} // namespace

std::vector<UserGrant> GrantTable::list(const std::string& collection) const
{
    return database_.read([&](DatabaseConnection& sql) { return fetch_grants(sql, collection); });
}

Result<UserGrant> GrantTable::put(const NewUserGrant& wanted) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<UserGrant> {
        sql.dialect.lock_briefly(sql, "vitrine.collections"); // it may be deleted meanwhile
        long long count = 0;
        sql << "SELECT COUNT(*) FROM collections WHERE id = :id", into(count), use(wanted.collection);
        if (count == 0)
            return make_error(Errc::not_found, "no_collection",
                              fmt::format("there is no collection '{}'", wanted.collection));
        sql.dialect.lock_briefly(sql, "vitrine.users");
        const auto user = find_user_id(sql, wanted.user);
        if (user.empty()) return missing_row("no_user", wanted.user, "There is no such user.");
        sql << "SELECT COUNT(*) FROM collection_grants WHERE collection = :id AND user_id <> :user",
            into(count), use(wanted.collection), use(user);
        if (count >= max_grants)
            return make_error(Errc::conflict, "too_many_grants",
                              fmt::format("a collection must have at most {} grants", max_grants));
        const std::string role(to_word(wanted.role));
        const long long instant = now();
        sql << "INSERT INTO collection_grants (collection, user_id, role, created, created_by) VALUES "
               "(:collection, :user, :role, :created, :by) ON CONFLICT (collection, user_id) DO UPDATE SET "
               "role = excluded.role, created = excluded.created, created_by = excluded.created_by",
            use(wanted.collection), use(user), use(role), use(instant), use(wanted.created_by);
        auto grants = fetch_grants(sql, wanted.collection);
        const auto made = std::ranges::find(grants, user, &UserGrant::user);
        record_audit(sql, "grant.set", wanted.collection, describe(*made));
        note_access_change(sql);
        return std::move(*made);
    });
}

Result<void> GrantTable::remove(const std::string& collection, const std::string& user) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        const auto grants = fetch_grants(sql, collection);
        const auto id = find_user_id(sql, user);
        const auto found = std::ranges::find(grants, id, &UserGrant::user);
        if (found == grants.end()) return missing_row("no_grant", user, "The user has no grant for this.");
        sql << "DELETE FROM collection_grants WHERE collection = :id AND user_id = :user", use(collection),
            use(id);
        record_audit(sql, "grant.remove", collection, describe(*found));
        note_access_change(sql);
        return {};
    });
}

std::unordered_map<std::string, std::shared_ptr<const CollectionGrants>> GrantTable::by_user() const
{
    return database_.read([](DatabaseConnection& sql) {
        std::string user, collection, role;
        std::unordered_map<std::string, CollectionGrants> lists;
        PreparedStatement rows =
            (sql.prepare << "SELECT user_id, collection, role FROM collection_grants UNION ALL "
                            "SELECT m.user_id, g.collection, g.role FROM group_grants g JOIN user_groups m "
                            "ON m.group_name = g.group_name JOIN users u ON u.id = m.user_id AND "
                            "u.issuer = g.issuer ORDER BY 2",
             into(user), into(collection), into(role));
        for (rows.execute(); rows.fetch();)
            if (const auto known = parse_role(role)) add_grant(lists[user], {collection, *known});
        std::unordered_map<std::string, std::shared_ptr<const CollectionGrants>> by_user;
        for (auto& [id, grants] : lists)
            by_user.emplace(id, std::make_shared<const CollectionGrants>(std::move(grants)));
        return by_user;
    });
}

} // namespace vitrine::server
