#pragma once
// Selects the clip and time that represent an animated scene in a still image (not the bind pose). Pure
// functions.

#include <cstddef>
#include <cstdint>
#include <limits>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

struct RepresentativePose {
    std::uint32_t clip = none; // none: the static pose, nothing is animated
    double time = 0.0;         // seconds from the clip's start
};
// The clips that may be selected: the first ones of the scene. Others, such as user clips of the server,
// follow.
struct CandidateClips {
    std::size_t count = std::numeric_limits<std::size_t>::max(); // more than the scene has: all
};
// Selects the time of a clip whose pose differs most from the static pose, excluding outliers within the clip
// and poses in which much of the model has vanished or is far away. Among several such times, the one nearest
// to 0.35 of the clip's duration (preferred_time_fraction). `clip` none: the static pose.
RepresentativePose select_representative_pose(const Scene& scene, std::uint32_t clip);
// Selects from the best-ranked clip (the first of several) among those with motion. An idle clip that hardly
// differs from the bind pose is passed over for a walk, run or attack clip that differs; a clip that hides
// the model throughout is not used. Without motion in any clip, selects from a clip whose constant pose is
// not the static pose.
RepresentativePose select_representative_pose(const Scene& scene, CandidateClips candidates = {});
// As above for animated images. If the selected clip (often an idle) has little visible motion, uses the
// first walk, run or attack clip, or one of the first few clips with unknown names, that has more; else the
// clip that moves much more than the others, if any.
RepresentativePose select_representative_motion(const Scene& scene, CandidateClips candidates = {});
// The clip of select_representative_pose().
std::uint32_t select_representative_clip(const Scene& scene, CandidateClips candidates = {});

} // namespace vitrine::scene
