// Claims of scans: the part of LibraryTable that processes which scan use.

#include <fmt/format.h>

#include "server/services/database/database_connections.hpp"
#include "server/services/libraries/library_select.hpp"
#include "server/services/libraries/library_table.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

constexpr long long second = 1'000'000; // microseconds

// The due ones of all processes, removals first, then those that wait longest.
std::vector<Library> fetch_due(DatabaseConnection& sql)
{
    return fetch_libraries(sql,
                           "WHERE lease_until < now_micros() AND state <> 'paused' AND (state = 'removing' "
                           "OR requested > started OR (state <> 'waiting' AND next_scan < now_micros())) "
                           "ORDER BY CASE WHEN state = 'removing' THEN 0 ELSE 1 END, started, id");
}

} // namespace

std::optional<LibraryClaim> LibraryTable::claim(const LibraryOptions& options) const
{
    return database_.write([&](DatabaseConnection& sql) -> std::optional<LibraryClaim> {
        for (const auto& due : fetch_due(sql)) {
            const bool removes = due.state == LibraryState::removing;
            if (!removes && !is_below_roots(options, due.path)) continue;
            long long claim = 0;
            sql << fmt::format("SELECT claims FROM libraries WHERE id = :id AND lease_until < now_micros() "
                               "AND state <> 'paused'{}",
                               sql.dialect.words().skip_locked),
                into(claim), use(due.id);
            if (!sql.got_data()) continue; // another process was faster
            const long long micros = std::chrono::microseconds(lease).count();
            sql << "UPDATE libraries SET claims = claims + 1, lease_until = now_micros() + :lease, "
                   "started = now_micros(), waiting = 0, next_scan = 0, "
                   "state = CASE WHEN state = 'removing' THEN state ELSE 'scanning' END WHERE id = :id",
                use(micros), use(due.id);
            return LibraryClaim{due, claim + 1};
        }
        return std::nullopt;
    });
}

bool LibraryTable::renew(const LibraryClaim& claim, std::int64_t waiting) const
{
    return database_.write_unsynced([&](DatabaseConnection& sql) {
        const long long micros = std::chrono::microseconds(lease).count(), number = claim.claim,
                        files = waiting;
        long long held = 0;
        sql << "UPDATE libraries SET lease_until = now_micros() + :lease, waiting = :waiting "
               "WHERE id = :id AND claims = :claim",
            use(micros), use(files), use(claim.library.id), use(number);
        sql << "SELECT COUNT(*) FROM libraries WHERE id = :id AND claims = :claim AND state <> 'paused'",
            into(held), use(claim.library.id), use(number);
        return held > 0;
    });
}

void LibraryTable::finish(const LibraryClaim& claim, const ScanOutcome& outcome) const
{
    database_.write([&](DatabaseConnection& sql) {
        const std::string state(to_string(outcome.state));
        const long long number = claim.claim, pause = outcome.pause_s * second;
        const long long duration = outcome.duration_ms, files = outcome.files, models = outcome.models,
                        skipped = outcome.skipped;
        sql << "UPDATE libraries SET state = CASE WHEN state = 'paused' THEN state ELSE :state END, problem "
               "= :problem, scanned = now_micros(), "
               "duration_ms = :duration, files = :files, models = :models, skipped = :skipped, waiting = 0, "
               "next_scan = now_micros() + :pause, lease_until = 0 WHERE id = :id AND claims = :claim",
            use(state), use(outcome.problem), use(duration), use(files), use(models), use(skipped),
            use(pause), use(claim.library.id), use(number);
    });
}

void LibraryTable::release(const LibraryClaim& claim) const
{
    database_.write([&](DatabaseConnection& sql) {
        const long long number = claim.claim;
        sql << "UPDATE libraries SET lease_until = 0, requested = now_micros() WHERE id = :id AND claims = "
               ":claim",
            use(claim.library.id), use(number);
    });
}

void LibraryTable::forget(const LibraryClaim& claim) const
{
    database_.write([&](DatabaseConnection& sql) {
        sql << "DELETE FROM libraries WHERE id = :id AND state = 'removing'", use(claim.library.id);
    });
}

} // namespace vitrine::server
