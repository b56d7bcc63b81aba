#include "vk_renderer/frame/overlay.hpp"

namespace vitrine::render {
namespace {

// RGBA, linear, R lowest.
constexpr std::uint32_t bone_color = 0xD8E0A018;
constexpr std::uint32_t joint_color = 0xFF1278F4;
constexpr float bone_width = 1.0f; // pixels to each side
constexpr float joint_width = 2.6f;

glm::vec3 place(const scene::Pose& pose, std::uint32_t node)
{
    return glm::vec3(pose.model[node][3]);
}

} // namespace

void append_skeleton(const std::vector<std::uint32_t>& parents, const std::vector<bool>& joints,
                     const scene::Pose& pose, std::vector<shared::Segment>& out)
{
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t color, float width) {
        out.push_back({place(pose, a), color, place(pose, b), width});
    };
    for (std::uint32_t node = 0; node < joints.size(); ++node)
        if (const auto parent = parents[node]; joints[node] && parent != scene::none && joints[parent])
            add(parent, node, bone_color, bone_width);
    for (std::uint32_t node = 0; node < joints.size(); ++node)
        if (joints[node]) add(node, node, joint_color, joint_width);
}

void append_joints(const std::vector<bool>& joints, const scene::Pose& pose, std::vector<JointPosition>& out)
{
    for (std::uint32_t node = 0; node < joints.size(); ++node)
        if (joints[node]) out.push_back({node, place(pose, node)});
}

} // namespace vitrine::render
