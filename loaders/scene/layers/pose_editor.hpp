#pragma once
// Changes local transforms of a pose before its model transforms are computed. Nodes are those of the file;
// the helpers that belong to a node (helper_nodes.hpp) are taken into account. Private to the folder.

#include <cstdint>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// pose.local and pose.matrices are read and changed, pose.model and pose.origin are not used. Neither the
// scene nor the pose is owned.
class PoseEditor {
public:
    PoseEditor(const Scene& scene, Pose& pose) : scene_(scene), pose_(pose) {}

    // The transform from the node's space to scene space; the identity for none.
    glm::dmat4 model(std::uint32_t node);

    // Moves by meters along the axes of the node's parent.
    void move(std::uint32_t node, const glm::vec3& meters);
    // Turns about the node's own axes.
    void turn(std::uint32_t node, const glm::quat& rotation);
    // Turns about the node's origin by a rotation in scene space. Where the spaces above the node are scaled
    // differently along their axes, by the nearest rotation; where they have no extent, not at all.
    void turn_in_scene(std::uint32_t node, const glm::dquat& rotation);
    // Scales along the node's own axes.
    void stretch(std::uint32_t node, const glm::vec3& factors);

private:
    std::uint32_t outermost(std::uint32_t node) const;
    std::uint32_t holder_of_rotation(std::uint32_t node) const;
    glm::mat4* matrix_of(std::uint32_t node);
    glm::mat4 local(std::uint32_t node);
    glm::vec3 units_around(std::uint32_t node);

    const Scene& scene_;
    Pose& pose_;
};

} // namespace vitrine::scene
