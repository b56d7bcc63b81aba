#include "server/services/visibility/visibility.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "server/services/database/database_connection.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {

struct GrantedCollections {
    CollectionGrants grants;
    std::string ids; // "'collection_1', 'collection_2'"
};

namespace {

thread_local SharedVisibility visible_to_thread;

// Ids are words of the statement. The server has made them, of letters, digits and '_'.
bool is_word(std::string_view id)
{
    return !id.empty() && std::ranges::all_of(id, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

std::string sql_list(const auto& ids, auto id_of)
{
    std::string list;
    for (const auto& one : ids)
        if (const std::string_view id = id_of(one); is_word(id))
            list += fmt::format("{}'{}'", list.empty() ? "" : ", ", id);
    return list;
}

std::string sql_list(const CollectionGrants& grants)
{
    return sql_list(grants, [](const CollectionGrant& grant) { return std::string_view(grant.collection); });
}

// The granted collections with those below them. Names of tables differ from those of the statements.
std::string visible_collections(const GrantedCollections& granted)
{
    return fmt::format(
        "(WITH RECURSIVE visible (id) AS (SELECT v0.id FROM collections v0 WHERE v0.id IN ({}) "
        "UNION SELECT v1.id FROM collections v1 JOIN visible v2 ON v1.parent = v2.id) "
        "SELECT v3.id FROM visible v3)",
        granted.ids);
}

constexpr std::string_view nothing = " AND 1 = 0";

// The collections from those of `first`, a SELECT with :id, upwards.
Role highest_role(DatabaseConnection& sql, const CollectionGrants& grants, std::string_view first,
                  const std::string& id)
{
    Role highest = Role::none;
    if (grants.empty()) return highest;
    std::string collection;
    PreparedStatement rows = (sql.prepare << fmt::format(
                                  "WITH RECURSIVE above (id) AS ({} UNION SELECT c.parent FROM collections c "
                                  "JOIN above a ON c.id = a.id WHERE c.parent <> '') SELECT id FROM above",
                                  first),
                              into(collection), use(id));
    for (rows.execute(); rows.fetch();)
        for (const auto& grant : grants)
            if (grant.collection == collection) highest = std::max(highest, grant.role);
    return highest;
}

// `statement_of`: from the collections with a role, as SQL, the ids among `ids` for which it holds.
std::vector<Role> roles_for(DatabaseConnection& sql, const Principal& principal,
                            std::span<const std::string> ids, auto statement_of)
{
    std::vector<Role> roles(ids.size(), principal.role);
    const auto list = sql_list(ids, [](const std::string& id) { return std::string_view(id); });
    for (const auto role : {Role::viewer, Role::editor, Role::admin}) {
        GrantedCollections granted{.grants = grants_with(principal, role), .ids = {}};
        granted.ids = sql_list(granted.grants);
        if (role <= principal.role || granted.ids.empty() || list.empty()) continue;
        std::set<std::string> found;
        std::string id;
        PreparedStatement rows = (sql.prepare << statement_of(list, visible_collections(granted)), into(id));
        for (rows.execute(); rows.fetch();)
            found.insert(id);
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (found.contains(ids[i])) roles[i] = role;
    }
    return roles;
}

} // namespace

SharedVisibility visibility_of(const Principal& principal, Access access)
{
    if (principal.role < Role::member || may(principal.role, access) || access == Access::anyone)
        return nullptr;
    GrantedCollections granted{.grants = grants_with(principal, role_for(access).value_or(Role::admin)),
                               .ids = {}};
    granted.ids = sql_list(granted.grants);
    return std::make_shared<const GrantedCollections>(std::move(granted));
}

VisibilityScope::VisibilityScope(SharedVisibility visible)
    : before_(std::exchange(visible_to_thread, std::move(visible)))
{
}

VisibilityScope::~VisibilityScope()
{
    visible_to_thread = std::move(before_);
}

bool sees_everything()
{
    return visible_to_thread == nullptr;
}

// The text around the column keeps the databases from looking for each of the collections in an index, of
// which an asset has few.
std::string and_visible_asset(std::string_view id)
{
    if (sees_everything()) return {};
    if (visible_to_thread->ids.empty()) return std::string(nothing);
    return fmt::format(" AND EXISTS (SELECT 1 FROM collection_assets vm WHERE vm.asset = {} AND "
                       "vm.collection || '' IN {})",
                       id, visible_collections(*visible_to_thread));
}

std::string and_one_of_visible_assets(std::string_view seq)
{
    if (sees_everything()) return {};
    if (visible_to_thread->ids.empty()) return std::string(nothing);
    return fmt::format(
        " AND {} IN (SELECT va.seq FROM collection_assets vm JOIN assets va ON va.id = vm.asset "
        "WHERE vm.collection IN {})",
        seq, visible_collections(*visible_to_thread));
}

std::string and_visible_collection(std::string_view id)
{
    if (sees_everything()) return {};
    if (visible_to_thread->ids.empty()) return std::string(nothing);
    return fmt::format(" AND {} IN {}", id, visible_collections(*visible_to_thread));
}

std::string visible_collection_or_empty(std::string_view id)
{
    if (sees_everything()) return std::string(id);
    if (visible_to_thread->ids.empty()) return "''";
    return fmt::format("CASE WHEN {0} IN {1} THEN {0} ELSE '' END", id,
                       visible_collections(*visible_to_thread));
}

bool is_visible_asset(DatabaseConnection& sql, const std::string& id)
{
    return sees_everything() || role_for_asset(sql, visible_to_thread->grants, id) != Role::none;
}

bool is_visible_collection(DatabaseConnection& sql, const std::string& id)
{
    return sees_everything() || role_for_collection(sql, visible_to_thread->grants, id) != Role::none;
}

bool has_few_visible_assets(DatabaseConnection& sql, long long limit)
{
    if (sees_everything()) return false;
    if (visible_to_thread->ids.empty()) return true;
    long long count = 0;
    const auto enough = limit + 1;
    sql << fmt::format("SELECT COUNT(*) FROM (SELECT 1 FROM collection_assets vm WHERE vm.collection IN {} "
                       "LIMIT :enough) AS first_ones",
                       visible_collections(*visible_to_thread)),
        into(count), use(enough);
    return count <= limit;
}

Role role_for_asset(DatabaseConnection& sql, const CollectionGrants& grants, const std::string& asset)
{
    return highest_role(sql, grants, "SELECT m.collection FROM collection_assets m WHERE m.asset = :id",
                        asset);
}

Role role_for_collection(DatabaseConnection& sql, const CollectionGrants& grants, const std::string& id)
{
    return highest_role(sql, grants, "SELECT c.id FROM collections c WHERE c.id = :id", id);
}

std::vector<Role> roles_for_assets(DatabaseConnection& sql, const Principal& principal,
                                   std::span<const std::string> assets)
{
    return roles_for(sql, principal, assets, [](const std::string& ids, const std::string& collections) {
        return fmt::format("SELECT vm.asset FROM collection_assets vm WHERE vm.asset IN ({}) AND "
                           "vm.collection || '' IN {}",
                           ids, collections);
    });
}

std::vector<Role> roles_for_collections(DatabaseConnection& sql, const Principal& principal,
                                        std::span<const std::string> collections)
{
    return roles_for(sql, principal, collections, [](const std::string& ids, const std::string& granted) {
        return fmt::format("SELECT r.id FROM collections r WHERE r.id IN ({}) AND r.id IN {}", ids, granted);
    });
}

} // namespace vitrine::server
