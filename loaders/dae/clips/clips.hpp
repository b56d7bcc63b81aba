#pragma once
// Converts curves to channels of T, R, S and weights.
//
// Where the curves are linear in T, R and S (a translation, a scale, one angle, whole matrices, as most
// programs write) the keys are kept; rotations of more than 90 degrees are split. Everything else (Bezier
// curves, several angles, single numbers of a matrix) is sampled between keys as densely as needed to stay
// within 1e-4 radians and 1e-5 of the largest translation and scale, or at even steps where that exceeds the
// budget of sampling.hpp.

#include "loaders/dae/animation/animations.hpp"
#include "loaders/dae/drawables/drawables.hpp"
#include "loaders/dae/nodes/nodes.hpp"

namespace vitrine::dae {

// The last step that adds keys; it does not change the budget. Errors: limit_exceeded.
LoadResult<void> add_clips(const Animations& animations, const NodeTree& tree,
                           const std::vector<MorphedNode>& morphed, const io::Budget& budget,
                           io::WarningLog& warnings, scene::Scene& scene);

} // namespace vitrine::dae
