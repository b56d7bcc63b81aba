#include "server/services/import_run.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "server/services/describe.hpp"
#include "server/services/wire.hpp"

namespace vitrine::server {

ImportRun::ImportRun(const ImportParts& parts, Lease lease,
                     std::function<bool(std::chrono::milliseconds)> wait)
    : parts_(parts), lease_(std::move(lease)), wait_(std::move(wait)), asset_(lease_.asset)
{
}

void ImportRun::beat()
{
    if (state_ == LeaseState::lost) return;
    state_ = parts_.catalog.heartbeat(lease_, stage_, progress_, parts_.options.lease);
}

void ImportRun::hand_back()
{
    state_ = LeaseState::lost;
    parts_.catalog.requeue(lease_, {});
}

// False when the run must end here: cancelled, lost, or the importer stops.
bool ImportRun::go_on(double progress)
{
    progress_ = progress;
    return state_ == LeaseState::held && !stopping_;
}

bool ImportRun::enter(JobStage stage, double progress)
{
    stage_ = stage;
    progress_ = progress;
    beat();
    if (!go_on(progress)) return false;
    if (auto job = parts_.catalog.find_job(lease_.job.id)) announce(parts_.events, *job);
    return true;
}

// Keeps what was written and tells it; false: the lease is lost.
bool ImportRun::note(std::optional<AssetRecord> written, std::string_view event)
{
    if (!written) {
        state_ = LeaseState::lost;
        return false;
    }
    asset_ = std::move(*written);
    announce(parts_.events, event, asset_);
    return true;
}

void ImportRun::end(const std::optional<Created>& ended, prometheus::Counter& counter)
{
    if (!ended) return; // lost: another worker ends it
    counter.Increment();
    announce(parts_.events, ended->asset.status == AssetStatus::failed ? "asset.failed" : "asset.updated",
             ended->asset);
    announce(parts_.events, ended->job);
}

SharedScene ImportRun::load()
{
    auto loaded = parts_.scenes.load(asset_);
    if (loaded) return std::move(*loaded);
    const auto& error = loaded.error();
    end(parts_.catalog.fail(lease_, {std::string(to_string(error.code)), error.where, error.detail}),
        parts_.metrics.imports_failed);
    return nullptr;
}

bool ImportRun::bounds(const SharedScene& scene)
{
    const auto text =
        describe_bounds(scene, parts_.renders, [&](double part) { return go_on(0.4 + 0.3 * part); });
    if (text.empty()) return false;
    return note(parts_.catalog.record_fact(lease_, Fact::bounds, text), "asset.bounds");
}

// Tried again while the queue is full, and once where the device failed.
std::optional<ServiceError> ImportRun::draw_thumbnail()
{
    auto back_off = parts_.options.back_off;
    for (unsigned attempt = 1;; ++attempt, back_off *= 2) {
        auto picture = parts_.pictures.thumbnail(asset_, parts_.options.thumbnail_size);
        if (picture) return std::nullopt;
        const bool busy = picture.error().kind == Errc::busy;
        if (attempt >= (busy ? parts_.options.attempts : 2u) || !wait_(back_off)) return picture.error();
    }
}

bool ImportRun::thumbnail(const SharedScene& scene)
{
    if (!scene::draws_anything(*scene)) return true; // the loader process warned of it
    if (const auto error = draw_thumbnail()) {
        if (!go_on(progress_)) return false;
        const scene::Warning warning{"no_thumbnail", "no thumbnail could be drawn: " + error->detail, ""};
        return note(parts_.catalog.record_metadata(lease_, describe(*scene, std::span(&warning, 1))),
                    "asset.updated");
    }
    if (!note(parts_.catalog.record_thumbnail(lease_, true), "asset.thumbnail")) return false;
    const MotionParams sprite{.frames = parts_.options.sprite_frames, .size = parts_.options.sprite_size};
    if (auto drawn = parts_.pictures.motion(asset_, sprite, RenderPriority::batch); !drawn)
        spdlog::warn("msg=\"no sprite\" asset={} failure={:?}", asset_.id,
                     drawn.error().detail); // drawn when it is asked for
    return true;
}

void ImportRun::stages()
{
    if (!enter(JobStage::load, 0.0)) return;
    const auto scene = load();
    if (!scene || !go_on(0.3)) return;
    if (!note(parts_.catalog.record_metadata(lease_, describe(*scene)), "asset.metadata")) return;
    if (!enter(JobStage::bounds, 0.4) || !bounds(scene)) return;
    if (!enter(JobStage::thumbnail, 0.7) || !thumbnail(scene) || !go_on(1.0)) return;
    end(parts_.catalog.succeed(lease_), parts_.metrics.imports_succeeded);
}

// After an interruption: cancelled for good, or back to the queue. A finished or lost job is left alone by
// the fence of the lease.
void ImportRun::leave()
{
    if (state_ == LeaseState::cancel_requested)
        end(parts_.catalog.finish_cancelled(lease_), parts_.metrics.imports_cancelled);
    else if (stopping_)
        parts_.catalog.requeue(lease_, {});
}

void ImportRun::retry(const std::string& why)
{
    spdlog::error("msg=\"import interrupted\" asset={} attempt={} failure={:?}", asset_.id,
                  lease_.job.attempts, why);
    if (lease_.job.attempts >= parts_.options.attempts) {
        end(parts_.catalog.fail(lease_, {"environment", "", "the server could not finish the import"}),
            parts_.metrics.imports_failed);
        return;
    }
    parts_.metrics.imports_retried.Increment();
    parts_.catalog.requeue(lease_, parts_.options.back_off * (1u << std::min(lease_.job.attempts - 1, 10u)));
}

void ImportRun::run()
{
    const auto started = std::chrono::steady_clock::now();
    try {
        stages();
        leave();
    } catch (const std::exception& error) { // disk full, catalog gone, memory: the environment, tried again
        retry(error.what());
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
    parts_.metrics.import_seconds.Observe(took.count());
}

} // namespace vitrine::server
