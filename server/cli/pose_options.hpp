#pragma once
// --clip, --time, --file-time, --frame, --variant: which pose and which materials a command means.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/App.hpp>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::cli {

struct PoseArguments {
    std::optional<std::string> clip{};
    std::optional<double> time{};         // seconds from the clip's start
    std::optional<double> file_time{};    // seconds on the file's time line
    std::optional<std::uint32_t> frame{}; // of the clip; without --clip of the file
    bool no_extrapolation = false;
    std::optional<std::string> variant{}; // of the materials
};

void add_pose_options(CLI::App& app, PoseArguments& arguments);
void add_variant_option(CLI::App& app, std::optional<std::string>& variant);

// A clip of exactly this name, else of this index or id ("c0", as `inspect` and REST have it), else the first
// whose name holds it (case counts, then not). The error is a sentence that lists some names.
std::expected<std::uint32_t, std::string> find_clip(const scene::Scene& scene, std::string_view wanted);

struct ChosenPose {
    std::uint32_t clip = scene::none; // none: the static pose of the file
    double time = 0.0; // seconds from the clip's start; outside it only on the file's time line
    scene::ExtrapolationPolicy outside = scene::ExtrapolationPolicy::extrapolated;
};

// None of the arguments: the static pose. A clip alone: its start. A time alone: of the first clip; a model
// without clips keeps its static pose at every time. Frames are 1 / frame rate apart, 1/30 s where the format
// has no rate. A time or a frame of a clip stays within the clip; one of the file's time line may lie
// outside, where the curves go on as the file says.
std::expected<ChosenPose, std::string> choose_pose(const scene::Scene& scene, const PoseArguments& arguments);

void evaluate(const scene::Scene& scene, const ChosenPose& chosen, scene::Pose& pose);

} // namespace vitrine::cli
