// What a preview shows of its motion: a clip, layers and adjusted joints.
#include <algorithm>
#include <utility>

#include "server/preview/member_reader.hpp"
#include "server/preview/preview_session.hpp"

namespace vitrine::server {
namespace {

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

void PreviewSession::set_make_layers(MakeLayers make_layers)
{
    make_layers_ = std::move(make_layers);
    if (!info_.row) return;
    if (auto made = made_of({})) show_made(std::move(*made));
    clock_.set_duration(duration());
}

void PreviewSession::row_shown(double duration, boost::json::object places)
{
    queue_text(api::row_text(shown_choice_.row, duration, std::move(places)));
}

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

} // namespace vitrine::server
