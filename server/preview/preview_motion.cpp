// What a preview shows of its motion: layers, adjusted joints, and the blending of one clip into another.
#include <algorithm>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include "loaders/scene/layers/frame_range.hpp"
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

// The clips of layers that are none of the asset's: "ASSET:NAME".
std::vector<std::string> other_clips(const std::vector<std::string>& layers,
                                     const std::vector<api::PreviewClip>& own)
{
    std::vector<std::string> clips;
    const auto add = [&](std::string& clip) {
        if (!clip.contains(':') || find_clip(own, clip)) return;
        if (std::string_view(clip).starts_with(scene::frame_range_prefix)) return;
        if (std::ranges::find(clips, clip) == clips.end()) clips.push_back(std::move(clip));
    };
    for (const auto& text : layers) {
        auto layer = scene::parse_layer(text);
        if (!layer) continue;
        add(layer->clip);
        add(layer->reference);
    }
    return clips;
}

} // namespace

void PreviewSession::choose_clips(const std::vector<std::string>& layers)
{
    choice_.clips = other_clips(layers, info_.clips);
}

// The layers of the texts for the clip that is shown, over the range of frames if there is one.
std::expected<MadeLayers, std::string> PreviewSession::made_of(scene::AnimationTexts texts) const
{
    if (!frame_range_.empty()) texts.layers.insert(texts.layers.begin(), frame_range_);
    if (texts.empty()) return MadeLayers{};
    return make_layers_(clip_.value_or(scene::none), texts);
}

bool PreviewSession::apply_layers(const ViewChange& change, bool is_other_clip)
{
    auto texts = changed_texts(texts_of_layers_, change);
    const bool has_layers = layers_.layers || !frame_range_.empty();
    if (texts == texts_of_layers_ && !(is_other_clip && has_layers)) return false;
    if (waits_for_scene()) { // they are made for the scene that is loaded
        texts_of_layers_ = std::move(texts);
        return true;
    }
    if (!make_layers_ && !(texts.empty() && frame_range_.empty())) return false;
    auto made = made_of(texts);
    if (!made) {
        queue_text(api::problem_text("bad_value", made.error()));
        if (!is_other_clip) return false;
        texts = {}; // the former layers belong to the former clip
        frame_range_.clear();
        made.emplace();
    }
    made_texts_ = texts_of_layers_ = std::move(texts);
    layers_ = std::move(*made);
    return true;
}

// The nodes of another scene may differ. If what the viewer wants cannot be made for the scene, because the
// message that loaded it was wrong or the scene has failed, the former layers are made again: for that the
// clips of other assets that they play may have to be loaded once more.
void PreviewSession::make_layers_again(bool scene_has_failed)
{
    layers_ = {};
    auto made = make_layers_ ? made_of(texts_of_layers_) : MadeLayers{};
    if (!made && !scene_has_failed) queue_text(api::problem_text("bad_value", made.error()));
    if (!made) {
        auto others = std::exchange(texts_of_layers_, made_texts_); // than the layers
        choose_clips(made_texts_.layers);
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
        frame_range_.clear();
        made.emplace();
    }
    made_texts_ = texts_of_layers_;
    layers_ = std::move(*made);
    clock_.set_duration(clip_ ? info_.clips[*clip_].duration : layers_.duration_s);
}

bool PreviewSession::is_other_motion(const ViewChange& change) const
{
    if (change.clip && (*change.clip != clip_ || change.frame_range != frame_range_)) return true;
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
    fade_ = PoseFade{.seconds = seconds, .from = std::move(shown.clip_time), .clock = clock_, .left = now};
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
    else if (clip_)
        faded.layers.push_back({.clip = *clip_});
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
                             clip_.value_or(scene::none), time, weight);
    return std::make_shared<const scene::AnimationLayers>(std::move(faded));
}

// Sets the pose of a task. While layers or a fade move the model, the image stays framed as before, so that
// the camera does not follow a joint that the viewer turns.
void PreviewSession::pose_task(RenderTask& task, PreviewTime now) const
{
    const auto clip = clip_.value_or(scene::none);
    const double time = pose_time(now);
    const bool fades = is_fading(now) && fade_->start;
    task.clip_time = {clip, time, fades ? faded_layers(time, now) : layers_.layers};
    if (fades)
        task.view.framing = framing_.box();
    else if (layers_.layers)
        task.view.framing = framing_.box_of(clip);
}

} // namespace vitrine::server
