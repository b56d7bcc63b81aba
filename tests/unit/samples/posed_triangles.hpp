#pragma once
// Triangles of a scene at one time.

#include <algorithm>
#include <limits>
#include <vector>

#include "loaders/scene/motion/pose.hpp"
#include "tests/support/pose_model.hpp"

namespace vitrine::test {

// The middle of every triangle in the order it is drawn: what stays when a format splits or reorders
// vertices.
inline std::vector<glm::vec3> triangle_centers(const scene::Scene& scene, const scene::Pose& pose)
{
    const auto corners = from_the_front(scene, drawn_corners(scene, pose));
    std::vector<glm::vec3> centers;
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3)
        centers.push_back((corners[i] + corners[i + 1] + corners[i + 2]) / 3.0f);
    return centers;
}

inline std::vector<glm::vec3> rest(const scene::Scene& scene)
{
    scene::Pose pose;
    scene::static_pose(scene, pose);
    return triangle_centers(scene, pose);
}

inline std::vector<glm::vec3> at(const scene::Scene& scene, std::uint32_t clip, double time)
{
    scene::Pose pose;
    scene::sample_pose(scene, clip, time, pose);
    return triangle_centers(scene, pose);
}

inline float largest_distance(const std::vector<glm::vec3>& a, const std::vector<glm::vec3>& b)
{
    if (a.size() != b.size()) return std::numeric_limits<float>::infinity();
    float largest = 0.0f;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, glm::distance(a[i], b[i]));
    return largest;
}

} // namespace vitrine::test
