#pragma once
// The origin for models far from the scene's origin.

#include <glm/glm.hpp>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Returns the value for Pose::origin: the center of the model in the static pose if it is so far from the
// scene's origin, relative to its size, that float precision would visibly distort it. Zero otherwise, and if
// skin weights do not sum to 1 (such a model cannot be translated through its joints).
glm::dvec3 rendering_origin(const Scene& scene);

// A box in floats relative to `origin`: its place in scene space is origin + box.
struct OffsetBox {
    Aabb box;
    glm::dvec3 origin{0.0};
};
// static_bounds(), relative to rendering_origin() where scene-space floats would visibly round it.
OffsetBox static_bounds_from_origin(const Scene& scene);
// The same box in the file's axes and unit.
OffsetBox to_file_space(const FileSpace& space, const OffsetBox& box);

} // namespace vitrine::scene
