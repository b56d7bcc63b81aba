#include "server/stream/stream_session.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace vitrine::server {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr std::size_t max_texts =
    64; // limit of the queue; further texts are dropped for a peer that does not read
constexpr int moving_quality = 60;               // JPEG quality while the view moves
constexpr std::chrono::seconds encoder_kept{10}; // after the last video frame

StreamTime after(StreamTime time, double seconds)
{
    return time + std::chrono::duration_cast<StreamTime::duration>(Seconds(seconds));
}

// Assigns `change` if it is set; returns whether the value has changed.
template <class T>
bool assign(T& value, const std::optional<T>& change)
{
    if (!change || value == *change) return false;
    value = *change;
    return true;
}

} // namespace

StreamSession::StreamSession(StreamInfo info, const StreamLimits& limits, StreamTime now)
    : info_(std::move(info)), limits_(limits), tokens_(limits.messages_per_second), tokens_at_(now)
{
    queue_text(hello_text(info_, limits_));
}

void StreamSession::queue_text(std::string text)
{
    if (texts_.size() < max_texts) texts_.push_back(std::move(text));
}

bool StreamSession::consume_message_token(StreamTime now)
{
    double refill = Seconds(now - tokens_at_).count() * limits_.messages_per_second;
    tokens_ = std::min(limits_.messages_per_second, tokens_ + refill) - 1.0;
    tokens_at_ = now;
    return tokens_ >= 0.0;
}

bool StreamSession::receive(std::string_view text, StreamTime now)
{
    if (!consume_message_token(now)) return false;
    auto parsed = parse_message(text, info_.clips.size(), info_.variants);
    if (!parsed) {
        queue_text(problem_text(parsed.error()));
        return true;
    }
    if (parsed->ignored) queue_text(problem_text(*parsed->ignored));
    if (auto view = std::get_if<ViewChange>(&parsed->message)) apply(*view, now);
    if (auto decoder = std::get_if<DecoderStart>(&parsed->message)) {
        moving_codec_ = decoder->codec;
        key_wanted_ = is_video(decoder->codec);
    }
    if (auto ack = std::get_if<Ack>(&parsed->message)) acknowledge(ack->sequence, now);
    if (auto pick = std::get_if<PickRequest>(&parsed->message)) want_pick(*pick);
    if (auto quality = std::get_if<QualityChange>(&parsed->message)) {
        if (quality->jpeg_quality && *quality->jpeg_quality != quality_) ++revision_;
        quality_ = quality->jpeg_quality.value_or(quality_);
        if (assign(max_fps_, quality->max_frames_per_second)) detail_.forget();
    }
    return true;
}

void StreamSession::apply(const ViewChange& change, StreamTime now)
{
    const bool resized = apply_size(change);
    std::array changes{resized,
                       apply_camera(change),
                       apply_playback(change, now),
                       assign(view_.overlays, change.overlays),
                       assign(view_.background, change.background),
                       assign(view_.light, change.light)};
    assign(variant_, change.variant); // the image changes when the variant has been loaded
    input_ = change.input.value_or(input_);
    moving_ = change.moving.value_or(moving_);
    last_view_ = now;
    bool first = revision_ == 0;
    if (resized) detail_.forget();
    if (first || std::ranges::find(changes, true) != changes.end()) ++revision_;
}

bool StreamSession::apply_camera(const ViewChange& change)
{
    auto& camera = view_.camera;
    std::array changes{assign(camera.yaw, change.yaw), assign(camera.pitch, change.pitch),
                       assign(camera.distance, change.distance), assign(camera.target, change.target),
                       assign(camera.orthographic, change.orthographic)};
    return std::ranges::find(changes, true) != changes.end();
}

// Returns whether the clip has changed; a change of the time is seen from the clock.
bool StreamSession::apply_playback(const ViewChange& change, StreamTime now)
{
    bool changed = assign(clip_, change.clip);
    if (changed) {
        clock_.set_duration(clip_ ? info_.clips[*clip_].duration : 0.0);
        clock_.seek(0.0, now);
    }
    if (change.loop) clock_.set_loop(*change.loop, now);
    if (change.speed) clock_.set_speed(*change.speed, now);
    if (change.time) clock_.seek(*change.time, now);
    if (change.playing) clock_.set_playing(*change.playing, now);
    return changed;
}

bool StreamSession::apply_size(const ViewChange& change)
{
    css_width_ = change.width.value_or(css_width_);
    css_height_ = change.height.value_or(css_height_);
    pixel_ratio_ = change.device_pixel_ratio.value_or(pixel_ratio_);
    double width = css_width_ * pixel_ratio_;
    double height = css_height_ * pixel_ratio_;
    double fit = std::min(1.0, limits_.side / std::max(width, height));
    auto pixels = [&](double side) {
        return static_cast<std::uint32_t>(std::max(1.0, std::round(side * fit)));
    };
    bool wider = assign(view_.width, std::optional(pixels(width)));
    bool higher = assign(view_.height, std::optional(pixels(height)));
    return wider || higher;
}

void StreamSession::acknowledge(std::uint32_t sequence, StreamTime now)
{
    auto found = unacknowledged_.find(sequence);
    if (found == unacknowledged_.end() || sequence > sending_sequence_) return;
    stats_.acknowledged(Seconds(now - found->second.at).count());
    if (sequence >= seen_sequence_) {
        seen_ = std::move(found->second);
        seen_sequence_ = sequence;
    }
    unacknowledged_.erase(found);
}

void StreamSession::want_pick(const PickRequest& request)
{
    if (!seen_) return queue_text(problem_text({"cannot_pick", "no frame has been acknowledged yet"}));
    const auto& view = seen_->view;
    const auto pixel = [](double share, std::uint32_t side) {
        return std::min(static_cast<std::uint32_t>(share * side), side - 1);
    };
    pick_ = PickTask{.id = request.id,
                     .view = view,
                     .moment = seen_->moment,
                     .x = pixel(request.x, view.width),
                     .y = pixel(request.y, view.height)};
}

std::optional<std::optional<std::uint32_t>> StreamSession::next_variant()
{
    if (loading_variant_ || variant_ == shown_variant_) return std::nullopt;
    loading_variant_ = true;
    kept_variant_ = std::exchange(shown_variant_, variant_);
    return shown_variant_;
}

void StreamSession::variant_loaded()
{
    loading_variant_ = false;
    ++revision_;
}

void StreamSession::variant_failed(std::string_view why)
{
    loading_variant_ = false;
    shown_variant_ = variant_ = kept_variant_;
    queue_text(problem_text({"cannot_draw", std::string(why)}));
}

std::optional<PickTask> StreamSession::next_pick()
{
    if (picking_ || !pick_) return std::nullopt;
    picking_ = true;
    return std::exchange(pick_, std::nullopt);
}

void StreamSession::picked(const PickTask& task, const scene::Scene& scene,
                           const std::optional<scene::Hit>& hit)
{
    picking_ = false;
    queue_text(picked_text(task.id, scene, hit));
}

void StreamSession::pick_failed(std::string_view why)
{
    picking_ = false;
    queue_text(problem_text({"cannot_pick", std::string(why)}));
}

// A viewer that sent `moving` and then no more views counts as at rest.
bool StreamSession::moving(StreamTime now) const
{
    return moving_ && now < last_view_ + limits_.still_after;
}

bool StreamSession::wants_frame(StreamTime now) const
{
    if (revision_ == 0) return false;
    if (revision_ != drawn_revision_) return true;
    if (clock_.at(now) != drawn_time_) return true;
    return !clock_.running() && !drawn_full_ && !moving(now);
}

StreamTime StreamSession::earliest_start() const
{
    StreamTime start{};
    if (next_frame_due_) start = after(*next_frame_due_, 1.0 / max_fps_);
    return retry_at_ ? std::max(start, *retry_at_) : start;
}

bool StreamSession::has_place_to_draw() const
{
    const bool waits = loading_variant_ || variant_ != shown_variant_;
    return !waits && !drawing_ && frames_on_their_way() < limits_.unacknowledged;
}

bool StreamSession::may_start(StreamTime now) const
{
    return has_place_to_draw() && now >= earliest_start();
}

void StreamSession::end_playback(StreamTime now)
{
    if (!clock_.ended(now)) return;
    clock_.set_playing(false, now);
    queue_text(state_text(clip_, clock_.at(now), clock_.playing()));
}

std::optional<RenderTask> StreamSession::next_render(StreamTime now)
{
    if (auto text = stats_.due_text(now, scale_)) queue_text(std::move(*text));
    end_playback(now);
    if (last_video_ && now >= *last_video_ + encoder_kept) last_video_.reset();
    if (!wants_frame(now) || !may_start(now)) return std::nullopt;
    auto task = make_task(now);
    drawing_ = task.id;
    drawn_revision_ = revision_;
    drawn_time_ = task.moment.time;
    drawn_full_ = task.full_quality;
    if (task.key_frame) key_wanted_ = false;
    if (is_video(task.codec)) last_video_ = now;
    // A frame that is late by less than half an interval does not delay the following ones.
    next_frame_due_ = std::max(earliest_start(), after(now, -0.5 / max_fps_));
    last_start_ = now;
    retry_at_.reset();
    return task;
}

RenderTask StreamSession::make_task(StreamTime now)
{
    bool is_dragging = moving(now);
    bool at_rest = !is_dragging && !clock_.running();
    scale_ =
        at_rest ? 1.0 : size_.scale_for_motion(static_cast<double>(view_.width) * view_.height, is_dragging);
    RenderTask task{.id = next_task_++, .view = view_, .moment = {}, .input = input_};
    task.view.width = std::max(1u, static_cast<std::uint32_t>(std::lround(view_.width * scale_)));
    task.view.height = std::max(1u, static_cast<std::uint32_t>(std::lround(view_.height * scale_)));
    task.moment = {.clip = clip_.value_or(scene::none), .time = clock_.at(now)};
    task.quality = is_dragging ? std::min(quality_, moving_quality) : quality_;
    task.codec = choose_codec(at_rest);
    task.moving = !at_rest;
    task.lod = task.moving && detail_.use_lod();
    task.key_frame = key_wanted_ && is_video(task.codec);
    task.full_quality = at_rest;
    return task;
}

FrameCodec StreamSession::choose_codec(bool at_rest) const
{
    bool translucent = view_.background && view_.background->w < 1.0f;
    if (translucent) return FrameCodec::png;
    return at_rest ? FrameCodec::jpeg : moving_codec_;
}

void StreamSession::rendered(const RenderTask& task)
{
    if (drawing_ != task.id) return;
    drawing_.reset();
    ++encoding_;
}

std::vector<std::byte> StreamSession::encoded(const RenderTask& task, const DrawnFrame& drawn, StreamTime now)
{
    --encoding_;
    size_.record(task.moving, static_cast<double>(drawn.width) * drawn.height,
                 (drawn.render_us + drawn.encode_us) * 1e-6);
    adapt_detail(task, drawn);
    framing_.drawn(task.moment.clip, drawn.framing);
    auto sequence = next_sequence_++;
    unacknowledged_.emplace(sequence, Sent{now, task.view, task.moment});
    stats_.sent(drawn, now);
    return encode_frame_header({.codec = task.codec,
                                .key_frame = drawn.key_frame,
                                .full_quality = task.full_quality,
                                .sequence = sequence,
                                .input = task.input,
                                .width = drawn.width,
                                .height = drawn.height,
                                .time = task.moment.time,
                                .bounds = drawn.bounds,
                                .render_us = drawn.render_us,
                                .encode_us = drawn.encode_us});
}

void StreamSession::failed(const RenderTask& task, std::string_view why, std::optional<StreamTime> retry)
{
    if (drawing_ == task.id) {
        drawing_.reset();
    } else {
        --encoding_;
    }
    retry_at_ = retry;
    key_wanted_ = key_wanted_ || task.key_frame;
    if (retry) {
        drawn_revision_ = 0;
    } else {
        queue_text(problem_text({"cannot_draw", std::string(why)}));
        if (last_start_)
            clock_.set_playing(false, *last_start_); // otherwise every frame would fail in the same way
    }
}

// Only the render time counts, because encoding overlaps with the rendering of the next frame.
void StreamSession::adapt_detail(const RenderTask& task, const DrawnFrame& drawn)
{
    if (!task.lod) detail_.record_full_detail(task.moving, drawn.render_us * 1e-6, 1.0 / max_fps_);
}

std::vector<std::string> StreamSession::take_texts()
{
    return std::exchange(texts_, {});
}

std::optional<StreamTime> StreamSession::next_wake(StreamTime now)
{
    std::optional<StreamTime> wake;
    auto add = [&](StreamTime time) { wake = wake ? std::min(*wake, time) : time; };
    if (auto due = stats_.due()) add(*due);
    if (last_video_) add(*last_video_ + encoder_kept);
    bool can_start = has_place_to_draw();
    bool wants = wants_frame(now) || clock_.running();
    if (can_start && wants) add(std::max(now, earliest_start()));
    if (can_start && !wants && moving_ && !drawn_full_ && revision_ != 0)
        add(last_view_ + limits_.still_after);
    return wake;
}

} // namespace vitrine::server
