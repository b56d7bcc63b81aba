// Messages of the viewer: how they change the state of a PreviewSession.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "server/preview/preview_session.hpp"

namespace vitrine::server {
namespace {

using Seconds = std::chrono::duration<double>;

// Assigns `change` if it is set; returns whether the value has changed.
template <class T>
bool assign(T& value, const std::optional<T>& change)
{
    if (!change || value == *change) return false;
    value = *change;
    return true;
}

void set_playback(const ViewChange& change, PlaybackClock& clock, PreviewTime now)
{
    if (change.loop) clock.set_loop(*change.loop, now);
    if (change.speed) clock.set_speed(*change.speed, now);
    if (change.time) clock.seek(*change.time, now);
    if (change.playing) clock.set_playing(*change.playing, now);
}

} // namespace

bool PreviewSession::consume_message_token(PreviewTime now)
{
    double refill = Seconds(now - tokens_at_).count() * limits_.max_messages_per_second;
    tokens_ = std::min(limits_.max_messages_per_second, tokens_ + refill) - 1.0;
    tokens_at_ = now;
    return tokens_ >= 0.0;
}

bool PreviewSession::receive(std::string_view text, PreviewTime now)
{
    if (!consume_message_token(now)) return false;
    auto parsed = parse_message(text, info_);
    if (!parsed) {
        queue_text(api::problem_text(parsed.error().code, parsed.error().detail));
        return true;
    }
    if (parsed->ignored) queue_text(api::problem_text(parsed->ignored->code, parsed->ignored->detail));
    if (auto view = std::get_if<ViewChange>(&parsed->message)) apply(*view, now);
    if (auto decoder = std::get_if<DecoderStart>(&parsed->message)) {
        moving_codec_ = decoder->codec;
        needs_key_frame_ = is_video(decoder->codec);
    }
    if (auto ack = std::get_if<Ack>(&parsed->message)) acknowledge(ack->sequence, now);
    if (auto pick = std::get_if<PickRequest>(&parsed->message)) want_pick(*pick);
    if (auto request = std::get_if<StepRequest>(&parsed->message)) step(*request, now);
    if (auto quality = std::get_if<QualityChange>(&parsed->message)) {
        if (quality->jpeg_quality && *quality->jpeg_quality != quality_) ++revision_;
        quality_ = quality->jpeg_quality.value_or(quality_);
        if (assign(max_fps_, quality->max_frames_per_second)) lod_selector_.forget();
    }
    return true;
}

void PreviewSession::apply(const ViewChange& change, PreviewTime now)
{
    start_fade(change, now);
    apply_scene_choice(change); // the image changes when the scene has been loaded
    const bool resized = apply_size(change);
    const bool spread = assign(view_.crowd, change.crowd);
    std::array changes{resized,
                       spread,
                       assign(view_.ghosts, change.ghosts),
                       apply_camera(change),
                       apply_playback(change, now),
                       assign(view_.overlays, change.overlays),
                       assign(view_.background, change.background),
                       assign(view_.light, change.light)};
    input_ = change.input.value_or(input_);
    moving_ = change.moving.value_or(moving_);
    last_view_ = now;
    bool first = revision_ == 0;
    if (resized || spread) lod_selector_.forget();
    if (spread) framing_ = {}; // the next image is framed anew
    if (spread && fade_) fade_->from_box = fade_->to_box = std::nullopt;
    if (first || std::ranges::find(changes, true) != changes.end()) ++revision_;
}

void PreviewSession::apply_scene_choice(const ViewChange& change)
{
    assign(choice_.variant, change.variant);
    assign(choice_.skinning, change.skinning);
    assign(choice_.attachments, change.attachments);
    assign(choice_.look.lod, change.lod);
    assign(choice_.look.hide, change.hide);
    assign(choice_.look.only, change.only);
    assign(choice_.look.surface, change.surface);
    assign(choice_.row, change.row);
    if (change.clip || change.layers)
        choose_clips(change.clip.value_or(base_), change.layers.value_or(texts_of_layers_.layers));
}

bool PreviewSession::apply_camera(const ViewChange& change)
{
    auto& camera = view_.camera;
    std::array changes{assign(camera.yaw, change.yaw), assign(camera.pitch, change.pitch),
                       assign(camera.distance, change.distance), assign(camera.target, change.target),
                       assign(camera.orthographic, change.orthographic)};
    return std::ranges::find(changes, true) != changes.end();
}

// Returns whether the clip or its layers have changed; a change of the time is seen from the clock.
bool PreviewSession::apply_playback(const ViewChange& change, PreviewTime now)
{
    const auto former_base = base_;
    const auto former_clock = clock_;
    assign(base_, change.clip);
    const bool has_other_layers = apply_layers(change, base_ != former_base);
    const bool is_other_clip = base_ != former_base;
    if (is_other_clip || has_other_layers) clock_.set_duration(duration());
    if (is_other_clip) clock_.seek(0.0, now);
    set_playback(change, clock_, now);
    if (base_ == made_base_)
        made_clock_.reset();
    else if (!made_clock_)
        made_clock_ = former_clock;
    else if (!is_other_clip)
        set_playback(change, *made_clock_, now); // it goes on if the other clip cannot be shown
    return is_other_clip || has_other_layers;
}

bool PreviewSession::apply_size(const ViewChange& change)
{
    css_width_ = change.width.value_or(css_width_);
    css_height_ = change.height.value_or(css_height_);
    pixel_ratio_ = change.device_pixel_ratio.value_or(pixel_ratio_);
    double width = css_width_ * pixel_ratio_;
    double height = css_height_ * pixel_ratio_;
    double fit = std::min(1.0, limits_.max_side / std::max(width, height));
    auto pixels = [&](double side) {
        return static_cast<std::uint32_t>(std::max(1.0, std::round(side * fit)));
    };
    bool wider = assign(view_.width, std::optional(pixels(width)));
    bool higher = assign(view_.height, std::optional(pixels(height)));
    return wider || higher;
}

void PreviewSession::acknowledge(std::uint32_t sequence, PreviewTime now)
{
    auto found = unacknowledged_.find(sequence);
    if (found == unacknowledged_.end() || sequence > sending_sequence_) return;
    stats_.acknowledged(Seconds(now - found->second.at).count());
    if (sequence >= displayed_sequence_) {
        displayed_ = std::move(found->second);
        displayed_sequence_ = sequence;
    }
    unacknowledged_.erase(found);
}

// The clip whose keys the time steps through: the one that is shown, or without it the first layer that plays
// as the time goes (a range of frames, a clip of another asset).
std::optional<scene::PoseLayer> PreviewSession::stepped_layer() const
{
    if (base_.clip != scene::none) return scene::PoseLayer{.clip = base_.clip};
    if (!layers_.layers) return std::nullopt;
    const auto& layers = layers_.layers->layers;
    const auto plays = [](const scene::PoseLayer& layer) { return !layer.time && layer.speed == 1.0; };
    const auto found = std::ranges::find_if(layers, plays);
    return found != layers.end() ? std::optional(*found) : std::nullopt;
}

// Stops at the key or frame.
void PreviewSession::step(const StepRequest& request, PreviewTime now)
{
    const auto layer = stepped_layer();
    if (!layer || !step_time_ || waits_for_scene())
        return queue_text(api::problem_text("cannot_step", "no clip is shown"));
    const auto stepped = step_time_(*layer, clock_.at(now), request);
    clock_.set_playing(false, now);
    clock_.seek(stepped.time, now);
    last_view_ = now;
    queue_text(api::state_text(base_, stepped.time, false));
    queue_text(api::stepped_text(base_, stepped.time, stepped.place));
}

void PreviewSession::want_pick(const PickRequest& request)
{
    if (!displayed_)
        return queue_text(api::problem_text("cannot_pick", "no frame has been acknowledged yet"));
    const auto& view = displayed_->view;
    const auto pixel = [](double share, std::uint32_t side) {
        return std::min(static_cast<std::uint32_t>(share * side), side - 1);
    };
    pick_ = PickTask{.id = request.id,
                     .view = view,
                     .clip_time = displayed_->clip_time,
                     .x = pixel(request.x, view.width),
                     .y = pixel(request.y, view.height)};
}

} // namespace vitrine::server
