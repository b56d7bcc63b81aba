// How a preview blends one motion into another.
#include <algorithm>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include "server/preview/preview_session.hpp"

namespace vitrine::server {
namespace {

using Seconds = std::chrono::duration<double>;

// The weight of the new motion. Precondition: the fade has started.
double weight_of(const PoseFade& fade, PreviewTime now)
{
    const double share = std::clamp(Seconds(now - *fade.start).count() / fade.seconds, 0.0, 1.0);
    if (fade.curve == FadeCurve::linear) return share;
    return share * share * (3.0 - 2.0 * share); // starts and ends slowly
}

} // namespace

bool PreviewSession::is_other_motion(const ViewChange& change) const
{
    if (change.clip && *change.clip != base_) return true;
    return change.layers && *change.layers != texts_of_layers_.layers;
}

// Remembers the pose that is left for another motion. Until a frame of the fade is drawn, that pose is shown.
void PreviewSession::start_fade(const ViewChange& change, PreviewTime now)
{
    if (!is_other_motion(change)) return;
    const double seconds = change.fade.value_or(0.0);
    if (seconds <= 0.0 || revision_ == 0 || !hold_pose_) {
        if (change.clip) fade_.reset(); // a change of the layers alone leaves a fade as it is
        return;
    }
    if (fade_ && !fade_->start) {
        fade_->seconds = seconds;
        fade_->curve = change.fade_curve.value_or(FadeCurve::smooth);
        return;
    }
    RenderTask shown;
    pose_task(shown, now);
    const auto box = shown.view.framing ? shown.view.framing : framing_.box();
    fade_ = PoseFade{.seconds = seconds,
                     .curve = change.fade_curve.value_or(FadeCurve::smooth),
                     .from = std::move(shown.clip_time),
                     .clock = shown_clock(),
                     .left = now,
                     .from_box = box};
}

// At the first frame of the fade, when the scene that it needs is there.
void PreviewSession::begin_fade(PreviewTime now)
{
    if (!fade_ || fade_->start || !may_start(now)) return;
    auto held = hold_pose_(fade_->from);
    if (!held) return fade_.reset();
    fade_->held = std::move(*held);
    fade_->start = now;
    fade_->to_box = kept_framing();
}

bool PreviewSession::is_fading(PreviewTime now) const
{
    return fade_ && (!fade_->start || Seconds(now - *fade_->start).count() < fade_->seconds);
}

// The present motion, and over it the former pose with a falling weight.
scene::SharedLayers PreviewSession::faded_layers(double time, PreviewTime now) const
{
    const double weight = weight_of(*fade_, now);
    const double from_time = fade_->clock.at(fade_->left + (now - *fade_->start));
    scene::AnimationLayers faded;
    if (layers_.layers)
        faded = *layers_.layers;
    else if (base_.clip != scene::none)
        faded.layers.push_back({.clip = base_.clip});
    if (faded.layers.size() + 2 > scene::max_layers) return layers_.layers;
    const auto former = static_cast<float>(1.0 - weight);
    faded.layers.push_back({.bound_clip = fade_->held.rest, .time = 0.0, .weight = former});
    if (fade_->held.playing) {
        auto& playing = faded.layers.emplace_back(*fade_->held.playing);
        playing.time = from_time;
        playing.weight = former;
    }
    const auto& from = fade_->from;
    const auto from_key = fmt::format("{} {} {}", from.clip, from.time, from.layers ? from.layers->key : "");
    faded.key += fmt::format(" fade {:x} {} {} {} {}", std::hash<std::string>()(from_key), from_time,
                             base_.clip, time, weight);
    return std::make_shared<const scene::AnimationLayers>(std::move(faded));
}

// The box of what plays, without the layers and joints over it: the camera does not follow a joint that the
// viewer turns. Nothing if it is unknown, or if nothing is over it; then the renderer measures the box.
std::optional<scene::Aabb> PreviewSession::kept_framing() const
{
    return made_texts_.empty() ? std::nullopt : framing_.box_of(made_base_);
}

// Frames by a box that changes as the pose does.
void PreviewSession::frame_fade(RenderTask& task, PreviewTime now) const
{
    const auto &from = fade_->from_box, &to = fade_->to_box;
    task.is_fading = true;
    task.view.framing = from ? from : to;
    if (!to) task.measured = {made_base_.clip, 0.0, layers_.layers};
    if (!from || !to) return;
    const auto weight = static_cast<float>(weight_of(*fade_, now));
    task.view.framing =
        scene::Aabb{glm::mix(from->min, to->min, weight), glm::mix(from->max, to->max, weight)};
}

void PreviewSession::measured(const RenderTask& task, const render::Framing& framing)
{
    const render::ClipTime motion{made_base_.clip, 0.0, layers_.layers};
    if (!fade_ || task.measured != motion || task.view.crowd != view_.crowd) return;
    fade_->to_box = framing.framed;
    framing_.learn(made_base_, framing);
}

// Sets the pose of a task.
void PreviewSession::pose_task(RenderTask& task, PreviewTime now) const
{
    const double time = pose_time(now);
    const bool fades = is_fading(now) && fade_->start;
    task.motion = made_base_;
    task.clip_time = {made_base_.clip, time, fades ? faded_layers(time, now) : layers_.layers};
    if (fades)
        frame_fade(task, now);
    else
        task.view.framing = kept_framing();
}

} // namespace vitrine::server
