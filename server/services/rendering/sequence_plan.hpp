#pragma once
// Plans frames and timing of a sequence for sprite sheets, animated WebP and the command line. Pure
// functions; they take some milliseconds.

#include <cstdint>
#include <vector>

#include "vk_renderer/base/options.hpp"

namespace vitrine::server {

// The frames of one sequence, in output order, and the time that they take together as an animation: 4 s for
// a turn, the clip's duration but at least 0.1 s for a clip.
struct FrameSequencePlan {
    std::vector<render::FrameRequest> frame_requests;
    double duration_s = 0.0;

    double frames_per_second() const
    {
        return duration_s > 0.0 ? static_cast<double>(frame_requests.size()) / duration_s : 0.0;
    }
};

// `count` frames, evenly spaced over the clip or layers of `shown` without the end, so that a loop shows no
// frame twice. An automatic camera is chosen for the pose at `shown`, at a distance at which every frame is
// visible.
FrameSequencePlan plan_clip(const render::SharedScene& scene, const render::View& view,
                            const render::ClipTime& shown, std::uint32_t count);

// `count` frames of one turn of the camera around the pose at `clip_time`, starting with the best view.
FrameSequencePlan plan_orbit(const render::SharedScene& scene, const render::View& view,
                             render::ClipTime clip_time, std::uint32_t count);

} // namespace vitrine::server
