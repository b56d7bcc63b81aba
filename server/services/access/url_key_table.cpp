#include "server/services/access/url_key_table.hpp"

#include "server/access/access_token.hpp"
#include "server/services/access/access_revision.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/util/ids.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

std::vector<UrlKey> fetch_url_keys(DatabaseConnection& sql, long long from)
{
    UrlKey key;
    std::vector<UrlKey> keys;
    PreparedStatement rows =
        (sql.prepare << "SELECT id, secret FROM url_keys WHERE created > :from ORDER BY id DESC",
         into(key.id), into(key.secret), use(from));
    for (rows.execute(); rows.fetch();)
        keys.push_back(key);
    return keys;
}

} // namespace

UrlKey UrlKeyTable::signing_key() const
{
    const long long time = now(), young = time - rotation, dead = time - rotation - max_lifetime;
    auto known = database_.read([&](DatabaseConnection& sql) { return fetch_url_keys(sql, young); });
    if (!known.empty()) return std::move(known.front());
    return database_.write([&](DatabaseConnection& sql) {
        sql.dialect.lock_briefly(sql, "vitrine.url_keys");
        auto others = fetch_url_keys(sql, young);
        if (!others.empty()) return std::move(others.front());
        const UrlKey key{new_id("key"), make_access_token("")};
        sql << "DELETE FROM url_keys WHERE created < :time", use(dead);
        sql << "INSERT INTO url_keys (id, secret, created) VALUES (:id, :secret, :created)", use(key.id),
            use(key.secret), use(time);
        note_access_change(sql);
        return key;
    });
}

std::vector<UrlKey> UrlKeyTable::list() const
{
    return database_.read([](DatabaseConnection& sql) { return fetch_url_keys(sql, 0); });
}

void UrlKeyTable::remove_all() const
{
    database_.write([](DatabaseConnection& sql) {
        sql << "DELETE FROM url_keys";
        record_audit(sql, "signed-url.revoke", "all");
        note_access_change(sql);
    });
}

} // namespace vitrine::server
