// Jobs: writes of an import, and its end.

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "server/services/catalog/catalog_impl.hpp"
#include "server/services/catalog/list_conditions.hpp"
#include "server/services/catalog/rows.hpp"
#include "server/services/visibility/visibility.hpp"

using soci::into;
using soci::use;

namespace vitrine::server {
namespace {

void put_clip_facets(DatabaseConnection& sql, const std::string& asset, std::uint32_t number,
                     const std::vector<ClipFacet>& facets)
{
    const long long version = number;
    sql << "DELETE FROM clip_facets WHERE asset = :asset AND version = :version", use(asset), use(version);
    // NOLINTBEGIN(clang-analyzer-deadcode.DeadStores)
    long long clip = 0, loops = 0, in_place = 0, speed = 0, duration = 0;
    PreparedStatement insert =
        (sql.prepare << "INSERT INTO clip_facets (asset, version, clip, loops, in_place, speed, duration) "
                        "VALUES (:asset, :version, :clip, :loops, :in_place, :speed, :duration)",
         use(asset), use(version), use(clip), use(loops), use(in_place), use(speed), use(duration));
    for (const auto& facet : facets) {
        loops = facet.loops ? 1 : 0;
        in_place = facet.in_place ? 1 : 0;
        speed = to_millionths(facet.speed);
        duration = to_millionths(facet.duration);
        insert.execute(true); // reads them
        ++clip;
    } // NOLINTEND(clang-analyzer-deadcode.DeadStores)
}

// `type`: of the event if requests read the version of the job; empty: no event. Returns this version.
AssetRecord touch_and_publish(DatabaseConnection& sql, const JobRecord& job, std::string_view type)
{
    touch_asset(sql, job.asset);
    auto asset = *find_asset_row(sql, job.asset);
    const bool is_read = asset.version == job.version;
    if (!type.empty()) record_event(sql, is_read ? type : "asset.updated", asset);
    return is_read ? asset : *find_version_row(sql, job.asset, job.version);
}

// After the end of the job.
void publish_end(DatabaseConnection& sql, const JobRecord& job)
{
    const auto asset = *find_asset_row(sql, job.asset);
    record_event(sql, asset.status == AssetStatus::failed ? "asset.failed" : "asset.updated", asset);
    const bool is_of_further_version = job.version > 1 && !job.is_refresh();
    if (is_of_further_version) record_event(sql, asset, version_of(sql, job.asset, job.version));
    record_event(sql, job);
}

// Runs `work(sql)` in one transaction while the lease is held; returns the asset after it. Not synced:
// results of an import are derived from files that are; after a power failure the job continues at a stage
// that it had reached, because commits are undone in reverse order only.
template <class Work>
std::optional<AssetRecord> record(DatabaseConnections& connections, const Lease& held, std::string_view event,
                                  Work work)
{
    return connections.write_unsynced([&](DatabaseConnection& sql) -> std::optional<AssetRecord> {
        if (!holds(sql, held)) return std::nullopt;
        lock_asset(sql, held.asset.id); // before its versions, as everywhere
        work(sql);
        return touch_and_publish(sql, held.job, event);
    });
}

// As record(), unless the user clips have changed: `work` stores what was made with those of `held`, and
// returns the event.
template <class Work>
std::optional<AssetRecord> record_with_clips(DatabaseConnections& connections, const Lease& held, Work work)
{
    return connections.write_unsynced([&](DatabaseConnection& sql) -> std::optional<AssetRecord> {
        if (!holds(sql, held)) return std::nullopt;
        lock_asset(sql, held.asset.id);
        auto asset = *find_version_row(sql, held.asset.id, held.job.version);
        if (asset.user_clips != held.asset.user_clips) return asset;
        return touch_and_publish(sql, held.job, work(sql));
    });
}

// The end of a refresh is an event, not its parts.
std::string_view metadata_event(DatabaseConnection& sql, const JobRecord& job)
{
    if (job.is_refresh()) return {};
    return find_job_row(sql, job.id)->stage == JobStage::load ? "asset.metadata" : "asset.updated";
}

void end_job(DatabaseConnection& sql, const std::string& id, JobState state, const ImportProblem& problem)
{
    const std::string name(to_string(state));
    const long long instant = now();
    sql << "UPDATE jobs SET state = :state, finished = :now, lease_owner = '', lease_until = 0, "
           "run_after = 0, problem_code = :code, problem_where = :where, problem_detail = :detail WHERE id = "
           ":id",
        use(name), use(instant), use(problem.code), use(problem.where), use(problem.detail), use(id);
    if (state == JobState::succeeded)
        sql << "UPDATE jobs SET stage = 'done', progress = 1 WHERE id = :id", use(id);
}

// A refresh leaves the asset as it is.
void fail_asset(DatabaseConnection& sql, const JobRecord& job, const ImportProblem& problem)
{
    mark_facts_tried(sql, job);
    if (job.is_refresh()) return;
    set_version_status(sql, job.asset, job.version, AssetStatus::failed, problem);
}

// One line of the log.
void log_end(const Lease& held, JobState state, const ImportProblem& problem)
{
    const auto& job = held.job;
    if (state == JobState::failed)
        spdlog::warn("msg=\"{} failed\" job={} asset={} attempt={} code={} error={:?}", job.kind, job.id,
                     job.asset, job.attempts, problem.code, problem.detail);
    else if (!job.is_refresh())
        spdlog::info("msg=\"{} {}\" job={} asset={} attempt={}", job.kind, to_string(state), job.id,
                     job.asset, job.attempts);
}

std::optional<EndedImport> finish(DatabaseConnections& connections, const Lease& held, JobState state,
                                  const ImportProblem& problem)
{
    return connections.write_unsynced([&](DatabaseConnection& sql) -> std::optional<EndedImport> {
        if (!holds(sql, held)) return std::nullopt;
        lock_asset(sql, held.asset.id);
        end_job(sql, held.job.id, state, problem);
        log_end(held, state, problem);
        if (state != JobState::succeeded)
            fail_asset(sql, held.job, problem);
        else if (!held.job.is_refresh())
            promote_version(sql, held.asset.id, held.job.version);
        auto asset = touch_and_publish(sql, held.job, {});
        auto job = *find_job_row(sql, held.job.id);
        publish_end(sql, job);
        return EndedImport{std::move(asset), std::move(job)};
    });
}

ImportProblem cancelled_problem(const JobRecord& job, const std::string& main_file)
{
    return {"cancelled", main_file, fmt::format("the {} was cancelled", job.kind)};
}

Result<JobRecord> cancel(DatabaseConnection& sql, const std::string& id)
{
    long long seq = 0;
    sql << fmt::format("SELECT seq FROM jobs WHERE id = :id{}", sql.dialect.words().lock_row), into(seq),
        use(id);
    auto job = find_job_row(sql, id);
    if (!job) return make_error(Errc::not_found, "no_job", fmt::format("there is no job '{}'", id));
    if (job->state == JobState::running) {
        sql << "UPDATE jobs SET cancel_requested = 1 WHERE id = :id", use(id);
        record_event(sql, *job);
        return std::move(*job);
    }
    if (job->state != JobState::queued)
        return make_error(Errc::conflict, "job_finished",
                          fmt::format("the job has already ended ({})", to_string(job->state)));
    lock_asset(sql, job->asset);
    const auto version = find_version_row(sql, job->asset, job->version);
    if (!version) return no_asset(job->asset);
    const auto problem = cancelled_problem(*job, version->main_file);
    end_job(sql, id, JobState::cancelled, problem);
    fail_asset(sql, *job, problem);
    touch_asset(sql, job->asset);
    auto cancelled = *find_job_row(sql, id);
    publish_end(sql, cancelled);
    return cancelled;
}

} // namespace

void touch_asset(DatabaseConnection& sql, const std::string& id)
{
    const long long instant = now();
    sql << "UPDATE assets SET revision = revision + 1, updated = :now WHERE id = :id", use(instant), use(id);
}

void put_document(DatabaseConnection& sql, const std::string& asset, std::uint32_t number,
                  AssetDocument document, const std::string& json)
{
    const std::string kind(to_string(document));
    const long long version = number;
    sql << "INSERT INTO documents (asset, version, kind, json) VALUES (:asset, :version, :kind, :json) "
           "ON CONFLICT (asset, version, kind) DO UPDATE SET json = excluded.json",
        use(asset), use(version), use(kind), use(json);
}

void put_metadata(DatabaseConnection& sql, const std::string& asset, std::uint32_t version,
                  const Metadata& found)
{
    update_imported(sql, asset, version, found);
    for (const auto& [document, json] : found.documents)
        put_document(sql, asset, version, document, json);
    put_clip_facets(sql, asset, version, found.clip_facets);
    put_warnings(sql, asset, version, found.warning_codes);
    put_list_columns(sql, asset);
    put_similarity(sql, asset, version, found.similarity);
    const auto current = *find_asset_row(sql, asset);
    if (current.version != version) return keep_search_names(sql, asset, version, found.search);
    const auto& name = current.name;
    index_search(sql, asset, name, found.search);
    record_words(sql, name, found.search); // last: others wait for words that this transaction has added
}

Result<JobRecord> Catalog::find_job(const std::string& id) const
{
    return impl_->connections.read([&](DatabaseConnection& sql) -> Result<JobRecord> {
        auto job = find_job_row(sql, id);
        if (!job || !is_visible_asset(sql, job->asset))
            return make_error(Errc::not_found, "no_job", fmt::format("there is no job '{}'", id));
        return std::move(*job);
    });
}

Result<JobRecord> Catalog::cancel_job(const std::string& id)
{
    return impl_->connections.write([&](DatabaseConnection& sql) { return cancel(sql, id); });
}

std::optional<AssetRecord> Catalog::record_metadata(const Lease& held, const Metadata& found)
{
    return record_with_clips(impl_->connections, held, [&](DatabaseConnection& sql) {
        put_metadata(sql, held.asset.id, held.job.version, found);
        return metadata_event(sql, held.job);
    });
}

std::optional<AssetRecord> Catalog::record_document(const Lease& held, AssetDocument document,
                                                    const std::string& json)
{
    return record_with_clips(impl_->connections, held, [&](DatabaseConnection& sql) {
        put_document(sql, held.asset.id, held.job.version, document, json);
        return "asset.bounds";
    });
}

std::optional<AssetRecord> Catalog::carry_user_clips(const Lease& held, const std::string& clips)
{
    return record(impl_->connections, held, {}, [&](DatabaseConnection& sql) {
        const long long version = held.job.version;
        sql << "UPDATE versions SET user_clips = :clips WHERE asset = :asset AND number = :version",
            use(clips), use(held.asset.id), use(version);
    });
}

std::optional<AssetRecord> Catalog::record_thumbnail(const Lease& held, bool has_thumbnail)
{
    return record(impl_->connections, held, "asset.thumbnail", [&](DatabaseConnection& sql) {
        const long long value = has_thumbnail ? 1 : 0;
        const long long version = held.job.version;
        sql << "UPDATE versions SET thumbnail = :value WHERE asset = :asset AND number = :version",
            use(value), use(held.asset.id), use(version);
    });
}

std::optional<EndedImport> Catalog::succeed(const Lease& held)
{
    return finish(impl_->connections, held, JobState::succeeded, {});
}

std::optional<EndedImport> Catalog::fail(const Lease& held, const ImportProblem& problem)
{
    return finish(impl_->connections, held, JobState::failed, problem);
}

std::optional<EndedImport> Catalog::finish_cancelled(const Lease& held)
{
    return finish(impl_->connections, held, JobState::cancelled,
                  cancelled_problem(held.job, held.asset.main_file));
}

} // namespace vitrine::server
