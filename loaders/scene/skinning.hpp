#pragma once
// The CPU reference of deformation: morph targets or vertex frames, then the skin. Every GPU result is tested
// against it, and bake and exact bounds use it where there is no device. Plain and exact before fast.

#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

struct SkinnedMesh {
    std::vector<glm::vec3> positions; // scene space
    std::vector<glm::vec3> normals;   // scene space, unit length (zero only where the source is zero)
};

// One instance of one pose. `palette` is the whole frame's, as joint_palette() fills it. `out` is reused.
// Normals go by the inverse transpose of the blended matrix.
void skin_instance(const Scene& scene, const Instance& instance, const Pose& pose,
                   std::span<const PaletteEntry> palette, SkinnedMesh& out);

// The positions alone, the same to the bit; out.normals stays as it is.
void skin_positions(const Scene& scene, const Instance& instance, const Pose& pose,
                    std::span<const PaletteEntry> palette, SkinnedMesh& out);

} // namespace vitrine::scene
