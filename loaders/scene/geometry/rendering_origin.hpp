#pragma once
// Where to measure from what lies far from the scene's origin.

#include <glm/glm.hpp>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// For Pose::origin: the middle of the model at rest where it stands so far out for its size that a float
// rounds its shape visibly; otherwise, and where weights do not sum to 1 and could not be moved so, zero.
glm::dvec3 rendering_origin(const Scene& scene);

// A box in floats that are counted from `origin`: scene space is origin + box.
struct OffsetBox {
    Aabb box;
    glm::dvec3 origin{0.0};
};
// rest_bounds(), from rendering_origin() where floats of scene space would round it visibly.
OffsetBox rest_bounds_from_origin(const Scene& scene);
// The same box in the file's own axes and unit.
OffsetBox to_file_space(const FileSpace& space, const OffsetBox& box);

} // namespace vitrine::scene
