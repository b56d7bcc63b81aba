#include "server/services/importing/import_run.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "server/services/events/event_bus.hpp"
#include "server/services/importing/scene_metadata.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;

namespace {

constexpr double loaded_progress = 0.3; // progress before the metadata is stored
constexpr double bounds_progress = 0.4; // at the start of each stage
constexpr double thumbnail_progress = 0.7;
constexpr std::string_view storage_full = "storage_full";

} // namespace

ImportRun::ImportRun(const ImportParts& parts, Lease lease,
                     std::function<bool(std::chrono::milliseconds)> wait)
    : parts_(parts), lease_(std::move(lease)), wait_(std::move(wait)), asset_(lease_.asset),
      stage_(lease_.job.stage), progress_(lease_.job.progress)
{
}

void ImportRun::heartbeat()
{
    if (state_ == LeaseState::lost || state_ == LeaseState::released) return;
    state_ = parts_.catalog.heartbeat(lease_, stage_, progress_, parts_.options.lease);
    if (state_ != LeaseState::held) interrupt();
}

void ImportRun::release()
{
    state_ = LeaseState::released;
    parts_.catalog.release(lease_);
}

// Progress never decreases when a stage is repeated.
void ImportRun::raise_progress(double progress)
{
    progress_ = std::max(progress_.load(), progress);
}

// Returns false when the run must end: cancelled, lease lost or released, or the importer stops.
bool ImportRun::may_continue() const
{
    return state_ == LeaseState::held && !stop_.stop_requested();
}

bool ImportRun::enter_stage(JobStage stage, double progress)
{
    stage_ = stage;
    raise_progress(progress);
    heartbeat();
    if (!may_continue()) return false;
    if (auto job = parts_.catalog.find_job(lease_.job.id)) announce(parts_.events, *job);
    return true;
}

// Stores and publishes the written asset; returns false if the lease is lost.
bool ImportRun::publish_asset(std::optional<AssetRecord> written, std::string_view event)
{
    if (!written) {
        state_ = LeaseState::lost;
        return false;
    }
    asset_ = std::move(*written);
    announce(parts_.events, event, asset_);
    return true;
}

void ImportRun::finish(const std::optional<EndedImport>& ended, prometheus::Counter& counter)
{
    if (!ended) return; // lease lost: another worker ends the job
    counter.Increment();
    parts_.metrics.import_seconds.Observe(static_cast<double>(ended->job.finished - ended->job.started) /
                                          1e6);
    announce(parts_.events, ended->asset.status == AssetStatus::failed ? "asset.failed" : "asset.updated",
             ended->asset);
    announce(parts_.events, ended->job);
}

// A run that was stopped has not failed; finish_interrupted() decides how it ends.
void ImportRun::fail_job(const ServiceError& error)
{
    if (stop_.stop_requested()) return;
    if (may_repeat(error)) return abort({error.code, asset_.main_file, error.detail}, error.detail);
    finish(parts_.catalog.fail(lease_, {error.code, error.where, error.detail}),
           parts_.metrics.imports_failed);
}

Metadata ImportRun::describe_scene(const scene::Scene& scene, std::span<const scene::Warning> more) const
{
    return describe(scene, more, api::parse_user_clips(asset_.user_clips));
}

// The first stage.
SharedScene ImportRun::load_scene()
{
    auto loaded = load_originals();
    if (!loaded) {
        fail_job(to_service_error(loaded.error()));
        return nullptr;
    }
    raise_progress(loaded_progress);
    if (!may_continue()) return nullptr;
    if (!publish_asset(parts_.catalog.record_metadata(lease_, describe_scene(**loaded)), "asset.metadata"))
        return nullptr;
    return std::move(*loaded);
}

LoadResult<SharedScene> ImportRun::load_originals()
{
    std::shared_lock shared(*parts_.loading, std::defer_lock);
    std::unique_lock exclusive(*parts_.loading, std::defer_lock);
    if (lease_.job.attempts > 1)
        exclusive.lock();
    else
        shared.lock();
    return parts_.scenes.reload(asset_, stop_.get_token());
}

// Finds the scene of a job whose metadata is stored already; the scene store loads it again if it is not
// cached.
SharedScene ImportRun::find_scene()
{
    auto found = parts_.scenes.load(asset_, stop_.get_token());
    if (!found) {
        fail_job(found.error());
        return nullptr;
    }
    return may_continue() ? std::move(*found) : nullptr;
}

bool ImportRun::compute_bounds(const SharedScene& scene)
{
    const auto text = describe_bounds(*scene, [&](double part) {
        raise_progress(bounds_progress + part * (thumbnail_progress - bounds_progress));
        return may_continue();
    });
    if (text.empty()) return false;
    return publish_asset(parts_.catalog.record_document(lease_, AssetDocument::bounds, text), "asset.bounds");
}

// Returns false after it has returned the job to the queue, because newer jobs wait for metadata and bounds:
// those come before thumbnails.
bool ImportRun::keep_turn()
{
    const auto waiting = parts_.catalog.yield_stage(lease_, thumbnail_progress);
    if (!waiting) return true;
    state_ = LeaseState::released;
    announce(parts_.events, *waiting);
    return false;
}

// Retries while the queue is full, and once after a device failure.
std::optional<ServiceError> ImportRun::render_thumbnail()
{
    auto back_off = parts_.options.back_off;
    for (unsigned attempt = 1;; ++attempt, back_off *= 2) {
        auto image = parts_.images.thumbnail(asset_, {.size = parts_.options.thumbnail_size});
        if (image) return std::nullopt;
        const bool busy = image.error().kind == Errc::busy;
        if (attempt >= (busy ? parts_.options.max_attempts : 2u) || !wait_(back_off)) return image.error();
    }
}

bool ImportRun::store_thumbnail(const SharedScene& scene)
{
    if (renders_blank(*scene)) return true; // the loader process has reported a warning
    if (const auto error = render_thumbnail()) {
        if (!may_continue()) return false;
        const scene::Warning warning{"no_thumbnail", "no thumbnail could be rendered: " + error->detail, ""};
        return publish_asset(
            parts_.catalog.record_metadata(lease_, describe_scene(*scene, std::span(&warning, 1))),
            "asset.updated");
    }
    return publish_asset(parts_.catalog.record_thumbnail(lease_, true), "asset.thumbnail");
}

// Starts at the job's stage; results of earlier stages are in the catalog.
void ImportRun::run_stages()
{
    const auto first = lease_.job.stage;
    if (!enter_stage(first, progress_)) return;
    const auto scene = first == JobStage::load ? load_scene() : find_scene();
    if (!scene) return;
    if (first == JobStage::load) {
        if (!enter_stage(JobStage::bounds, bounds_progress)) return;
    }
    if (first != JobStage::thumbnail) {
        if (!compute_bounds(scene)) return;
        if (!keep_turn()) return;
        if (!enter_stage(JobStage::thumbnail, thumbnail_progress)) return;
    }
    if (!store_thumbnail(scene)) return;
    raise_progress(1.0);
    if (!may_continue()) return;
    finish(parts_.catalog.succeed(lease_), parts_.metrics.imports_succeeded);
}

// After an interruption: ends the job as cancelled, or returns it to the queue. The lease's fence protects
// jobs that have ended or are lost.
void ImportRun::finish_interrupted()
{
    if (state_ == LeaseState::cancel_requested)
        finish(parts_.catalog.finish_cancelled(lease_), parts_.metrics.imports_cancelled);
    else if (stop_.stop_requested())
        parts_.catalog.release(lease_);
}

void ImportRun::abort(ImportProblem problem, const std::string& why)
{
    spdlog::error("msg=\"import interrupted\" asset={} attempt={} code={} error={:?}", asset_.id,
                  lease_.job.attempts, problem.code, why);
    pending_problem_ = std::move(problem);
    requeue_or_fail(false);
}

void ImportRun::write_outcome()
{
    requeue_or_fail(true);
}

// The file is not the reason for the failure.
bool ImportRun::may_repeat(const ServiceError& error) const
{
    return error.code == to_string(LoadErrc::killed) && lease_.job.attempts < parts_.options.max_attempts;
}

// Returns the job to the queue, or ends it after too many attempts.
void ImportRun::requeue_or_fail(bool at_once)
{
    if (!pending_problem_) return;
    if (pending_problem_->code != storage_full && lease_.job.attempts >= parts_.options.max_attempts) {
        finish(parts_.catalog.fail(lease_, *pending_problem_), parts_.metrics.imports_failed);
    } else if (const auto job = requeue_row(at_once)) { // empty: lease lost
        parts_.metrics.imports_retried.Increment();
        announce(parts_.events, *job);
    }
    pending_problem_.reset();
}

// A full disk does not count as an attempt: accepted uploads are imported as soon as space is free again.
std::optional<JobRecord> ImportRun::requeue_row(bool at_once)
{
    const auto& options = parts_.options;
    if (pending_problem_->code == storage_full)
        return parts_.catalog.defer(lease_, at_once ? 0ms : options.full_disk_interval, *pending_problem_);
    const auto back_off = options.back_off * (1u << std::min(lease_.job.attempts - 1, 10u));
    return parts_.catalog.requeue(lease_, at_once ? 0ms : back_off, *pending_problem_);
}

// An attempt during which the server crashed counts, although it could not end the job: a model that crashes
// the driver would otherwise do so at every start.
bool ImportRun::fail_after_crashes()
{
    if (lease_.job.attempts <= parts_.options.max_crashes) return false;
    spdlog::error("msg=\"import failed permanently\" asset={} attempts={}", asset_.id, lease_.job.attempts);
    finish(parts_.catalog.fail(lease_, {"import_crashed", asset_.main_file,
                                        fmt::format("the server has crashed {} times during this import",
                                                    lease_.job.attempts - 1)}),
           parts_.metrics.imports_failed);
    return true;
}

void ImportRun::run()
{
    try {
        if (fail_after_crashes()) return;
        run_stages();
        finish_interrupted();
    } catch (const StorageError& error) {
        if (error.kind == StorageError::Kind::full)
            abort({std::string(storage_full), asset_.main_file,
                   "the server's disk is full; the import continues when space is available"},
                  error.what());
        else
            abort({"storage_failed", asset_.main_file, "the server's storage has failed"}, error.what());
    } catch (const std::exception& error) { // out of memory or descriptors: the job is retried
        abort({"environment", asset_.main_file, "the server could not finish the import"}, error.what());
    }
}

} // namespace vitrine::server
