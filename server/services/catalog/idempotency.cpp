// Responses stored by Idempotency-Key for a day.

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/request_claim.hpp"
#include "server/util/clock.hpp"
#include "server/util/process_owner.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

struct KeyRow {
    std::string content;
    StoredResponse response; // status 0: the first request is in progress; `location` is its process then
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

// Returns whether the request that has the key is known to have ended without a response; then this one has
// the key.
bool take_over(DatabaseConnection& sql, const std::string& key, const KeyRow& row, long long instant,
               long long oldest)
{
    const auto own = process_owner();
    const auto& before = row.response.location;
    const long long has_ended = is_dead(before) ? 1 : 0;
    std::string taken;
    sql << "UPDATE idempotency SET created = :created, location = :own WHERE name = :key AND status = 0 "
           "AND location = :before AND (created < :oldest OR :ended = 1) RETURNING name",
        into(taken), use(instant), use(own), use(key), use(before), use(oldest), use(has_ended);
    return sql.got_data();
}

void forget_oldest(DatabaseConnection& sql, long long instant, const KeyLimits& limits)
{
    const long long expired = instant - limits.lifetime;
    sql << "DELETE FROM idempotency WHERE created < :expired", use(expired);
    sql << "DELETE FROM idempotency WHERE created <= (SELECT created FROM idempotency "
           "ORDER BY created DESC LIMIT 1 OFFSET :keys)",
        use(limits.keys);
}

} // namespace

RequestClaim claim_request(DatabaseConnections& connections, const std::string& key,
                           const std::string& content, Micros instant, const KeyLimits& limits)
{
    return connections.write([&](DatabaseConnection& sql) -> RequestClaim {
        const long long created = instant;
        forget_oldest(sql, created, limits);
        // Waits for another request with this key whose transaction has not ended.
        std::string inserted;
        const auto owner = process_owner();
        sql << "INSERT INTO idempotency (name, content, created, location) "
               "VALUES (:key, :content, :created, :owner) ON CONFLICT (name) DO NOTHING RETURNING name",
            into(inserted), use(key), use(content), use(created), use(owner);
        if (sql.got_data()) return {};
        auto row = find_row(sql, key);
        if (!row) return {}; // released meanwhile
        if (row->content != content) return {.reused_for_different_request = true};
        if (row->response.status != 0) return {.response = std::move(row->response)};
        return {.is_running = !take_over(sql, key, *row, created, created - limits.running)};
    });
}

KeyClaim Catalog::claim_key(const std::string& key, const std::string& content, Micros instant)
{
    auto claim = claim_request(impl_->connections, key, content, instant);
    return {claim.reused_for_different_request, std::move(claim.response)};
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
