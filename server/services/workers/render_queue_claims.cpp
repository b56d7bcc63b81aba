// What workers do with the queue of images until they have drawn.

#include <fmt/format.h>

#include "server/services/database/database_connections.hpp"
#include "server/services/workers/row_text.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

struct ClaimTerms {
    std::string worker;
    long long lease = 0, grace = 0, avoid = 0; // microseconds
    long long max_losses = 0, max_priority = 0;
};

// Of the queued rows the first one, also if a busy worker has reserved it. `reserved`: of those that this
// worker has reserved.
std::optional<RenderClaim> claim_first(DatabaseConnection& sql, const ClaimTerms& terms, bool reserved)
{
    RenderClaim claim;
    long long number = 0, losses = 0, priority = 0;
    sql << fmt::format("UPDATE render_requests SET state = 'running', claims = claims + 1, "
                       "worker = :worker, lease_until = now_micros() + :lease WHERE id = (SELECT id FROM "
                       "render_requests WHERE state = 'queued' AND {} AND wanted_until > now_micros() AND "
                       "losses <= :losses AND priority <= :priority AND (preferred = '' OR "
                       "preferred = :me OR created <= now_micros() - :grace) AND (avoided <> :avoided OR "
                       "created <= now_micros() - :avoid) ORDER BY priority, seq LIMIT 1{}) "
                       "RETURNING id, request, claims, losses, priority",
                       reserved ? "worker = :own" : ":own <> ''", sql.dialect.words().skip_locked),
        into(claim.id), into(claim.request), into(number), into(losses), into(priority), use(terms.worker),
        use(terms.lease), use(terms.worker), use(terms.max_losses), use(terms.max_priority),
        use(terms.worker), use(terms.grace), use(terms.worker), use(terms.avoid);
    if (!sql.got_data()) return std::nullopt;
    claim.claim = number;
    claim.is_alone = losses > 0;
    claim.priority = static_cast<std::uint32_t>(priority);
    return claim;
}

} // namespace

std::optional<RenderClaim> RenderQueue::claim(const std::string& worker, bool alone,
                                              std::uint32_t max_priority)
{
    const ClaimTerms terms{.worker = worker,
                           .lease = to_micros(limits_.lease),
                           .grace = to_micros(limits_.grace),
                           .avoid = to_micros(limits_.avoid),
                           .max_losses = alone ? limits_.max_losses : 0,
                           .max_priority = max_priority};
    return database_.write_unsynced([&](DatabaseConnection& sql) {
        auto claim = alone ? claim_first(sql, terms, true) : std::nullopt;
        return claim ? claim : claim_first(sql, terms, false);
    });
}

bool RenderQueue::reserve(const std::string& worker)
{
    return database_.write_unsynced([&](DatabaseConnection& sql) {
        const long long lease = to_micros(limits_.lease);
        std::string found;
        sql << fmt::format("UPDATE render_requests SET worker = :worker, lease_until = now_micros() + :lease "
                           "WHERE id = (SELECT id FROM render_requests WHERE state = 'queued' AND "
                           "losses > 0 AND wanted_until > now_micros() AND (worker = :me OR "
                           "lease_until <= now_micros()) ORDER BY CASE WHEN worker = :own THEN 0 ELSE 1 END, "
                           "priority, seq LIMIT 1{}) RETURNING id",
                           sql.dialect.words().skip_locked),
            into(found), use(worker), use(lease), use(worker), use(worker);
        return sql.got_data();
    });
}

std::vector<std::pair<std::string, std::int64_t>> RenderQueue::renew(const std::string& worker)
{
    return database_.write_unsynced([&](DatabaseConnection& sql) {
        const long long lease = to_micros(limits_.lease);
        sql << "UPDATE render_requests SET lease_until = now_micros() + :lease "
               "WHERE worker = :worker AND state = 'running'",
            use(lease), use(worker);
        std::string id;
        long long number = 0;
        std::vector<std::pair<std::string, std::int64_t>> unwanted;
        PreparedStatement st =
            (sql.prepare << "SELECT id, claims FROM render_requests WHERE worker = :worker "
                            "AND state = 'running' AND wanted_until <= now_micros()",
             into(id), into(number), use(worker));
        for (st.execute(); st.fetch();)
            unwanted.emplace_back(id, number);
        return unwanted;
    });
}

void RenderQueue::give_back(const RenderClaim& claim)
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        const long long number = claim.claim;
        sql << "UPDATE render_requests SET state = 'queued', preferred = '', worker = '', lease_until = 0 "
               "WHERE id = :id AND state = 'running' AND claims = :claim",
            use(claim.id), use(number);
        send_signal(sql, render_queued_topic);
    });
}

void RenderQueue::release(const std::string& worker)
{
    database_.write_unsynced([&](DatabaseConnection& sql) {
        sql << "UPDATE render_requests SET state = 'queued', preferred = '', worker = '', lease_until = 0 "
               "WHERE worker = :worker AND state <> 'done'",
            use(worker);
        send_signal(sql, render_queued_topic);
    });
}

} // namespace vitrine::server
