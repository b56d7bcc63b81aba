#include "server/services/access/link_table.hpp"

#include <fmt/format.h>

#include "server/services/access/access_revision.hpp"
#include "server/services/access/link_removal.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/util/hex.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr Micros retention_after_expiry = 30ll * 24 * 3600 * 1'000'000;

void insert_link(DatabaseConnection& sql, const ShareLink& link, const std::string& secret)
{
    const auto digest = to_hex(digest_of(secret));
    const auto cookie = to_hex(digest_of(link_cookie_value(secret, link.password_hash)));
    const long long downloads = link.scope.downloads ? 1 : 0, created = link.created, expires = link.expires;
    sql << "INSERT INTO share_links (id, digest, cookie, name, asset, collection, shown, downloads, "
           "password, "
           "created, created_by, expires) VALUES (:id, :digest, :cookie, :name, :asset, :collection, :shown, "
           ":downloads, :password, :created, :by, :expires)",
        use(link.id), use(digest), use(cookie), use(link.name), use(link.scope.asset),
        use(link.scope.collection), use(link.scope.shown), use(downloads), use(link.password_hash),
        use(created), use(link.created_by), use(expires);
}

// `condition`: ends the statement; it has the placeholder :key.
std::vector<StoredShareLink> fetch_links(DatabaseConnection& sql, const std::string& condition,
                                         const std::string& key)
{
    ShareLink link;
    std::string digest, cookie;
    long long downloads = 0, created = 0, expires = 0, used = 0;
    std::vector<StoredShareLink> links;
    PreparedStatement rows =
        (sql.prepare << "SELECT id, digest, cookie, name, asset, collection, shown, downloads, password, "
                        "created, created_by, expires, last_used, uses FROM share_links WHERE " +
                            condition,
         into(link.id), into(digest), into(cookie), into(link.name), into(link.scope.asset),
         into(link.scope.collection), into(link.scope.shown), into(downloads), into(link.password_hash),
         into(created), into(link.created_by), into(expires), into(used), into(link.uses), use(key));
    for (rows.execute(); rows.fetch();) {
        link.scope.downloads = downloads != 0;
        link.created = created;
        link.expires = expires;
        link.last_used = used;
        links.push_back({link, parse_digest(digest), parse_digest(cookie)});
    }
    return links;
}

std::unexpected<ServiceError> no_link(const std::string& id)
{
    return std::unexpected(
        ServiceError{Errc::not_found, "no_share_link", id, "There is no such share link."});
}

Result<void> check_target(DatabaseConnection& sql, const LinkScope& scope)
{
    long long count = 0;
    if (scope.collection.empty())
        sql << "SELECT COUNT(*) FROM assets WHERE id = :id AND deleted = 0", into(count), use(scope.asset);
    else
        sql << "SELECT COUNT(*) FROM collections WHERE id = :id", into(count), use(scope.collection);
    if (count > 0) return {};
    if (scope.collection.empty())
        return make_error(Errc::not_found, "no_asset", fmt::format("there is no asset '{}'", scope.asset));
    return make_error(Errc::not_found, "no_collection",
                      fmt::format("there is no collection '{}'", scope.collection));
}

Result<void> check_room_for_link(DatabaseConnection& sql, long long time)
{
    const long long removal_time = time - retention_after_expiry;
    long long count = 0;
    sql << "DELETE FROM share_links WHERE expires > 0 AND expires < :time", use(removal_time);
    sql << "SELECT COUNT(*) FROM share_links WHERE expires = 0 OR expires > :time", into(count), use(time);
    if (count < LinkTable::max_links) return {};
    return make_error(Errc::conflict, "too_many_links",
                      fmt::format("There are {} share links already; revoke some.", LinkTable::max_links));
}

// The collections from the one that the scope names downwards.
constexpr const char* below =
    "WITH RECURSIVE below (id) AS (SELECT c.id FROM collections c WHERE c.id = :root UNION "
    "SELECT k.id FROM collections k JOIN below b ON k.parent = b.id) ";

} // namespace

std::string link_cookie_value(std::string_view secret, std::string_view password_hash)
{
    return derive_from_token(secret, fmt::format("link cookie {}", password_hash));
}

Result<CreatedShareLink> LinkTable::create(NewShareLink wanted) const
{
    CreatedShareLink made{{std::move(wanted)}, make_access_token("share_")};
    made.link.id = new_id("share");
    return database_.write([&](DatabaseConnection& sql) -> Result<CreatedShareLink> {
        sql.dialect.lock_briefly(sql, "vitrine.share_links");
        long long time = 0;
        sql << "SELECT now_micros()", into(time);
        if (auto valid = check_target(sql, made.link.scope); !valid) return std::unexpected(valid.error());
        if (auto room = check_room_for_link(sql, time); !room) return std::unexpected(room.error());
        made.link.created = time;
        insert_link(sql, made.link, made.secret);
        const auto& scope = made.link.scope;
        record_audit(sql, "share-link.create", made.link.id,
                     fmt::format("{}, {}", scope.asset + scope.collection, made.link.name));
        note_access_change(sql);
        return made;
    });
}

Result<ShareLink> LinkTable::find(const std::string& id) const
{
    return database_.read([&](DatabaseConnection& sql) -> Result<ShareLink> {
        auto found = fetch_links(sql, "id = :key", id);
        if (found.empty()) return no_link(id);
        return std::move(found.front().link);
    });
}

Result<void> LinkTable::remove(const std::string& id) const
{
    return database_.write([&](DatabaseConnection& sql) -> Result<void> {
        const auto found = fetch_links(sql, "id = :key", id);
        if (found.empty()) return no_link(id);
        sql << "DELETE FROM share_links WHERE id = :id", use(id);
        record_audit(sql, "share-link.revoke", id, found.front().link.name);
        note_access_change(sql);
        return {};
    });
}

void remove_links_of(DatabaseConnection& sql, const LinkScope& scope)
{
    const std::string column = scope.collection.empty() ? "asset" : "collection";
    const auto& id = scope.collection.empty() ? scope.asset : scope.collection;
    const auto links = fetch_links(sql, column + " = :key", id);
    if (links.empty()) return;
    sql << "DELETE FROM share_links WHERE " + column + " = :id", use(id);
    for (const auto& stored : links)
        record_audit(sql, "share-link.revoke", stored.link.id, stored.link.name);
    note_access_change(sql);
}

std::vector<StoredShareLink> LinkTable::list() const
{
    return database_.read(
        [](DatabaseConnection& sql) { return fetch_links(sql, "id > :key ORDER BY id DESC", ""); });
}

void LinkTable::record_use(const std::string& id, Micros used) const
{
    const long long time = used;
    database_.write_unsynced([&](DatabaseConnection& sql) {
        sql << "UPDATE share_links SET last_used = :time WHERE id = :id AND last_used < :before", use(time),
            use(id), use(time);
    });
}

void LinkTable::record_opening(const std::string& id) const
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        sql << "UPDATE share_links SET uses = uses + 1 WHERE id = :id", use(id);
    });
}

bool LinkTable::has_asset(const LinkScope& scope, const std::string& asset) const
{
    if (scope.collection.empty()) return scope.asset == asset;
    return database_.read([&](DatabaseConnection& sql) {
        long long count = 0;
        sql << std::string(below) + "SELECT COUNT(*) FROM collection_assets m JOIN below b ON "
                                    "m.collection = b.id WHERE m.asset = :asset",
            into(count), use(scope.collection), use(asset);
        return count > 0;
    });
}

bool LinkTable::has_collection(const LinkScope& scope, const std::string& collection) const
{
    if (scope.collection.empty()) return false;
    return database_.read([&](DatabaseConnection& sql) {
        long long count = 0;
        sql << std::string(below) + "SELECT COUNT(*) FROM below b WHERE b.id = :id", into(count),
            use(scope.collection), use(collection);
        return count > 0;
    });
}

} // namespace vitrine::server
