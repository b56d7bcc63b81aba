#pragma once
// The arguments of `vitrine render`, and the frames that they select.

#include <cstdint>
#include <expected>
#include <string>

#include "loaders/worker/client/client.hpp"
#include "server/cli/pose_options.hpp"
#include "server/cli/view_options.hpp"
#include "server/services/rendering/sequence_plan.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::cli {

struct RenderArguments {
    std::string file;
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

// Errors: sentences about a joint, clip, time or motion that the scene lacks.
std::expected<server::FrameSequencePlan, std::string>
plan_frames(const render::SharedScene& scene, const render::View& view, const RenderArguments& arguments);

} // namespace vitrine::cli
