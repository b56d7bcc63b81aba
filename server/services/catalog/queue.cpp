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

// As many prefer the job whose turn it is, whatever its priority.
constexpr std::uint64_t claims_per_bulk_job = 8;

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

// How a job is chosen.
struct JobChoice {
    bool thumbnail = false;   // among those that wait for their thumbnail, or among the others
    bool by_priority = false; // interactive ones first, or only by their turns
};

// Claims the due job that is chosen, in one statement: several workers never have the same one. Returns its
// id and the number of the claim.
std::optional<std::pair<std::string, long long>> claim_due(DatabaseConnection& sql, const JobChoice& choice,
                                                           const std::string& owner, long long lease)
{
    std::string id;
    long long claim = 0;
    sql << fmt::format(
        "UPDATE jobs SET state = 'running', attempts = attempts + 1, claims = claims + 1, "
        "started = CASE WHEN started = 0 THEN now_micros() ELSE started END, "
        "lease_owner = :owner, lease_until = now_micros() + :lease, run_after = 0, problem_code = '', "
        "problem_where = '', problem_detail = '' WHERE id = (SELECT id FROM jobs WHERE "
        "state = 'queued' AND (stage = 'thumbnail') = {} AND kind = 'import' AND run_after <= now_micros() "
        "ORDER BY {}turn, seq LIMIT 1{}) RETURNING id, claims",
        choice.thumbnail ? "TRUE" : "FALSE", choice.by_priority ? "priority DESC, " : "",
        sql.dialect.words().skip_locked),
        into(id), into(claim), use(owner), use(lease);
    return sql.got_data() ? std::optional(std::pair(std::move(id), claim)) : std::nullopt;
}

// The import of the version begins again, as the same job.
void restart_import(DatabaseConnection& sql, const JobRecord& job, const AssetRecord& version)
{
    const auto turn = current_turn(sql);
    sql << "UPDATE jobs SET state = 'queued', stage = 'load', progress = 0, attempts = 0, started = 0, "
           "finished = 0, run_after = 0, cancel_requested = 0, turn = :turn, problem_code = '', "
           "problem_where = '', problem_detail = '' WHERE id = :id",
        use(turn), use(job.id);
    send_signal(sql, "jobs");
    if (job.is_refresh()) return;
    if (version.status == AssetStatus::failed)
        set_version_status(sql, job.asset, job.version, AssetStatus::importing);
    touch_asset(sql, job.asset);
    record_event(sql, "asset.updated", *find_asset_row(sql, job.asset));
}

// Whether another job does, or has done since, what this one was to do.
bool is_superseded(DatabaseConnection& sql, const JobRecord& job, const AssetRecord& version)
{
    if (!job.is_refresh()) return version.job != job.id;
    long long others = 0;
    sql << "SELECT COUNT(*) FROM jobs WHERE kind = 'refresh' AND asset = :asset AND id > :id", into(others),
        use(job.asset), use(job.id);
    return others != 0;
}

Result<JobRecord> retry(DatabaseConnection& sql, const std::string& id)
{
    long long seq = 0; // nobody else retries it, and its asset is not purged
    sql << fmt::format("SELECT seq FROM jobs WHERE id = :id{}", sql.dialect.words().lock_row), into(seq),
        use(id);
    const auto job = find_job_row(sql, id);
    if (!job) return make_error(Errc::not_found, "no_job", fmt::format("there is no job '{}'", id));
    lock_asset(sql, job->asset);
    const auto version = find_version_row(sql, job->asset, job->version);
    if (!version || version->deleted != 0) return no_asset(job->asset);
    if (job->state != JobState::failed && job->state != JobState::cancelled)
        return make_error(
            Errc::conflict, "job_not_failed",
            fmt::format("only a failed or cancelled job is retried ({})", to_string(job->state)));
    if (is_superseded(sql, *job, *version))
        return make_error(Errc::conflict, "job_superseded", "a newer job of the asset has replaced this one");
    restart_import(sql, *job, *version);
    return publish_job(sql, id);
}

} // namespace

std::optional<Lease> lease_of(DatabaseConnection& sql, const std::string& id, long long claim)
{
    auto job = *find_job_row(sql, id);
    auto asset = find_version_row(sql, job.asset, job.version);
    std::string trace;
    sql << "SELECT trace FROM jobs WHERE id = :id", into(trace), use(id);
    if (asset) return Lease{std::move(job), std::move(*asset), claim, std::move(trace)};
    sql << "DELETE FROM jobs WHERE id = :id", use(id);
    return std::nullopt;
}

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
    // Otherwise an idle server would write its file at each look.
    if (!impl_->connections.dialect().is_shared() && queued_jobs() == 0) return std::nullopt;
    const auto number = ++impl_->claims;
    const bool thumbnail_first = number % claims_per_thumbnail == 0;
    const bool by_priority = number % claims_per_bulk_job != 1;
    return impl_->connections.write([&](DatabaseConnection& sql) -> std::optional<Lease> {
        const JobChoice first{thumbnail_first, by_priority}, second{!thumbnail_first, by_priority};
        for (;;) {
            auto claimed = claim_due(sql, first, owner, micros(lease));
            if (!claimed) claimed = claim_due(sql, second, owner, micros(lease));
            if (!claimed) return std::nullopt;
            if (auto found = lease_of(sql, claimed->first, claimed->second)) return found;
        }
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

Result<JobRecord> Catalog::retry_job(const std::string& id)
{
    return impl_->connections.write([&](DatabaseConnection& sql) { return retry(sql, id); });
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
        PreparedStatement st =
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
