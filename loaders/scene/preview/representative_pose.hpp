#pragma once
// Which clip and moment show an animated scene to somebody who has not seen it: not the T-pose. Pure.

#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

struct RepresentativePose {
    std::uint32_t clip = none; // none: the static pose, nothing moves
    double time = 0.0;         // seconds from the clip's start
};
// The moment of a clip that lies farthest from the static pose, but for those that are far from all others in
// the clip and those at which much of the model has vanished or flown away; the one nearest to a third of it
// where several do. `clip` none: the static pose.
RepresentativePose find_representative_pose(const Scene& scene, std::uint32_t clip);
// Of the clip of the best rank among those in which anything moves, the first of several; an idle one that
// hardly differs from the bind pose gives way to a walk, a run, an attack that does, and one that hides the
// model all along is none. Where none moves, of one that holds another pose than the static one.
RepresentativePose find_representative_pose(const Scene& scene);
// The same for pictures that move: where that clip is hardly seen to move, as many an idle one, of the first
// walk, run or attack, or of a few clips whose names say nothing, that is; where none is, of that which moves
// much more than the others.
RepresentativePose find_representative_motion(const Scene& scene);
// The clip of find_representative_pose().
std::uint32_t find_representative_clip(const Scene& scene);

} // namespace vitrine::scene
