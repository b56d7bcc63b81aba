#pragma once
// One run of one import or refresh, stage by stage. Runs on a worker of the Importer; its heartbeat accesses
// the atomics from another thread.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "api/user_clips.hpp"
#include "loaders/scene/scene.hpp"
#include "server/services/catalog/catalog.hpp"
#include "server/services/importing/importer.hpp"

namespace vitrine::server {

struct ImportParts {
    Catalog& catalog;
    SceneStore& scenes;
    ImageService& images;
    Metrics& metrics;
    ImporterOptions options;
    // Held shared by first attempts while a loader process runs, and exclusively by later ones: what failed
    // because the machine had no memory is repeated alone.
    std::shared_ptr<std::shared_mutex> loading = std::make_shared<std::shared_mutex>();
};

class ImportRun {
public:
    // `wait` sleeps for the given time; returns false as soon as the importer stops.
    ImportRun(const ImportParts& parts, Lease lease, std::function<bool(std::chrono::milliseconds)> wait);

    // Runs until the job has succeeded, failed, was cancelled, returned to the queue, or its lease is lost.
    // Throws when the outcome cannot be written; write_outcome() must be called then.
    void run();
    // Any thread, after run(): writes the outcome that run() could not; the job is retried immediately.
    // Throws while it cannot be written.
    void write_outcome();

    // Any thread: renews the lease, records the progress, and stops the run if the job was cancelled.
    void heartbeat();
    // Any thread, does not wait: kills the loader process and returns the job to the queue.
    void interrupt() { stop_.request_stop(); }
    // Any thread: returns the job immediately; the run writes nothing more.
    void release();

private:
    void run_stages();
    void run_refresh();
    std::optional<Metadata> describe_again(const scene::Scene& scene);
    // Each returns whether the run continues; the scenes: null if not.
    bool enter_stage(JobStage stage, double progress);
    SharedScene load_scene();
    std::optional<AssetRecord> record_scene(const scene::Scene& scene,
                                            std::span<const scene::Warning> more = {}) const;
    std::optional<ServiceError> find_rejection_of_file(const scene::Scene& scene) const;
    LoadResult<SharedScene> load_originals();
    bool carry_clips(SharedScene& scene);
    SharedScene find_scene();
    std::string describe_bounds_of_scene(const scene::Scene& scene);
    bool compute_bounds(SharedScene& scene);
    bool keep_turn();
    bool store_thumbnail(SharedScene& scene);
    void take_state(LeaseState state);
    bool take_written(std::optional<AssetRecord> written);
    template <class Write>
    bool write_scene(SharedScene& scene, const Write& write);
    bool has_current_clips(const std::optional<AssetRecord>& now, SharedScene& scene);
    bool may_continue() const;

    void raise_progress(double progress);
    std::optional<ServiceError> render_thumbnail();
    void fail_job(const ServiceError& error);
    void finish(const std::optional<EndedImport>& ended, prometheus::Counter& counter);
    void finish_interrupted();
    const JobCounters& counters() const;
    bool fail_after_crashes();
    bool may_repeat(const ServiceError& error) const;
    void abort(ImportProblem problem, const std::string& why);
    void requeue_or_fail(bool at_once);
    std::optional<JobRecord> requeue_row(bool at_once);

    const ImportParts& parts_;
    Lease lease_;
    std::function<bool(std::chrono::milliseconds)> wait_;
    AssetRecord asset_;
    std::size_t file_clips_ = 0;             // of the scene; its other clips are those of the user
    std::vector<scene::Warning> lost_clips_; // of the user, which do not fit this version
    std::atomic<JobStage> stage_ = JobStage::load;
    std::atomic<double> progress_ = 0.0;
    std::atomic<LeaseState> state_ = LeaseState::held;
    // Failure of the environment, until it is stored in the catalog.
    std::optional<ImportProblem> pending_problem_;
    std::stop_source stop_; // the importer stops, the job is cancelled, or the lease is lost
};

// carried_clips.cpp: user clips of one version of an asset for its next one.
struct CarriedClips {
    std::vector<api::UserClip> clips;
    std::vector<scene::Warning> lost; // one for each that does not fit: "user_clip_lost"
};

// The user clips of `current`, then those of the version that `next` was restored from which have other
// names. They are cut out of the clip of `file`, the Scene of `next` without user clips, that has the name of
// the one which they were cut out of. Blocking.
CarriedClips carry_user_clips(const Catalog& catalog, const AssetRecord& current, const AssetRecord& next,
                              const scene::Scene& file);

} // namespace vitrine::server
