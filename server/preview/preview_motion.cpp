// What a preview shows of its motion: layers, adjusted joints, and the blending of one clip into another.
#include <algorithm>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include "server/preview/member_reader.hpp"
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

// The clips that are none of the asset's: "ASSET:NAME".
std::vector<std::string> other_clips(const api::PreviewMotion& base, const std::vector<std::string>& layers,
                                     const std::vector<api::PreviewClip>& own)
{
    std::vector<std::string> clips;
    const auto add = [&](const std::string& clip) {
        if (names_other_clip(own, clip) && std::ranges::find(clips, clip) == clips.end())
            clips.push_back(clip);
    };
    add(base.text);
    for (const auto& text : layers) {
        auto layer = scene::parse_layer(text);
        if (!layer) continue;
        add(layer->clip);
        add(layer->reference);
    }
    return clips;
}

} // namespace

void PreviewSession::choose_clips(const api::PreviewMotion& base, const std::vector<std::string>& layers)
{
    choice_.clips = other_clips(base, layers, info_.clips);
}

// The layers of the texts over what plays.
std::expected<MadeLayers, std::string> PreviewSession::made_of(const scene::AnimationTexts& texts) const
{
    if (texts.empty() && base_.text.empty()) return MadeLayers{};
    if (!make_layers_) return std::unexpected("layers cannot be shown");
    return make_layers_(base_, texts);
}

// 0 while the scene of another clip is loaded, so that it does not play before it is shown.
double PreviewSession::duration() const
{
    if (base_ != made_base_) return 0.0;
    return base_.clip != scene::none ? info_.clips[base_.clip].duration : layers_.duration_s;
}

bool PreviewSession::apply_layers(const ViewChange& change, bool is_other_clip)
{
    auto texts = changed_texts(texts_of_layers_, change);
    if (texts == texts_of_layers_ && !is_other_clip) return false;
    if (waits_for_scene()) { // they are made for the scene that is loaded
        texts_of_layers_ = std::move(texts);
        return true;
    }
    auto made = made_of(texts);
    if (!made) queue_text(api::problem_text("bad_value", made.error()));
    if (!made && base_.clip != scene::none && is_other_clip) { // the clip alone is right
        texts = {};
        made.emplace();
    }
    if (!made) {
        base_ = made_base_;
        return false;
    }
    texts_of_layers_ = std::move(texts);
    show_made(std::move(*made));
    return true;
}

void PreviewSession::show_made(MadeLayers made)
{
    made_base_ = base_;
    made_texts_ = texts_of_layers_;
    made_clock_.reset();
    layers_ = std::move(made);
}

// The nodes of another scene may differ. If what the viewer wants cannot be made for the scene, because the
// message that loaded it was wrong or the scene has failed, the former motion is made again: for that the
// clips of other assets that it plays may have to be loaded once more.
void PreviewSession::make_layers_again(bool scene_has_failed, PreviewTime now)
{
    layers_ = {};
    auto made = made_of(texts_of_layers_);
    if (!made && !scene_has_failed) queue_text(api::problem_text("bad_value", made.error()));
    if (!made) {
        return_to_made_base(now);
        auto others = std::exchange(texts_of_layers_, made_texts_); // than the layers
        choose_clips(base_, made_texts_.layers);
        if (waits_for_scene()) return;
        others.layers = made_texts_.layers;
        made = made_of(others);
        if (made) texts_of_layers_ = std::move(others);
    }
    if (!made) made = made_of(texts_of_layers_);
    if (!made) {
        texts_of_layers_ = {};
        made = made_of({});
    }
    if (!made) {
        base_ = {};
        made.emplace();
    }
    const bool is_other_clip = base_ != made_base_;
    show_made(std::move(*made));
    const double time = clock_.at(now);
    clock_.set_duration(duration());
    if (is_other_clip) clock_.seek(time, now);
}

// The viewer learns by a `state` that its playback is again that of the former clip.
void PreviewSession::return_to_made_base(PreviewTime now)
{
    if (fade_ && !fade_->start) fade_.reset();
    if (base_ == made_base_) return;
    base_ = made_base_;
    clock_ = shown_clock();
    queue_text(api::state_text(base_, clock_.at(now), clock_.playing()));
}

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
        return;
    }
    RenderTask shown;
    pose_task(shown, now);
    fade_ =
        PoseFade{.seconds = seconds, .from = std::move(shown.clip_time), .clock = shown_clock(), .left = now};
}

// At the first frame of the fade, when the scene that it needs is there.
void PreviewSession::begin_fade(PreviewTime now)
{
    if (!fade_ || fade_->start || !may_start(now)) return;
    auto held = hold_pose_(fade_->from);
    if (!held) return fade_.reset();
    fade_->held = std::move(*held);
    fade_->start = now;
}

bool PreviewSession::is_fading(PreviewTime now) const
{
    return fade_ && (!fade_->start || Seconds(now - *fade_->start).count() < fade_->seconds);
}

// The present motion, and over it the former pose with a falling weight.
scene::SharedLayers PreviewSession::faded_layers(double time, PreviewTime now) const
{
    const auto passed = now - *fade_->start;
    const double weight = eased(std::clamp(Seconds(passed).count() / fade_->seconds, 0.0, 1.0));
    const double from_time = fade_->clock.at(fade_->left + passed);
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

// Sets the pose of a task. While layers or a fade move the model, the image stays framed as before, so that
// the camera does not follow a joint that the viewer turns.
void PreviewSession::pose_task(RenderTask& task, PreviewTime now) const
{
    const double time = pose_time(now);
    const bool fades = is_fading(now) && fade_->start;
    task.motion = made_base_;
    task.clip_time = {made_base_.clip, time, fades ? faded_layers(time, now) : layers_.layers};
    if (fades)
        task.view.framing = framing_.box();
    else if (!made_texts_.empty())
        task.view.framing = framing_.box_of(made_base_);
}

} // namespace vitrine::server
