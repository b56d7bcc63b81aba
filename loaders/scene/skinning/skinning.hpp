#pragma once
// CPU reference of mesh deformation: morph targets or vertex frames, then skinning. GPU results are tested
// against it; bake and exact bounds use it when there is no device. Computes in double.

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/arrays/arrays.hpp"
#include "loaders/scene/motion/dual_quaternion.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

struct SkinnedMesh {
    std::vector<glm::vec3> positions; // scene space
    std::vector<glm::vec3>
        normals; // scene space, unit length (zero only if the source is zero); none if flat
    std::vector<glm::vec4> tangents; // as Mesh::tangents, in scene space; empty if the mesh has none
    // scratch memory: the palette for dual quaternion skins and for positions alone
    std::vector<RigidJoint> rigid_joints;
    std::vector<JointMatrix> joint_matrices;
};

// Weight of dual quaternion skinning for a vertex with influences: 0 linear .. 1 dual quaternion.
inline double dual_quaternion_weight(const Influences& influences, SkinningMethod method, std::size_t vertex)
{
    if (method != SkinningMethod::blended) return method == SkinningMethod::dual_quaternion ? 1.0 : 0.0;
    return influences.dual_quaternion_weights.empty() ? 0.0
                                                      : double{influences.dual_quaternion_weights[vertex]};
}

// The words of parameters and options.
inline constexpr std::array<std::pair<std::string_view, SkinningMethod>, 3> skinning_words{
    {{"linear", SkinningMethod::linear},
     {"dual_quaternion", SkinningMethod::dual_quaternion},
     {"blended", SkinningMethod::blended}}};

// Sets the method of all skins. Those of influences with individual positions stay linear (SkinningMethod).
void set_skinning_method(Scene& scene, SkinningMethod method);

// Skins one instance in one pose. `palette` is that of the whole frame, as filled by joint_palette(). `out`
// is reused. The matrix of a vertex is the weighted sum of its joint matrices; for
// SkinningMethod::dual_quaternion it is defined in dual_quaternion.hpp; for `blended` it is (1 - weight) *
// linear + weight * dual quaternion. Normals are transformed by its inverse transpose, tangents by the matrix
// itself; if it mirrors, the sign of the bitangent changes.
void skin_instance(const Scene& scene, const Instance& instance, const Pose& pose,
                   std::span<const PaletteEntry> palette, SkinnedMesh& out);

// The same with expanded() of the instance's flat mesh instead of it.
void skin_instance(const Scene& scene, const Mesh& mesh, const Instance& instance, const Pose& pose,
                   std::span<const PaletteEntry> palette, SkinnedMesh& out);

// Computes positions only, bit-identical to skin_instance(); out.normals and out.tangents are not changed.
void skin_positions(const Scene& scene, const Instance& instance, const Pose& pose,
                    std::span<const PaletteEntry> palette, SkinnedMesh& out);

// Positions of parts of one instance in one pose, bit-identical to skin_instance(). The arguments of the
// constructor must outlive it; `scratch` holds intermediate results and is not to be used meanwhile.
class PositionSkinner {
public:
    PositionSkinner(const Scene& scene, const Instance& instance, const Pose& pose,
                    std::span<const PaletteEntry> palette, SkinnedMesh& scratch);
    // Computes the vertices first_vertex, first_vertex + 1, ... `out` may be that part of scratch.positions.
    void skin(std::size_t first_vertex, std::span<glm::vec3> out) const;

private:
    enum class Loop { one_matrix, linear, by_vertex };
    Loop choose_loop() const;

    const Mesh& mesh_;
    SkinningMethod method_;
    std::span<const PaletteEntry> joints_; // of the instance
    std::span<const glm::vec3> shaped_;    // by vertex: the position before skinning
    SkinnedMesh& scratch_;
    Loop loop_;
};

} // namespace vitrine::scene
