#include "server/preview/preview_session.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "server/preview/frame_header.hpp"

namespace vitrine::server {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr std::size_t max_queued_messages =
    64; // limit of the queue; further texts are dropped for a peer that does not read
constexpr int moving_jpeg_quality = 60;                  // JPEG quality while the view moves
constexpr std::chrono::seconds encoder_idle_timeout{10}; // after the last video frame

PreviewTime after(PreviewTime time, double seconds)
{
    return time + std::chrono::duration_cast<PreviewTime::duration>(Seconds(seconds));
}

} // namespace

PreviewSession::PreviewSession(api::PreviewInfo info, const PreviewLimits& limits, PreviewTime now)
    : info_(std::move(info)), limits_(limits), tokens_(limits.max_messages_per_second), tokens_at_(now)
{
    if (info_.row) {
        base_.text = made_base_.text = api::row_motion;
        choice_.row = shown_choice_.row = *info_.row;
    }
    queue_text(api::hello_text(info_, limits_.max_side, limits_.max_unacknowledged));
}

void PreviewSession::queue_text(std::string text)
{
    if (texts_.size() < max_queued_messages) texts_.push_back(std::move(text));
}

std::optional<SceneChoice> PreviewSession::next_scene()
{
    if (loading_scene_ || choice_ == shown_choice_) return std::nullopt;
    loading_scene_ = true;
    previous_choice_ = std::exchange(shown_choice_, choice_);
    return shown_choice_;
}

void PreviewSession::scene_loaded(PreviewTime now)
{
    loading_scene_ = false;
    if (fade_ && fade_->start) fade_.reset(); // its pose may not fit the scene
    make_layers_again(false, now);
    ++revision_;
}

void PreviewSession::scene_failed(std::string_view why, PreviewTime now)
{
    loading_scene_ = false;
    shown_choice_ = choice_ = previous_choice_;
    queue_text(api::problem_text("cannot_draw", why));
    make_layers_again(true, now);
}

std::optional<PickTask> PreviewSession::next_pick()
{
    if (picking_ || !pick_) return std::nullopt;
    picking_ = true;
    return std::exchange(pick_, std::nullopt);
}

void PreviewSession::picked(const PickTask& task, const scene::Scene& scene,
                            const std::optional<scene::Hit>& hit)
{
    picking_ = false;
    queue_text(api::picked_text(task.id, scene, hit));
}

void PreviewSession::picked_in_row(const PickTask& task, boost::json::object hit)
{
    picking_ = false;
    queue_text(api::picked_in_row_text(task.id, std::move(hit)));
}

void PreviewSession::pick_failed(std::string_view why)
{
    picking_ = false;
    queue_text(api::problem_text("cannot_pick", why));
}

// A viewer that sent `moving` and then no more views counts as at rest.
bool PreviewSession::moving(PreviewTime now) const
{
    return moving_ && now < last_view_ + limits_.still_after;
}

bool PreviewSession::wants_frame(PreviewTime now) const
{
    if (revision_ == 0) return false;
    if (revision_ != drawn_revision_ || drawn_faded_ || is_fading(now)) return true;
    if (pose_time(now) != drawn_time_) return true;
    return !clock_.running() && !drawn_full_ && !moving(now);
}

double PreviewSession::pose_time(PreviewTime now) const
{
    return shared_ ? shown_clock().at_step(now, shared_->time_step) : shown_clock().at(now);
}

PreviewTime PreviewSession::earliest_start() const
{
    PreviewTime start{};
    if (next_frame_due_) start = after(*next_frame_due_, 1.0 / max_fps_);
    return retry_at_ ? std::max(start, *retry_at_) : start;
}

bool PreviewSession::can_render() const
{
    const bool waits = waits_for_scene();
    return !waits && !drawing_ && frames_in_flight() < limits_.max_unacknowledged;
}

bool PreviewSession::may_start(PreviewTime now) const
{
    return can_render() && now >= earliest_start();
}

void PreviewSession::end_playback(PreviewTime now)
{
    if (!clock_.ended(now)) return;
    clock_.set_playing(false, now);
    queue_text(api::state_text(base_, clock_.at(now), clock_.playing()));
}

std::optional<RenderTask> PreviewSession::next_render(PreviewTime now)
{
    if (auto text = stats_.due_text(now, scale_)) queue_text(std::move(*text));
    end_playback(now);
    if (last_video_ && now >= *last_video_ + encoder_idle_timeout) last_video_.reset();
    begin_fade(now);
    if (!wants_frame(now) || !may_start(now)) return std::nullopt;
    auto task = make_task(now);
    drawing_ = task.id;
    drawn_revision_ = revision_;
    drawn_time_ = task.clip_time.time;
    drawn_full_ = task.full_quality;
    drawn_faded_ = is_fading(now);
    if (task.key_frame) needs_key_frame_ = false;
    if (is_video(task.codec)) last_video_ = now;
    // A frame that is late by less than half an interval does not delay the following ones.
    next_frame_due_ = std::max(earliest_start(), after(now, -0.5 / max_fps_));
    last_start_ = now;
    retry_at_.reset();
    return task;
}

RenderTask PreviewSession::make_task(PreviewTime now)
{
    bool is_dragging = moving(now);
    bool at_rest = !is_dragging && !clock_.running() && !is_fading(now);
    const double pixels = static_cast<double>(view_.width) * view_.height;
    scale_ = at_rest   ? 1.0
             : shared_ ? shared_->scale
                       : resolution_scaler_.scale_for_motion(pixels, is_dragging);
    RenderTask task{
        .id = next_task_++, .started = now, .view = view_, .motion = {}, .clip_time = {}, .input = input_};
    task.view.width = std::max(1u, static_cast<std::uint32_t>(std::lround(view_.width * scale_)));
    task.view.height = std::max(1u, static_cast<std::uint32_t>(std::lround(view_.height * scale_)));
    pose_task(task, now);
    task.quality = is_dragging ? std::min(quality_, moving_jpeg_quality) : quality_;
    task.codec = choose_codec(at_rest);
    task.moving = !at_rest;
    task.lod = task.moving && (shared_ ? shared_->lod : lod_selector_.use_lod());
    task.key_frame = needs_key_frame_ && is_video(task.codec);
    task.full_quality = at_rest;
    task.shared = shared_ && !is_fading(now);
    return task;
}

FrameCodec PreviewSession::choose_codec(bool at_rest) const
{
    bool translucent = view_.background && view_.background->w < 1.0f;
    if (translucent) return FrameCodec::png;
    return at_rest || shared_ ? FrameCodec::jpeg : moving_codec_;
}

void PreviewSession::rendered(const RenderTask& task)
{
    if (drawing_ != task.id) return;
    drawing_.reset();
    ++encoding_;
}

// With load, a frame waits for those of other viewers: its resolution falls, and so does that of theirs.
double frame_seconds(const RenderTask& task, const DrawnFrame& drawn, PreviewTime now)
{
    const double alone = (drawn.render_us + drawn.encode_us) * 1e-6;
    return task.moving ? std::max(alone, Seconds(now - task.started).count()) : alone;
}

std::vector<std::byte> PreviewSession::encoded(const RenderTask& task, const DrawnFrame& drawn,
                                               PreviewTime now)
{
    --encoding_;
    resolution_scaler_.record(task.moving, static_cast<double>(drawn.width) * drawn.height,
                              frame_seconds(task, drawn, now));
    adapt_lod(task, drawn);
    if (task.view.crowd == view_.crowd) publish_framing(task, drawn.framing);
    auto sequence = next_sequence_++;
    unacknowledged_.emplace(sequence, Sent{now, task.view, task.clip_time});
    stats_.sent(drawn, now);
    return encode_frame_header({.codec = task.codec,
                                .key_frame = drawn.key_frame,
                                .full_quality = task.full_quality,
                                .sequence = sequence,
                                .input = task.input,
                                .width = drawn.width,
                                .height = drawn.height,
                                .time = task.clip_time.time,
                                .bounds = drawn.bounds,
                                .render_us = drawn.render_us,
                                .encode_us = drawn.encode_us});
}

void PreviewSession::publish_framing(const RenderTask& task, const render::Framing& framing)
{
    if (task.is_fading)
        framing_.faded(task.motion, framing);
    else if (task.view.framing)
        framing_.kept(task.motion);
    else
        framing_.drawn(task.motion, framing);
}

void PreviewSession::failed(const RenderTask& task, std::string_view why, std::optional<PreviewTime> retry)
{
    if (drawing_ == task.id) {
        drawing_.reset();
    } else {
        --encoding_;
    }
    retry_at_ = retry;
    needs_key_frame_ = needs_key_frame_ || task.key_frame;
    if (retry) {
        drawn_revision_ = 0;
    } else {
        queue_text(api::problem_text("cannot_draw", why));
        if (last_start_)
            clock_.set_playing(false, *last_start_); // otherwise every frame would fail in the same way
    }
}

// Only the render time counts, because encoding overlaps with the rendering of the next frame.
void PreviewSession::adapt_lod(const RenderTask& task, const DrawnFrame& drawn)
{
    if (!task.lod) lod_selector_.record_full_detail(task.moving, drawn.render_us * 1e-6, 1.0 / max_fps_);
}

std::vector<std::string> PreviewSession::take_texts()
{
    return std::exchange(texts_, {});
}

std::optional<PreviewTime> PreviewSession::next_wake(PreviewTime now)
{
    std::optional<PreviewTime> wake;
    auto add = [&](PreviewTime time) { wake = wake ? std::min(*wake, time) : time; };
    if (auto due = stats_.due()) add(*due);
    if (last_video_) add(*last_video_ + encoder_idle_timeout);
    bool can_start = can_render();
    bool wants = wants_frame(now) || clock_.running();
    if (can_start && wants) {
        const auto changes = shared_ && !wants_frame(now) ? clock_.next_step(now, shared_->time_step) : now;
        add(std::max(changes, earliest_start()));
    }
    if (can_start && !wants && moving_ && !drawn_full_ && revision_ != 0)
        add(last_view_ + limits_.still_after);
    return wake;
}

} // namespace vitrine::server
