#pragma once
// --clip, --time, --file-time, --frame, --layer, --turn, --move, --scale, --reach, --attach,
// --variant, --skinning, --lod, --hide, --only, --surface: select the pose, the material variant, the
// skinning method and what is shown.

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/App.hpp>

#include "loaders/scene/layers/layer_text.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/parts/looks.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::cli {

struct PoseArguments {
    std::optional<std::string> clip{};
    std::optional<double> time{};         // seconds from the clip's start
    std::optional<double> file_time{};    // seconds on the file's timeline
    std::optional<std::uint32_t> frame{}; // frame of the clip; without --clip, of the file
    scene::AnimationTexts animation{};
    std::vector<std::string> attachments{}; // FILE@JOINT, as layers/attach.hpp defines
    bool no_extrapolation = false;
    std::optional<std::string> variant{};            // material variant
    std::optional<scene::SkinningMethod> skinning{}; // instead of the file's
    scene::LookTexts look{};
};

// An option whose value is one of the words, which its help lists. `words` must outlive the app.
template <class Target, class Value, std::size_t count>
CLI::Option* add_word_option(CLI::App& app, const std::string& name, Target& target,
                             const std::array<std::pair<std::string_view, Value>, count>& words,
                             const std::string& description)
{
    std::vector<std::string> names;
    for (const auto& [word, value] : words)
        names.emplace_back(word);
    const auto set = [&target, &words](const std::string& text) {
        for (const auto& [word, value] : words)
            if (word == text) target = value;
    };
    return app.add_option_function<std::string>(name, set, description)->check(CLI::IsMember(names));
}

void add_pose_options(CLI::App& app, PoseArguments& arguments);
// Those of a motion, without a time: --clip, --layer, --turn, --move, --scale, --reach, --attach.
void add_motion_options(CLI::App& app, PoseArguments& arguments);
void add_variant_option(CLI::App& app, std::optional<std::string>& variant);
// --lod, --hide, --only, --surface.
void add_look_options(CLI::App& app, scene::LookTexts& look);

// Finds a clip as scene::find_clip() does with ClipLookup::lenient. The error is a sentence that lists some
// names.
std::expected<std::uint32_t, std::string> select_clip(const scene::Scene& scene, std::string_view text);

struct ChosenPose {
    std::uint32_t clip = scene::none; // none: the file's static pose
    double time = 0.0; // seconds from the clip's start; may be outside the clip only with --file-time
    ExtrapolationPolicy outside = ExtrapolationPolicy::extrapolated;
    scene::SharedLayers layers{}; // evaluated instead of the clip, which may be below them
};

// Loads another file, whose clips are played too; the error is a sentence.
using LoadOtherFile = std::function<std::expected<scene::Scene, std::string>(const std::string& file)>;

// Without arguments: the static pose. Only a clip: its start. Only a time: in the first clip; a model without
// clips keeps its static pose. Frames are 1 / frame rate apart, 1/30 s where the format has no rate. A time
// or frame of a clip must be within the clip; a time on the file's timeline may be outside, where curves are
// extrapolated as the file declares. With layers or adjusted joints and without a clip: over the static pose;
// a time is that of the layers, and curves end with their clip. "FILE:NAME" addresses a clip of another file,
// if no clip has this text as its name and `load_other` is set; "FILE:" its first one.
std::expected<ChosenPose, std::string> choose_pose(const scene::Scene& scene, const PoseArguments& arguments,
                                                   const LoadOtherFile& load_other = {});

void evaluate(const scene::Scene& scene, const ChosenPose& chosen, scene::Pose& pose);

} // namespace vitrine::cli
