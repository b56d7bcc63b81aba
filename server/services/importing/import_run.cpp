#include "server/services/importing/import_run.hpp"

#include <algorithm>

#include "server/services/catalog/append_user_clips.hpp"
#include "server/services/importing/scene_metadata.hpp"
#include "server/services/rendering/cover_still.hpp"

namespace vitrine::server {
namespace {

constexpr double loaded_progress = 0.3; // progress before the metadata is stored
constexpr double bounds_progress = 0.4; // at the start of each stage
constexpr double thumbnail_progress = 0.7;

// Observes the time until its destructor.
class StageTimer {
public:
    explicit StageTimer(prometheus::Histogram& seconds) : seconds_(seconds) {}
    ~StageTimer()
    {
        seconds_.Observe(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count());
    }
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;

private:
    prometheus::Histogram& seconds_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

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
    take_state(parts_.catalog.heartbeat(lease_, stage_, progress_, parts_.options.lease));
}

void ImportRun::take_state(LeaseState state)
{
    state_ = state;
    if (state != LeaseState::held) interrupt();
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
    if (!may_continue()) return false;
    take_state(parts_.catalog.enter_stage(lease_, stage_, progress_, parts_.options.lease));
    return may_continue();
}

// Takes over what was written; returns false if the lease is lost.
bool ImportRun::take_written(std::optional<AssetRecord> written)
{
    if (!written) {
        state_ = LeaseState::lost;
        return false;
    }
    asset_ = std::move(*written);
    return true;
}

// Returns false if the user clips have changed since the asset was read: the scene then has those of `now`,
// as do the requests for it.
bool ImportRun::has_current_clips(const std::optional<AssetRecord>& now, SharedScene& scene)
{
    if (!now || now->user_clips == asset_.user_clips) return true;
    lease_.asset.user_clips = now->user_clips;
    asset_ = *now;
    scene = std::make_shared<const scene::Scene>(
        replace_user_clips(*scene, file_clips_, api::parse_user_clips(now->user_clips)));
    parts_.scenes.adopt(asset_, scene);
    return false;
}

// Calls `write(scene)`, again after a change of the user clips; returns false when the run must end.
template <class Write>
bool ImportRun::write_scene(SharedScene& scene, const Write& write)
{
    auto written = write(scene);
    while (!has_current_clips(written, scene))
        written = write(scene);
    if (written && !may_continue()) return false;
    return take_written(std::move(written));
}

// Writes nothing, and returns the asset as it is, when the run must end.
std::optional<AssetRecord> ImportRun::record_scene(const scene::Scene& scene,
                                                   std::span<const scene::Warning> more) const
{
    auto warnings = lost_clips_;
    warnings.insert(warnings.end(), more.begin(), more.end());
    for (auto& warning : cover_warnings(scene, asset_))
        warnings.push_back(std::move(warning));
    const auto described = describe(scene, parts_.options.gate, warnings,
                                    api::parse_user_clips(asset_.user_clips), stop_.get_token());
    if (!may_continue()) return asset_;
    const StageTimer timer(parts_.metrics.import_stages.store);
    return parts_.catalog.record_metadata(lease_, described);
}

// The gate judges the file without the clips of the user.
std::optional<ServiceError> ImportRun::find_rejection_of_file(const scene::Scene& scene) const
{
    const auto& gate = parts_.options.gate;
    if (!gate.profile || gate.action != GateAction::reject) return std::nullopt;
    if (file_clips_ == scene.clips.size()) return find_rejection(gate, scene, stop_.get_token());
    auto file = scene;
    file.clips.resize(file_clips_);
    return find_rejection(gate, file, stop_.get_token());
}

// The first stage.
SharedScene ImportRun::load_scene()
{
    auto loaded = load_originals();
    if (!loaded) {
        fail_job(to_service_error(loaded.error()));
        return nullptr;
    }
    auto scene = std::move(*loaded);
    file_clips_ = count_file_clips(*scene, asset_);
    if (const auto rejection = find_rejection_of_file(*scene)) {
        fail_job(*rejection);
        return nullptr;
    }
    // The cached scene must have the user clips, however this run ends.
    if (!carry_clips(scene)) return nullptr;
    if (const auto now = parts_.catalog.find_version(asset_.id, asset_.version))
        has_current_clips(*now, scene);
    raise_progress(loaded_progress);
    if (!may_continue()) return nullptr;
    const bool is_written =
        write_scene(scene, [&](const SharedScene& current) { return record_scene(*current); });
    return is_written ? scene : nullptr;
}

// A version that requests do not read yet takes over the user clips of the one that they read. Returns false
// if the lease is lost.
bool ImportRun::carry_clips(SharedScene& scene)
{
    const auto current = parts_.catalog.find_asset(asset_.id);
    if (!current || current->version >= asset_.version) return true;
    auto file = *scene;
    file.clips.resize(file_clips_);
    auto carried = carry_user_clips(parts_.catalog, *current, asset_, file);
    lost_clips_ = std::move(carried.lost);
    const auto text = api::user_clips_text(carried.clips);
    if (text == asset_.user_clips) return true;
    const auto written = parts_.catalog.carry_user_clips(lease_, text);
    if (!written) return take_written(std::nullopt);
    has_current_clips(*written, scene);
    return true;
}

LoadResult<SharedScene> ImportRun::load_originals()
{
    std::shared_lock shared(*parts_.loading, std::defer_lock);
    std::unique_lock exclusive(*parts_.loading, std::defer_lock);
    if (lease_.job.attempts > 1)
        exclusive.lock();
    else
        shared.lock();
    const StageTimer timer(parts_.metrics.import_stages.load);
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
    file_clips_ = asset_.counts.clips - api::parse_user_clips(asset_.user_clips).size();
    return may_continue() ? std::move(*found) : nullptr;
}

// Empty if the run must end.
std::string ImportRun::describe_bounds_of_scene(const scene::Scene& scene)
{
    const StageTimer timer(parts_.metrics.import_stages.bounds);
    return describe_bounds(scene, [&](double part) {
        raise_progress(bounds_progress + part * (thumbnail_progress - bounds_progress));
        return may_continue();
    });
}

bool ImportRun::compute_bounds(SharedScene& scene)
{
    auto text = describe_bounds_of_scene(*scene);
    if (text.empty()) return false;
    return write_scene(scene, [&, described = scene](const SharedScene& current) {
        if (current != described) text = describe_bounds_of_clips(text, *current, file_clips_);
        const StageTimer timer(parts_.metrics.import_stages.store);
        return parts_.catalog.record_document(lease_, AssetDocument::bounds, text);
    });
}

// Returns false after it has returned the job to the queue, because newer jobs wait for metadata and bounds:
// those come before thumbnails.
bool ImportRun::keep_turn()
{
    if (!parts_.catalog.yield_stage(lease_, thumbnail_progress)) return true;
    state_ = LeaseState::released;
    return false;
}

// Retries while the queue is full, and once after a device failure.
std::optional<ServiceError> ImportRun::render_thumbnail()
{
    const StageTimer timer(parts_.metrics.import_stages.thumbnail);
    auto back_off = parts_.options.back_off;
    for (unsigned attempt = 1;; ++attempt, back_off *= 2) {
        auto image = parts_.images.thumbnail(asset_, {.size = parts_.options.thumbnail_size});
        if (image) return std::nullopt;
        const bool busy = image.error().kind == Errc::busy;
        if (attempt >= (busy ? parts_.options.max_attempts : 2u) || !wait_(back_off)) return image.error();
    }
}

bool ImportRun::store_thumbnail(SharedScene& scene)
{
    if (renders_blank(*scene)) return true; // the loader process has reported a warning
    if (const auto error = render_thumbnail()) {
        if (!may_continue()) return false;
        const scene::Warning warning{"no_thumbnail", "no thumbnail could be rendered: " + error->detail, ""};
        return write_scene(scene, [&](const SharedScene& current) {
            return record_scene(*current, std::span(&warning, 1));
        });
    }
    if (parts_.options.on_thumbnail) parts_.options.on_thumbnail(asset_);
    const StageTimer timer(parts_.metrics.import_stages.store);
    return take_written(parts_.catalog.record_thumbnail(lease_, true));
}

// Starts at the job's stage; results of earlier stages are in the catalog.
void ImportRun::run_stages()
{
    // Earlier results of older code do not fit the scenes of this one.
    const auto first = asset_.has_current_facts() ? lease_.job.stage : JobStage::load;
    const auto& job = lease_.job;
    if (job.attempts == 1 && job.started > job.created && first == JobStage::load)
        parts_.metrics.import_stages.queue.Observe(static_cast<double>(job.started - job.created) / 1e6);
    if (!enter_stage(first, progress_)) return;
    auto scene = first == JobStage::load ? load_scene() : find_scene();
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
    finish(parts_.catalog.succeed(lease_), counters().succeeded);
}

} // namespace vitrine::server
