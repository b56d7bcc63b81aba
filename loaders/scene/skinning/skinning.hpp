#pragma once
// The CPU reference of deformation: morph targets or vertex frames, then the skin. Every GPU result is tested
// against it, and bake and exact bounds use it where there is no device. Plain and exact before fast.

#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/motion/dual_quaternion.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

struct SkinnedMesh {
    std::vector<glm::vec3> positions;     // scene space
    std::vector<glm::vec3> normals;       // scene space, unit length (zero only where the source is zero)
    std::vector<glm::vec4> tangents;      // as Mesh::tangents, in scene space; empty where the mesh has none
    std::vector<RigidJoint> rigid_joints; // scratch of skins that are not linear
};

// How much of a vertex with influences dual quaternions move: 0 linear .. 1.
inline double dual_quaternion_weight(const Influences& influences, SkinningMethod method, std::size_t vertex)
{
    if (method != SkinningMethod::blended) return method == SkinningMethod::dual_quaternion ? 1.0 : 0.0;
    return influences.dual_quaternion_weights.empty() ? 0.0
                                                      : double{influences.dual_quaternion_weights[vertex]};
}

// One instance of one pose. `palette` is the whole frame's, as joint_palette() fills it. `out` is reused.
// A vertex's matrix is the weighted sum of its joints' matrices, for SkinningMethod::dual_quaternion that of
// dual_quaternion.hpp, for `blended` (1 - share) * the one + share * the other. Normals go by its inverse
// transpose, tangents by the matrix itself; where it mirrors, the bitangent's sign turns.
void skin_instance(const Scene& scene, const Instance& instance, const Pose& pose,
                   std::span<const PaletteEntry> palette, SkinnedMesh& out);

// The positions alone, the same to the bit; out.normals and out.tangents stay as they are.
void skin_positions(const Scene& scene, const Instance& instance, const Pose& pose,
                    std::span<const PaletteEntry> palette, SkinnedMesh& out);

} // namespace vitrine::scene
