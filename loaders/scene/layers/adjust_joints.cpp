#include "loaders/scene/helper_nodes.hpp"
#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/layers/pose_editor.hpp"

namespace vitrine::scene {

void adjust_joints(const Scene& scene, std::span<const JointAdjustment> adjustments, Pose& pose)
{
    PoseEditor editor(scene, pose);
    for (const JointAdjustment& adjustment : adjustments) {
        const std::uint32_t node = file_node(scene, adjustment.node);
        if (adjustment.translation != glm::vec3(0.0f)) editor.move(node, adjustment.translation);
        editor.turn(node, adjustment.rotation);
        if (adjustment.scale != glm::vec3(1.0f)) editor.stretch(node, adjustment.scale);
    }
}

} // namespace vitrine::scene
