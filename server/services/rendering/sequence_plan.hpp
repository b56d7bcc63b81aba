#pragma once
// Plans the frames of a sequence for sprite sheets, animated WebP and the command line. Pure functions; they
// take some milliseconds.

#include <cstdint>
#include <vector>

#include "loaders/scene/preview/representative_pose.hpp"
#include "vk_renderer/base/options.hpp"

namespace vitrine::server {

// Returns `count` frames, evenly spaced over the clip without its end, so that a loop shows no frame twice.
// An automatic camera is chosen for `pose` of the clip, at a distance at which every frame is visible.
// Precondition: pose.clip is a clip.
std::vector<render::FrameRequest> plan_clip(const render::SharedScene& scene, const render::View& view,
                                            const scene::RepresentativePose& pose, std::uint32_t count);

// Returns `count` frames of one turn of the camera around the pose at `clip_time`, starting with the best
// view.
std::vector<render::FrameRequest> plan_orbit(const render::SharedScene& scene, const render::View& view,
                                             render::ClipTime clip_time, std::uint32_t count);

} // namespace vitrine::server
