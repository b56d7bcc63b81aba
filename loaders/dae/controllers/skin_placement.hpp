#pragma once
// Whether a skin stands where its joints are or where its node is.
//
// By the formula of 1.4.1 ("Skin Deformation (or Skinning)") a skin ends where its joints are, and the node
// of its <instance_controller> does not matter. Programs write both into one place, as bind shape or bind
// pose show. A node that was put somewhere else, and the skin with it (files made by hand; two instances of
// one controller beside each other on one skeleton), is meant to move the deformed mesh: so do the references
// of the Conformance Test Suite.

#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

// A node's rest transform, into its parent's space.
glm::dmat4 rest_matrix(const scene::Node& node);

// Whether a node rests where `place` is in the scene.
bool rests_at(const scene::Scene& scene, std::uint32_t node, const glm::dmat4& place);

// A skin before it stands anywhere. In the file's own unit and axes.
struct BoundSkin {
    std::uint32_t node = 0;     // of the <instance_controller>
    glm::dmat4 bind_shape{1.0}; // as the file says it
    std::span<const std::uint32_t> joints;
    std::span<const glm::mat4> inverse_bind; // from the mesh, bind shape included
};

// The roots of the skeletons that a skin takes along: of each joint the ancestor (or itself) below what it
// shares with the node of the skin. Empty where the skin stands where its joints are: the node lies where the
// bind shape or a joint's bind pose has the mesh, or it shares its branch of the tree with a joint. Joints
// that are the node itself do not count.
struct MovedSkeletons {
    std::vector<std::uint32_t> roots;
    std::uint64_t steps = 0; // from a node to its parent: what finding them took
};
MovedSkeletons find_moved_skeletons(const scene::Scene& scene, const BoundSkin& skin);

} // namespace vitrine::dae
