// What a preview shows of its motion: layers, adjusted joints, and the blending of one clip into another.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "server/preview/preview_session.hpp"

namespace vitrine::server {
namespace {

using Seconds = std::chrono::duration<double>;

// Starts and ends slowly.
double eased(double share)
{
    return share * share * (3.0 - 2.0 * share);
}

scene::AnimationTexts changed_texts(scene::AnimationTexts texts, const ViewChange& change)
{
    const auto replace = [](std::vector<std::string>& list,
                            const std::optional<std::vector<std::string>>& by) {
        if (by) list = *by;
    };
    replace(texts.layers, change.layers);
    replace(texts.turns, change.turns);
    replace(texts.moves, change.moves);
    replace(texts.scales, change.scales);
    replace(texts.reaches, change.reaches);
    return texts;
}

} // namespace

bool PreviewSession::apply_layers(const ViewChange& change, bool is_other_clip)
{
    auto texts = changed_texts(texts_of_layers_, change);
    const bool has_layers = layers_.layers || !frame_range_.empty();
    if (texts == texts_of_layers_ && !(is_other_clip && has_layers)) return false;
    MadeLayers made;
    if (waits_for_scene()) { // they are made for the scene that is loaded
        texts_of_layers_ = std::move(texts);
        return true;
    }
    auto all = texts;
    if (!frame_range_.empty()) all.layers.insert(all.layers.begin(), frame_range_);
    if (!all.empty()) {
        if (!make_layers_) return false;
        auto layers = make_layers_(clip_.value_or(scene::none), all);
        if (!layers) {
            queue_text(api::problem_text("bad_value", layers.error()));
            if (!is_other_clip) return false;
            texts = {}; // the former layers belong to the former clip
            frame_range_.clear();
        } else {
            made = std::move(*layers);
        }
    }
    texts_of_layers_ = std::move(texts);
    layers_ = std::move(made);
    return true;
}

// The nodes of another scene may differ.
void PreviewSession::make_layers_again()
{
    const auto texts = std::exchange(texts_of_layers_, {});
    layers_ = {};
    apply_layers({.layers = texts.layers,
                  .turns = texts.turns,
                  .moves = texts.moves,
                  .scales = texts.scales,
                  .reaches = texts.reaches},
                 !frame_range_.empty());
    clock_.set_duration(clip_ ? info_.clips[*clip_].duration : layers_.duration_s);
}

// Remembers the pose that is left for another clip.
void PreviewSession::start_fade(const ViewChange& change, PreviewTime now)
{
    if (!change.clip || *change.clip == clip_) return;
    fade_.reset();
    if (change.fade.value_or(0.0) > 0.0 && revision_ != 0)
        fade_ = ClipFade{clip_.value_or(scene::none), clock_.at(now), now, *change.fade};
}

bool PreviewSession::is_fading(PreviewTime now) const
{
    return fade_ && Seconds(now - fade_->start).count() < fade_->seconds;
}

// The former clip, the present one with a growing weight over it, then the layers of the viewer.
scene::SharedLayers PreviewSession::faded_layers(double time, PreviewTime now) const
{
    const double passed = Seconds(now - fade_->start).count();
    const double weight = eased(std::clamp(passed / fade_->seconds, 0.0, 1.0));
    double from_time = fade_->from_time;
    if (fade_->from != scene::none && clock_.playing()) {
        const double duration = info_.clips[fade_->from].duration;
        from_time = duration > 0.0 ? std::fmod(from_time + passed, duration) : 0.0;
    }
    scene::AnimationLayers faded;
    if (fade_->from != scene::none)
        faded.layers.push_back({.clip = fade_->from,
                                .time = from_time,
                                .weight = static_cast<float>(clip_ ? 1.0 : 1.0 - weight)});
    if (clip_) faded.layers.push_back({.clip = *clip_, .time = time, .weight = static_cast<float>(weight)});
    if (layers_.layers) {
        const auto& own = *layers_.layers;
        faded.layers.insert(faded.layers.end(), own.layers.begin() + (clip_ ? 1 : 0), own.layers.end());
        faded.adjustments = own.adjustments;
        faded.reaches = own.reaches;
        faded.key = own.key;
    }
    faded.key += fmt::format(" fade {} {} {} {} {}", fade_->from, from_time, clip_.value_or(scene::none),
                             time, weight);
    return std::make_shared<const scene::AnimationLayers>(std::move(faded));
}

// Sets the pose of a task. While layers or a fade move the model, the image stays framed as before, so that
// the camera does not follow a joint that the viewer turns.
void PreviewSession::pose_task(RenderTask& task, PreviewTime now) const
{
    const auto clip = clip_.value_or(scene::none);
    const double time = pose_time(now);
    const bool fades = is_fading(now);
    task.clip_time = {clip, time, fades ? faded_layers(time, now) : layers_.layers};
    if (fades)
        task.view.framing = framing_.box();
    else if (layers_.layers)
        task.view.framing = framing_.box_of(clip);
}

} // namespace vitrine::server
