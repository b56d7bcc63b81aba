#pragma once
// Decides whether a skin is placed by its joints or by its node.
//
// By the formula of 1.4.1 ("Skin Deformation (or Skinning)") the joints place a skin, and the node of its
// <instance_controller> has no effect. Programs write both at the same place, as bind shape or bind poses
// show. A node at another place (files edited by hand; two instances of one controller next to each other on
// one skeleton) is expected to move the deformed mesh; the references of the Conformance Test Suite do so.

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/dae/nodes/nodes.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

// Returns a node's static transform, local to parent.
glm::dmat4 static_matrix(const scene::Node& node);

// Returns whether a node's static global matrix equals `place`.
bool is_placed_at(const scene::Scene& scene, std::uint32_t node, const glm::dmat4& place);

// A skin before it is placed, in the file's unit and axes.
struct BoundSkin {
    std::uint32_t node = 0;     // of the <instance_controller>
    glm::dmat4 bind_shape{1.0}; // as stored in the file
    std::span<const std::uint32_t> joints;
    std::span<const glm::mat4> inverse_bind; // relative to the mesh, bind shape included
};

// The skeleton roots that move with a skin: for each joint, the ancestor (or itself) below the lowest common
// ancestor with the skin's node. Empty when the joints place the skin: the node is at the bind shape or at
// the mesh's place in a joint's bind pose, or shares a branch of the tree with a joint. Joints that are the
// node itself do not count.
struct MovingSkeletonRoots {
    std::vector<std::uint32_t> roots;
    std::uint64_t steps = 0; // number of parent steps taken to find them
};
MovingSkeletonRoots find_moving_skeleton_roots(const scene::Scene& scene, const BoundSkin& skin);

// A skin below a morph: the base of the morph is the skinned mesh, and its targets are not skinned. The Scene
// applies morphs before skins, so this is exact only for static joints: then the skinned vertices are the
// mesh.
class StaticSkinPose {
public:
    // Both arguments must outlive it.
    StaticSkinPose(const NodeTree& tree, const scene::Scene& scene) : tree_(tree), scene_(scene) {}

    // Returns, by joint of the skin, the matrix from a mesh vertex to the space of the skin's node; nullopt
    // when a joint is animated relative to that node.
    std::optional<std::vector<glm::dmat4>> compute_matrices(const BoundSkin& skin);

private:
    using OptionalMatrix = std::optional<glm::dmat4>;

    void index_moving();
    OptionalMatrix below_node(std::uint32_t joint, std::uint32_t node,
                              const std::unordered_set<std::uint32_t>& roots) const;
    OptionalMatrix against_node(std::uint32_t joint, std::uint32_t node) const;
    bool climb(std::uint32_t at, glm::dmat4& place) const;

    const NodeTree& tree_;
    const scene::Scene& scene_;
    std::unordered_set<std::uint32_t> moving_; // nodes
    std::size_t indexed_ = 0;                  // number of node instances indexed
};

// Applies the influences to positions, normals and morph targets and removes them. Influences of joints
// outside `joints`, and vertices without influences, use the bind shape.
void skin_static_pose(const std::vector<glm::dmat4>& joints, const glm::dmat4& bind_shape, scene::Mesh& mesh);

} // namespace vitrine::dae
