#pragma once
// Scenes as they are drawn in one pose, for tests that compare vertices.

#include <vector>

#include "loaders/scene/skinning/skinner.hpp"

namespace vitrine::test {

// By instance.
std::vector<scene::SkinnedMesh> skinned_in(const scene::Scene& scene, const scene::Pose& pose);

// The corners of everything that is drawn, in that order: what stays where a format splits or sorts vertices.
std::vector<glm::vec3> drawn_corners(const scene::Scene& scene, const scene::Pose& pose);

// Points of a scene as one sees them who stands before the model: what it looks along is +Z. Formats differ
// in that; a model is the same in all of them from its front.
std::vector<glm::vec3> from_the_front(const scene::Scene& scene, std::vector<glm::vec3> points);

} // namespace vitrine::test
