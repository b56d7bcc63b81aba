// Responses stored by Idempotency-Key for a day.

#include "server/services/catalog/catalog_impl.hpp"
#include "server/util/clock.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr Micros key_lifetime = 24ll * 60 * 60 * 1'000'000;

struct KeyRow {
    std::string content;
    StoredResponse response; // status 0: the first request is in progress
};

std::optional<KeyRow> find_row(DatabaseConnection& sql, const std::string& key)
{
    KeyRow row;
    long long status = 0;
    sql << "SELECT content, status, location, body FROM idempotency WHERE name = :key", into(row.content),
        into(status), into(row.response.location), into(row.response.body), use(key);
    if (!sql.got_data()) return std::nullopt;
    row.response.status = static_cast<int>(status);
    return row;
}

} // namespace

KeyClaim Catalog::claim_key(const std::string& key, const std::string& content, Micros instant)
{
    return impl_->connections.write([&](DatabaseConnection& sql) -> KeyClaim {
        const long long created = instant;
        const long long oldest = instant - key_lifetime;
        sql << "DELETE FROM idempotency WHERE created < :oldest", use(oldest);
        // Waits for another request with this key whose transaction has not ended.
        std::string inserted;
        sql << "INSERT INTO idempotency (name, content, created) VALUES (:key, :content, :created) "
               "ON CONFLICT (name) DO NOTHING RETURNING name",
            into(inserted), use(key), use(content), use(created);
        if (sql.got_data()) return {};
        auto row = find_row(sql, key);
        if (!row) return {}; // released meanwhile
        if (row->content != content) return {.reused_for_different_request = true, .response = {}};
        if (row->response.status == 0) return {}; // the first response is kept; both requests did the same
        return {.response = std::move(row->response)};
    });
}

StoredResponse Catalog::store_response(const std::string& key, const std::string& content,
                                       const StoredResponse& response)
{
    return impl_->connections.write([&](DatabaseConnection& sql) {
        const long long status = response.status;
        sql << "UPDATE idempotency SET status = :status, location = :location, body = :body "
               "WHERE name = :key AND content = :content AND status = 0",
            use(status), use(response.location), use(response.body), use(key), use(content);
        const auto row = find_row(sql, key);
        const bool is_stored = row && row->content == content && row->response.status != 0;
        return is_stored ? row->response : response;
    });
}

void Catalog::release_key(const std::string& key, const std::string& content)
{
    impl_->connections.write([&](DatabaseConnection& sql) {
        sql << "DELETE FROM idempotency WHERE name = :key AND content = :content AND status = 0", use(key),
            use(content);
    });
}

} // namespace vitrine::server
