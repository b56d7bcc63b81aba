#pragma once
// Curves to channels of T, R, S and weights.
//
// Where the curves are straight lines in T, R and S (a translation, a scale, one angle, whole matrices, as
// most programs write) the keys stay as they are, turns of more than 90 degrees cut into smaller ones.
// Everything else (Bezier curves, several angles, single numbers of a matrix) is sampled: between keys as
// often as it takes to stay within 1e-4 radians and 1e-5 of the largest translation and scale, or at even
// steps where that is more than sampling.hpp allows.

#include "loaders/dae/animation/animations.hpp"
#include "loaders/dae/drawables/drawables.hpp"
#include "loaders/dae/nodes/nodes.hpp"

namespace vitrine::dae {

// The last step that takes keys: the budget stays as it is. Errors: limit_exceeded.
LoadResult<void> add_clips(const Animations& animations, const NodeTree& tree,
                           const std::vector<MorphedNode>& morphed, const io::Budget& budget,
                           io::WarningLog& warnings, scene::Scene& scene);

} // namespace vitrine::dae
