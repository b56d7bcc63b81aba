// How a run of an import ends: its outcome is stored and published, or the job returns to the queue.
#include <algorithm>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "server/services/importing/import_run.hpp"
#include "server/tracing/trace_scope.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;

namespace {

constexpr std::string_view storage_full = "storage_full";
constexpr std::string_view storage_unavailable = "storage_unavailable";

// The import continues by itself when the storage does.
bool waits_for_storage(const ImportProblem& problem)
{
    return problem.code == storage_full || problem.code == storage_unavailable;
}

} // namespace

const JobCounters& ImportRun::counters() const
{
    return lease_.job.is_refresh() ? parts_.metrics.refreshes : parts_.metrics.imports;
}

void ImportRun::finish(const std::optional<EndedImport>& ended, prometheus::Counter& counter)
{
    if (!ended) return; // lease lost: another worker ends the job
    counter.Increment();
    if (!ended->job.is_refresh())
        parts_.metrics.import_seconds.Observe(static_cast<double>(ended->job.finished - ended->job.started) /
                                              1e6);
}

// A run that was stopped has not failed; finish_interrupted() decides how it ends.
void ImportRun::fail_job(const ServiceError& error)
{
    if (stop_.stop_requested()) return;
    if (may_repeat(error)) return abort({error.code, asset_.main_file, error.detail}, error.detail);
    finish(parts_.catalog.fail(lease_, {error.code, error.where, error.detail}), counters().failed);
}

// After an interruption: ends the job as cancelled, or returns it to the queue. The lease's fence protects
// jobs that have ended or are lost.
void ImportRun::finish_interrupted()
{
    if (state_ == LeaseState::cancel_requested)
        finish(parts_.catalog.finish_cancelled(lease_), counters().cancelled);
    else if (stop_.stop_requested())
        parts_.catalog.release(lease_);
}

void ImportRun::abort(ImportProblem problem, const std::string& why)
{
    spdlog::error("msg=\"{} interrupted\" asset={} attempt={} code={} error={:?}", lease_.job.kind, asset_.id,
                  lease_.job.attempts, problem.code, why);
    pending_problem_ = std::move(problem);
    requeue_or_fail(false);
}

void ImportRun::write_outcome()
{
    const TraceScope trace(lease_.trace);
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
    if (!waits_for_storage(*pending_problem_) && lease_.job.attempts >= parts_.options.max_attempts) {
        finish(parts_.catalog.fail(lease_, *pending_problem_), counters().failed);
    } else if (requeue_row(at_once)) { // empty: lease lost
        parts_.metrics.imports_retried.Increment();
    }
    pending_problem_.reset();
}

// A full disk or an unreachable store does not count as an attempt: accepted uploads are imported as soon as
// it is back.
std::optional<JobRecord> ImportRun::requeue_row(bool at_once)
{
    const auto& options = parts_.options;
    if (waits_for_storage(*pending_problem_))
        return parts_.catalog.defer(lease_, at_once ? 0ms : options.storage_interval, *pending_problem_);
    const auto back_off = options.back_off * (1u << std::min(lease_.job.attempts - 1, 10u));
    return parts_.catalog.requeue(lease_, at_once ? 0ms : back_off, *pending_problem_);
}

// An attempt during which the server crashed counts, although it could not end the job: a model that crashes
// the driver would otherwise do so at every start.
bool ImportRun::fail_after_crashes()
{
    const auto& options = parts_.options;
    const auto limit = lease_.job.is_refresh() ? options.max_refresh_crashes : options.max_crashes;
    if (lease_.job.attempts <= limit) return false;
    spdlog::error("msg=\"{} failed permanently\" asset={} attempts={}", lease_.job.kind, asset_.id,
                  lease_.job.attempts);
    finish(parts_.catalog.fail(lease_, {"import_crashed", asset_.main_file,
                                        fmt::format("the server has crashed {} times during this {}",
                                                    lease_.job.attempts - 1, lease_.job.kind)}),
           counters().failed);
    return true;
}

void ImportRun::run()
{
    const TraceScope trace(lease_.trace);
    try {
        if (fail_after_crashes()) return;
        if (lease_.job.is_refresh())
            run_refresh();
        else
            run_stages();
        finish_interrupted();
    } catch (const StorageError& error) {
        if (error.kind == StorageError::Kind::full)
            abort({std::string(storage_full), asset_.main_file,
                   "the server's disk is full; the job continues when space is available"},
                  error.what());
        else if (error.kind == StorageError::Kind::unavailable)
            abort({std::string(storage_unavailable), asset_.main_file,
                   "the store of the server's files does not answer; the job continues when it does"},
                  error.what());
        else
            abort({"storage_failed", asset_.main_file, "the server's storage has failed"}, error.what());
    } catch (const std::exception& error) { // out of memory or descriptors: the job is retried
        abort({"environment", asset_.main_file, "the server could not finish the job"}, error.what());
    }
}

} // namespace vitrine::server
