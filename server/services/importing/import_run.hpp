#pragma once
// One run of one import job, stage by stage. Lives on a worker of the Importer; its heartbeat reads and sets
// the atomics from another thread.

#include <atomic>
#include <functional>
#include <optional>
#include <stop_token>

#include "server/services/importing/importer.hpp"

namespace vitrine::server {

struct ImportParts {
    Catalog& catalog;
    SceneStore& scenes;
    Pictures& pictures;
    RenderPool& renders;
    EventBus& events;
    Metrics& metrics;
    ImporterOptions options;
};

class ImportRun {
public:
    // `wait` sleeps for a time or until the importer stops, and then returns false.
    ImportRun(const ImportParts& parts, Lease lease, std::function<bool(std::chrono::milliseconds)> wait);

    // To the end, whatever it is: succeeded, failed, cancelled, handed back or lost. Throws where not even
    // that could be written; settle() is owed then.
    void run();
    // Any thread, after run(): writes what it could not, and the job is tried again at once. Throws as long
    // as it cannot be written.
    void settle();

    // Any thread: renews the lease, says how far it is, learns of cancellation and then stops the run.
    void frame_interval();
    // Any thread, does not wait: a loader process is killed, the job goes back to the queue.
    void interrupt() { stop_.request_stop(); }
    // Any thread: hands the job back at once; what still runs writes nothing more.
    void release();

private:
    bool enter(JobStage stage, double progress);
    bool report_progress(double progress);
    void stages();
    SharedScene load();
    SharedScene find_loaded();
    SharedScene refuse(const ServiceError& error);
    bool bounds(const SharedScene& scene);
    bool yield_stage();
    bool thumbnail(const SharedScene& scene);
    std::optional<ServiceError> draw_thumbnail();
    bool note(std::optional<AssetRecord> written, std::string_view event);
    void end(const std::optional<Created>& ended, prometheus::Counter& counter);
    void leave();
    bool gives_up();
    void abort(ProblemRecord problem, const std::string& why);
    void go_back(bool at_once);
    std::optional<JobRecord> requeue_row(bool at_once);

    const ImportParts& parts_;
    Lease lease_;
    std::function<bool(std::chrono::milliseconds)> wait_;
    AssetRecord asset_;
    std::atomic<JobStage> stage_ = JobStage::load;
    std::atomic<double> progress_ = 0.0;
    std::atomic<LeaseState> state_ = LeaseState::held;
    std::optional<ProblemRecord> broken_; // what the environment did to this run, until the catalog has it
    std::stop_source stop_;               // the importer stops, the job is cancelled or the lease is lost
};

} // namespace vitrine::server
