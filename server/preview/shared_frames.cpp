#include "server/preview/shared_frames.hpp"

#include <utility>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>

namespace vitrine::server {
namespace {

constexpr double smoothing_factor = 0.2;     // of the running mean
constexpr double fast_frame_s = 0.25 / 60.0; // with time for other work, 60 such frames a second are drawn
constexpr double fast_step_s = 1.0 / 60.0;   // between the pose times of a playing clip
constexpr double slow_step_s = 1.0 / 30.0;

std::size_t size_of(const SharedFramePtr& frame, const std::string& key)
{
    return frame->payload->size() + sizeof(SharedFrame) + 2 * key.size();
}

} // namespace

SharedFrames::SharedFrames(std::size_t max_bytes, prometheus::Registry& registry)
    : max_bytes_(max_bytes), drawn_(prometheus::BuildCounter()
                                        .Name("vitrine_preview_shareable_frames_total")
                                        .Help("Preview frames of views with several viewers, by origin")
                                        .Register(registry)
                                        .Add({{"origin", "drawn"}})),
      shared_(prometheus::BuildCounter()
                  .Name("vitrine_preview_shareable_frames_total")
                  .Help("Preview frames of views with several viewers, by origin")
                  .Register(registry)
                  .Add({{"origin", "shared"}})),
      kept_bytes_(prometheus::BuildGauge()
                      .Name("vitrine_preview_shared_frame_bytes")
                      .Help("Bytes of kept preview frames")
                      .Register(registry)
                      .Add({}))
{
}

SharedFrames::~SharedFrames() = default;

SharedFrames::Viewer::Viewer(SharedFrames& frames, std::string view)
    : frames_(&frames), view_(std::move(view))
{
    const std::lock_guard lock(frames.mutex_);
    ++frames.views_[view_].viewers;
}

SharedFrames::Viewer::~Viewer()
{
    if (frames_) frames_->leave(view_);
}

SharedFrames::Viewer::Viewer(Viewer&& other) noexcept
    : frames_(std::exchange(other.frames_, nullptr)), view_(std::move(other.view_))
{
}

SharedFrames::Viewer& SharedFrames::Viewer::operator=(Viewer&& other) noexcept
{
    std::swap(frames_, other.frames_);
    std::swap(view_, other.view_);
    return *this;
}

std::optional<SharedPace> SharedFrames::Viewer::pace(double pixels, bool is_dragging) const
{
    if (!frames_) return std::nullopt;
    const std::lock_guard lock(frames_->mutex_);
    ViewState& state = frames_->views_.at(view_);
    if (state.viewers < 2) return std::nullopt;
    const bool is_fast = state.seconds > 0.0 && state.seconds < fast_frame_s;
    return SharedPace{.time_step = is_fast ? fast_step_s : slow_step_s,
                      .scale = state.scaler.scale_for_motion(pixels, is_dragging),
                      .lod = state.lod.use_lod()};
}

void SharedFrames::Viewer::record(const RenderTask& task, const DrawnFrame& drawn, PreviewTime now) const
{
    if (!frames_) return;
    const std::lock_guard lock(frames_->mutex_);
    ViewState& state = frames_->views_.at(view_);
    const double seconds = (drawn.render_us + drawn.encode_us) * 1e-6;
    state.scaler.record(task.moving, static_cast<double>(drawn.width) * drawn.height,
                        frame_seconds(task, drawn, now));
    if (!task.lod) state.lod.record_full_detail(task.moving, drawn.render_us * 1e-6, slow_step_s);
    if (task.moving)
        state.seconds += (state.seconds > 0.0 ? smoothing_factor : 1.0) * (seconds - state.seconds);
}

void SharedFrames::leave(const std::string& view)
{
    const std::lock_guard lock(mutex_);
    const auto found = views_.find(view);
    if (--found->second.viewers == 0) views_.erase(found);
}

SharedFrames::Ticket::~Ticket()
{
    if (!finished_) frames_.finish(key_, nullptr);
}

void SharedFrames::Ticket::finish(const SharedFramePtr& frame)
{
    if (std::exchange(finished_, true)) return;
    frames_.finish(key_, frame);
}

SharedFrames::FrameClaim SharedFrames::claim(const std::string& key, Ready ready)
{
    const std::lock_guard lock(mutex_);
    if (const auto found = by_key_.find(key); found != by_key_.end()) {
        kept_.splice(kept_.begin(), kept_, found->second);
        shared_.Increment();
        return {.frame = found->second->frame, .ticket = nullptr};
    }
    const auto [waiting, is_first] = being_drawn_.try_emplace(key);
    if (!is_first) {
        waiting->second.push_back(std::move(ready));
        shared_.Increment();
        return {};
    }
    drawn_.Increment();
    return {.frame = nullptr, .ticket = std::make_shared<Ticket>(*this, key)};
}

void SharedFrames::finish(const std::string& key, const SharedFramePtr& frame)
{
    std::vector<Ready> waiting;
    {
        const std::lock_guard lock(mutex_);
        if (auto node = being_drawn_.extract(key)) waiting = std::move(node.mapped());
        if (frame) keep(key, frame);
    }
    for (const Ready& ready : waiting)
        ready(frame);
}

void SharedFrames::keep(const std::string& key, const SharedFramePtr& frame)
{
    const std::size_t size = size_of(frame, key);
    if (size > max_bytes_ || by_key_.contains(key)) return;
    kept_.push_front({key, frame});
    by_key_.emplace(key, kept_.begin());
    bytes_ += size;
    while (bytes_ > max_bytes_) {
        bytes_ -= size_of(kept_.back().frame, kept_.back().key);
        by_key_.erase(kept_.back().key);
        kept_.pop_back();
    }
    kept_bytes_.Set(static_cast<double>(bytes_));
}

} // namespace vitrine::server
