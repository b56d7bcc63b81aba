#pragma once
// Skinned scenes in one pose, for tests that compare vertices.

#include <vector>

#include "loaders/scene/skinning/skinner.hpp"

namespace vitrine::test {

// One entry per instance.
std::vector<scene::SkinnedMesh> skinned_in(const scene::Scene& scene, const scene::Pose& pose);

// The corners of all drawn elements in order, which does not depend on how a format splits or sorts vertices.
std::vector<glm::vec3> drawn_corners(const scene::Scene& scene, const scene::Pose& pose);

// Rotates points so that the model's front is +Z. The front differs between formats; the result does not.
std::vector<glm::vec3> from_the_front(const scene::Scene& scene, std::vector<glm::vec3> points);

} // namespace vitrine::test
