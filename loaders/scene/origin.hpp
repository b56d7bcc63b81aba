#pragma once
// Where to measure from what lies far from the scene's origin.

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// For Pose::origin: the middle of the model at rest where it stands so far out for its size that a float
// rounds its shape visibly; otherwise, and where weights do not sum to 1 and could not be moved so, zero.
glm::dvec3 drawing_origin(const Scene& scene);

} // namespace vitrine::scene
