// The queue of imports. A lease names its owner and its end; every write of a worker is fenced by it.

#include <fmt/format.h>

#include "server/services/catalog/impl.hpp"
#include "server/services/catalog/rows.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

long long after_now(std::chrono::milliseconds time)
{
    return now() + std::chrono::microseconds(time).count();
}

// The job while `held` still has it.
bool holds(soci::session& sql, const Lease& held)
{
    long long rows = 0;
    sql << "SELECT COUNT(*) FROM jobs WHERE id = :id AND state = 'running' AND lease_owner = :owner",
        into(rows), use(held.job.id), use(held.owner);
    return rows == 1;
}

void put_fact(soci::session& sql, const Lease& held, Fact fact, const std::string& json)
{
    const std::string kind(to_string(fact));
    const long long version = held.job.version;
    sql << "INSERT INTO facts (asset, version, kind, json) VALUES (:asset, :version, :kind, :json) "
           "ON CONFLICT (asset, version, kind) DO UPDATE SET json = excluded.json",
        use(held.asset.id), use(version), use(kind), use(json);
}

void put_version(soci::session& sql, const Lease& held, const Metadata& found)
{
    const auto& c = found.counts;
    const std::uint64_t counts[] = {c.meshes, c.vertices, c.polygons,  c.triangles,
                                    c.joints, c.clips,    c.materials, c.images};
    long long n[8] = {};
    for (std::size_t i = 0; i < 8; ++i)
        n[i] = static_cast<long long>(counts[i]);
    const long long version = held.job.version;
    sql << "UPDATE versions SET format = :format, generator = :generator, meshes = :n0, vertices = :n1, "
           "polygons = :n2, triangles = :n3, joints = :n4, clips = :n5, materials = :n6, images = :n7, "
           "summary = :summary WHERE asset = :asset AND number = :version",
        use(found.format), use(found.generator), use(n[0]), use(n[1]), use(n[2]), use(n[3]), use(n[4]),
        use(n[5]), use(n[6]), use(n[7]), use(found.summary), use(held.asset.id), use(version);
    sql << "UPDATE assets SET format = :format, triangles = :triangles, joints = :joints, clips = :clips "
           "WHERE id = :id AND version = :version",
        use(found.format), use(n[3]), use(n[4]), use(n[5]), use(held.asset.id), use(version);
}

AssetRecord touch(soci::session& sql, const std::string& asset)
{
    const long long instant = now();
    sql << "UPDATE assets SET revision = revision + 1, updated = :now WHERE id = :id", use(instant),
        use(asset);
    return *find_asset_row(sql, asset);
}

// `work(sql)` while the lease is held, in one transaction; the asset as it is then.
template <class Work>
std::optional<AssetRecord> record(Sessions& sessions, const Lease& held, Work work)
{
    return sessions.write([&](soci::session& sql) -> std::optional<AssetRecord> {
        if (!holds(sql, held)) return std::nullopt;
        work(sql);
        return touch(sql, held.asset.id);
    });
}

void end_job(soci::session& sql, const std::string& id, JobState state, const ProblemRecord& problem)
{
    const std::string name(to_string(state));
    const long long instant = now();
    sql << "UPDATE jobs SET state = :state, finished = :now, lease_owner = '', lease_until = 0, "
           "problem_code = :code, problem_where = :where, problem_detail = :detail WHERE id = :id",
        use(name), use(instant), use(problem.code), use(problem.where), use(problem.detail), use(id);
    if (state == JobState::succeeded)
        sql << "UPDATE jobs SET stage = 'done', progress = 1 WHERE id = :id", use(id);
}

void fail_asset(soci::session& sql, const JobRecord& job, const ProblemRecord& problem)
{
    const long long version = job.version;
    sql << "UPDATE versions SET problem_code = :code, problem_where = :where, problem_detail = :detail "
           "WHERE asset = :asset AND number = :version",
        use(problem.code), use(problem.where), use(problem.detail), use(job.asset), use(version);
    sql << "UPDATE assets SET status = 'failed' WHERE id = :id AND version = :version", use(job.asset),
        use(version);
}

std::optional<Created> finish(Sessions& sessions, const Lease& held, JobState state,
                              const ProblemRecord& problem)
{
    return sessions.write([&](soci::session& sql) -> std::optional<Created> {
        if (!holds(sql, held)) return std::nullopt;
        end_job(sql, held.job.id, state, problem);
        const long long version = held.job.version;
        if (state == JobState::succeeded)
            sql << "UPDATE assets SET status = 'ready' WHERE id = :id AND version = :version",
                use(held.asset.id), use(version);
        else
            fail_asset(sql, held.job, problem);
        auto asset = touch(sql, held.asset.id);
        return Created{std::move(asset), *find_job_row(sql, held.job.id), true};
    });
}

const ProblemRecord cancelled_problem{"cancelled", "", "the import was cancelled"};

Result<JobRecord> cancel(soci::session& sql, const std::string& id)
{
    auto job = find_job_row(sql, id);
    if (!job) return refuse(Errc::not_found, "no_job", fmt::format("there is no job '{}'", id));
    if (job->state == JobState::running) {
        sql << "UPDATE jobs SET cancel_requested = 1 WHERE id = :id", use(id);
        return std::move(*job);
    }
    if (job->state != JobState::queued)
        return refuse(Errc::conflict, "job_over",
                      fmt::format("the job has {} already", to_string(job->state)));
    end_job(sql, id, JobState::cancelled, cancelled_problem);
    fail_asset(sql, *job, cancelled_problem);
    touch(sql, job->asset);
    return *find_job_row(sql, id);
}

} // namespace

Result<JobRecord> Catalog::find_job(const std::string& id) const
{
    return impl_->sessions.read([&](soci::session& sql) -> Result<JobRecord> {
        auto job = find_job_row(sql, id);
        if (!job) return refuse(Errc::not_found, "no_job", fmt::format("there is no job '{}'", id));
        return std::move(*job);
    });
}

Result<JobRecord> Catalog::cancel_job(const std::string& id)
{
    return impl_->sessions.write([&](soci::session& sql) { return cancel(sql, id); });
}

std::size_t Catalog::queued_jobs() const
{
    return impl_->sessions.read([](soci::session& sql) {
        long long rows = 0;
        sql << "SELECT COUNT(*) FROM jobs WHERE state = 'queued'", into(rows);
        return static_cast<std::size_t>(rows);
    });
}

std::optional<Lease> Catalog::claim_job(const std::string& owner, std::chrono::milliseconds lease)
{
    return impl_->sessions.write([&](soci::session& sql) -> std::optional<Lease> {
        const long long instant = now();
        const long long until = after_now(lease);
        std::string id;
        sql << "SELECT id FROM jobs WHERE state = 'queued' AND run_after <= :now ORDER BY seq LIMIT 1",
            into(id), use(instant);
        if (!sql.got_data()) return std::nullopt;
        sql << "UPDATE jobs SET state = 'running', stage = 'load', progress = 0, attempts = attempts + 1, "
               "started = :now, lease_owner = :owner, lease_until = :until WHERE id = :id",
            use(instant), use(owner), use(until), use(id);
        auto job = *find_job_row(sql, id);
        auto asset = *find_asset_row(sql, job.asset);
        return Lease{std::move(job), std::move(asset), owner};
    });
}

LeaseState Catalog::heartbeat(const Lease& held, JobStage stage, double progress,
                              std::chrono::milliseconds lease)
{
    return impl_->sessions.write([&](soci::session& sql) {
        long long cancelled = 0;
        sql << "SELECT cancel_requested FROM jobs WHERE id = :id AND state = 'running' AND lease_owner = "
               ":owner",
            into(cancelled), use(held.job.id), use(held.owner);
        if (!sql.got_data()) return LeaseState::lost;
        const long long until = after_now(lease);
        const std::string name(to_string(stage));
        sql << "UPDATE jobs SET lease_until = :until, stage = :stage, progress = :progress WHERE id = :id",
            use(until), use(name), use(progress), use(held.job.id);
        return cancelled != 0 ? LeaseState::cancel_requested : LeaseState::held;
    });
}

std::optional<AssetRecord> Catalog::record_metadata(const Lease& held, const Metadata& found)
{
    return record(impl_->sessions, held, [&](soci::session& sql) {
        put_version(sql, held, found);
        for (const auto& [fact, json] : found.facts)
            put_fact(sql, held, fact, json);
        index_search(sql, held.asset.id, find_asset_row(sql, held.asset.id)->name, found.search);
    });
}

std::optional<AssetRecord> Catalog::record_fact(const Lease& held, Fact fact, const std::string& json)
{
    return record(impl_->sessions, held, [&](soci::session& sql) { put_fact(sql, held, fact, json); });
}

std::optional<AssetRecord> Catalog::record_thumbnail(const Lease& held, bool there)
{
    return record(impl_->sessions, held, [&](soci::session& sql) {
        const long long value = there ? 1 : 0;
        const long long version = held.job.version;
        sql << "UPDATE versions SET thumbnail = :there WHERE asset = :asset AND number = :version",
            use(value), use(held.asset.id), use(version);
    });
}

std::optional<Created> Catalog::succeed(const Lease& held)
{
    return finish(impl_->sessions, held, JobState::succeeded, {});
}

std::optional<Created> Catalog::fail(const Lease& held, const ProblemRecord& problem)
{
    return finish(impl_->sessions, held, JobState::failed, problem);
}

std::optional<Created> Catalog::finish_cancelled(const Lease& held)
{
    return finish(impl_->sessions, held, JobState::cancelled, cancelled_problem);
}

void Catalog::requeue(const Lease& held, std::chrono::milliseconds after)
{
    impl_->sessions.write([&](soci::session& sql) {
        const long long when = after.count() > 0 ? after_now(after) : 0;
        sql << "UPDATE jobs SET state = 'queued', stage = 'load', progress = 0, run_after = :when, "
               "lease_owner = '', lease_until = 0 WHERE id = :id AND state = 'running' AND lease_owner = "
               ":owner",
            use(when), use(held.job.id), use(held.owner);
    });
}

std::size_t Catalog::recover_jobs(const std::function<bool(const std::string& owner)>& is_dead)
{
    return impl_->sessions.write([&](soci::session& sql) {
        struct Running {
            std::string id, owner;
            long long until = 0;
        };
        Running row;
        std::vector<Running> running;
        soci::statement st =
            (sql.prepare << "SELECT id, lease_owner, lease_until FROM jobs WHERE state = 'running'",
             into(row.id), into(row.owner), into(row.until));
        for (st.execute(); st.fetch();)
            running.push_back(row);
        std::size_t recovered = 0;
        for (const auto& job : running) {
            if (job.until > now() && !is_dead(job.owner)) continue;
            sql << "UPDATE jobs SET state = 'queued', stage = 'load', progress = 0, lease_owner = '', "
                   "lease_until = 0 WHERE id = :id",
                use(job.id);
            ++recovered;
        }
        return recovered;
    });
}

} // namespace vitrine::server
