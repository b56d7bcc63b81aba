// The queue of imports. A lease has an owner, an expiry and a number; every write of a worker is fenced by
// the number. Claims are synced to disk, because an import that crashes the machine must be counted.
// Heartbeats and returns to the queue are not: after a power failure the owner of every lease is dead, and
// the job continues at a stage that it had reached.

#include <fmt/format.h>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/rows.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

// One of this many claims prefers a waiting thumbnail, so that a continuous stream of uploads does not delay
// thumbnails indefinitely.
constexpr std::uint64_t claims_per_thumbnail = 8;

long long micros(std::chrono::milliseconds time)
{
    return std::chrono::microseconds(time).count();
}

// Returns whether a due import waits for a stage before its thumbnail.
bool has_waiting_jobs(DatabaseConnection& sql)
{
    long long found = 0;
    sql << "SELECT COUNT(*) FROM (SELECT 1 FROM jobs WHERE state = 'queued' AND stage <> 'thumbnail' "
           "AND kind = 'import' AND run_after <= now_micros() LIMIT 1) AS waiting",
        into(found);
    return found != 0;
}

// `pause`: until the job may be claimed again, in microseconds; 0: now.
void requeue_row(DatabaseConnection& sql, const std::string& id, long long pause)
{
    sql << "UPDATE jobs SET state = 'queued', run_after = now_micros() + :pause, lease_owner = '', "
           "lease_until = 0 "
           "WHERE id = :id",
        use(pause), use(id);
    send_signal(sql, "jobs");
}

void restore_attempt(DatabaseConnection& sql, const std::string& id)
{
    sql << "UPDATE jobs SET attempts = attempts - 1 WHERE id = :id", use(id);
}

// Returns false if the lease is lost.
bool put_back_with(DatabaseConnection& sql, const Lease& held, std::chrono::milliseconds after,
                   const ImportProblem& problem)
{
    if (!holds(sql, held)) return false;
    requeue_row(sql, held.job.id, micros(after));
    sql << "UPDATE jobs SET problem_code = :code, problem_where = :where, problem_detail = :detail "
           "WHERE id = :id",
        use(problem.code), use(problem.where), use(problem.detail), use(held.job.id);
    return true;
}

JobRecord publish_job(DatabaseConnection& sql, const std::string& id)
{
    auto job = *find_job_row(sql, id);
    record_event(sql, job);
    return job;
}

// Returns the state of the lease after it was renewed.
LeaseState renew(DatabaseConnection& sql, const Lease& held, JobStage stage, double progress, long long time)
{
    const long long claim = held.claim;
    const std::string name(to_string(stage));
    long long cancelled = 0;
    sql << "UPDATE jobs SET lease_until = now_micros() + :time, stage = :stage, progress = :progress "
           "WHERE id = :id AND state = 'running' AND claims = :claim RETURNING cancel_requested",
        into(cancelled), use(time), use(name), use(progress), use(held.job.id), use(claim);
    if (!sql.got_data()) return LeaseState::lost;
    return cancelled != 0 ? LeaseState::cancel_requested : LeaseState::held;
}

// Claims the due job whose turn it is among those that wait for their thumbnail, or among the others, in one
// statement: several workers never have the same one. Returns its id and the number of the claim.
std::optional<std::pair<std::string, long long>> claim_due(DatabaseConnection& sql, bool thumbnail,
                                                           const std::string& owner, long long lease)
{
    std::string id;
    long long claim = 0;
    sql << fmt::format(
        "UPDATE jobs SET state = 'running', attempts = attempts + 1, claims = claims + 1, "
        "started = CASE WHEN started = 0 THEN now_micros() ELSE started END, "
        "lease_owner = :owner, lease_until = now_micros() + :lease, problem_code = '', "
        "problem_where = '', problem_detail = '' WHERE id = (SELECT id FROM jobs WHERE "
        "state = 'queued' AND (stage = 'thumbnail') = {} AND kind = 'import' AND run_after <= now_micros() "
        "ORDER BY turn, seq LIMIT 1{}) RETURNING id, claims",
        thumbnail ? "TRUE" : "FALSE", sql.dialect.words().skip_locked),
        into(id), into(claim), use(owner), use(lease);
    return sql.got_data() ? std::optional(std::pair(std::move(id), claim)) : std::nullopt;
}

} // namespace

bool holds(DatabaseConnection& sql, const Lease& held)
{
    const long long claim = held.claim;
    long long seq = 0;
    sql << fmt::format("SELECT seq FROM jobs WHERE id = :id AND state = 'running' AND claims = :claim{}",
                       sql.dialect.words().lock_row),
        into(seq), use(held.job.id), use(claim);
    return sql.got_data();
}

std::size_t Catalog::queued_jobs() const
{
    return impl_->connections.read([](DatabaseConnection& sql) {
        long long rows = 0;
        sql << "SELECT COUNT(*) FROM jobs WHERE state = 'queued' AND kind = 'import'", into(rows);
        return static_cast<std::size_t>(rows);
    });
}

std::optional<Lease> Catalog::claim_job(const std::string& owner, std::chrono::milliseconds lease)
{
    const bool thumbnail_first = ++impl_->claims % claims_per_thumbnail == 0;
    return impl_->connections.write([&](DatabaseConnection& sql) -> std::optional<Lease> {
        auto claimed = claim_due(sql, thumbnail_first, owner, micros(lease));
        if (!claimed) claimed = claim_due(sql, !thumbnail_first, owner, micros(lease));
        if (!claimed) return std::nullopt;
        auto job = *find_job_row(sql, claimed->first);
        auto asset = *find_version_row(sql, job.asset, job.version);
        return Lease{std::move(job), std::move(asset), claimed->second};
    });
}

LeaseState Catalog::heartbeat(const Lease& held, JobStage stage, double progress,
                              std::chrono::milliseconds lease)
{
    return impl_->connections.write_unsynced(
        [&](DatabaseConnection& sql) { return renew(sql, held, stage, progress, micros(lease)); });
}

LeaseState Catalog::enter_stage(const Lease& held, JobStage stage, double progress,
                                std::chrono::milliseconds lease)
{
    return impl_->connections.write_unsynced([&](DatabaseConnection& sql) {
        const auto state = renew(sql, held, stage, progress, micros(lease));
        if (state == LeaseState::held) publish_job(sql, held.job.id);
        return state;
    });
}

std::optional<JobRecord> Catalog::requeue(const Lease& held, std::chrono::milliseconds after,
                                          const ImportProblem& problem)
{
    return impl_->connections.write_unsynced([&](DatabaseConnection& sql) -> std::optional<JobRecord> {
        if (!put_back_with(sql, held, after, problem)) return std::nullopt;
        return publish_job(sql, held.job.id);
    });
}

std::optional<JobRecord> Catalog::defer(const Lease& held, std::chrono::milliseconds after,
                                        const ImportProblem& problem)
{
    return impl_->connections.write_unsynced([&](DatabaseConnection& sql) -> std::optional<JobRecord> {
        if (!put_back_with(sql, held, after, problem)) return std::nullopt;
        restore_attempt(sql, held.job.id);
        return publish_job(sql, held.job.id);
    });
}

void Catalog::release(const Lease& held)
{
    impl_->connections.write_unsynced([&](DatabaseConnection& sql) {
        if (!holds(sql, held)) return;
        requeue_row(sql, held.job.id, 0);
        restore_attempt(sql, held.job.id);
    });
}

std::optional<JobRecord> Catalog::yield_stage(const Lease& held, double progress)
{
    return impl_->connections.write_unsynced([&](DatabaseConnection& sql) -> std::optional<JobRecord> {
        if (!holds(sql, held) || !has_waiting_jobs(sql)) return std::nullopt;
        requeue_row(sql, held.job.id, 0);
        restore_attempt(sql, held.job.id);
        sql << "UPDATE jobs SET stage = 'thumbnail', progress = :progress WHERE id = :id", use(progress),
            use(held.job.id);
        return publish_job(sql, held.job.id);
    });
}

std::size_t Catalog::recover_jobs(const std::function<bool(const std::string& owner)>& is_dead)
{
    return impl_->connections.write_unsynced([&](DatabaseConnection& sql) {
        struct Running {
            std::string id, owner;
            long long expired = 0;
        };
        Running row;
        std::vector<Running> running;
        soci::statement st =
            (sql.prepare << fmt::format(
                 "SELECT id, lease_owner, CASE WHEN lease_until <= now_micros() THEN 1 ELSE 0 "
                 "END FROM jobs WHERE state = 'running'{}",
                 sql.dialect.words().skip_locked),
             into(row.id), into(row.owner), into(row.expired));
        for (st.execute(); st.fetch();)
            running.push_back(row);
        std::size_t recovered = 0;
        for (const auto& job : running) {
            if (job.expired == 0 && !is_dead(job.owner)) continue;
            requeue_row(sql, job.id, 0);
            ++recovered;
        }
        return recovered;
    });
}

} // namespace vitrine::server
