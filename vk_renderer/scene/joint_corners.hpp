#pragma once
// Boxes along the axes of joints around the vertices that each moves most.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::render {

struct OrientedBox {
    std::uint32_t node = scene::none;  // of the file
    std::uint32_t entry = scene::none; // of the palette, which takes the corners to the pose
    std::array<glm::vec3, 8> corners;  // bit 0, 1, 2: the larger x, y, z along the joint's axes
};

// Each is 12 lines of each image of a batch.
inline constexpr std::size_t max_joint_boxes = 256;

// By joint, at most max_joint_boxes, those of the most vertices. A node with a mesh that no skin moves is
// one. Meshes of vertex frames and boxes without finite corners are left out.
std::vector<OrientedBox> joint_corners(const scene::Scene& scene, std::span<const scene::Instance> instances);

} // namespace vitrine::render
