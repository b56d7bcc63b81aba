#pragma once
// The arguments of `vitrine render`, and the frames that they select.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/App.hpp>

#include "loaders/scene/lineup/lineup.hpp"
#include "loaders/worker/client/client.hpp"
#include "server/cli/pose_options.hpp"
#include "server/cli/view_options.hpp"
#include "server/services/rendering/sequence_plan.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::cli {

inline constexpr std::string_view nothing_to_draw =
    "the model has no visible mesh, so there is nothing to draw";

struct RenderArguments {
    std::vector<std::string> files;    // several: side by side
    std::vector<std::string> models{}; // "N.OPTION=VALUE": an option of the pose, for file N of several
    scene::LineupSizes sizes = scene::LineupSizes::actual;
    scene::LineupScale scale{}; // of each of several files
    worker::ClientOptions loading;
    std::string output;
    std::string pick; // "X,Y"
    PoseArguments pose;
    ViewArguments view;
    std::string gpu = "auto";
    std::uint32_t turntable = 0;
    std::uint32_t frames = 0;
    int quality = 85;
};

// --unit and --height.
void add_scale_options(CLI::App& app, scene::LineupScale& scale);

// Errors: sentences about a joint, clip, time or motion that the scene lacks.
std::expected<server::FrameSequencePlan, std::string>
plan_frames(const render::SharedScene& scene, const render::View& view, const RenderArguments& arguments);

// The files side by side (scene::make_lineup()) with the poses that the arguments select for each.
struct LoadedLineup {
    render::SharedScene scene;
    render::ClipTime motion; // of all
};
// Loads them. Empty after a message on stderr.
std::optional<LoadedLineup> load_lineup_or_report(const RenderArguments& arguments,
                                                  const worker::ClientOptions& loading,
                                                  render::LightingPreset light);
std::expected<server::FrameSequencePlan, std::string>
plan_frames(const LoadedLineup& lineup, const render::View& view, const RenderArguments& arguments);

} // namespace vitrine::cli
