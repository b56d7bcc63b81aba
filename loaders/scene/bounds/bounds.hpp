#pragma once
// Axis-aligned bounding boxes of a scene: in the static pose, per joint, per clip (conservative) and per
// frame (exact).

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Starts empty (min > max).
struct Aabb {
    glm::vec3 min{std::numeric_limits<float>::infinity()};
    glm::vec3 max{-std::numeric_limits<float>::infinity()};

    bool empty() const { return !(min.x <= max.x); }
    void add(glm::vec3 point)
    {
        min = glm::min(min, point);
        max = glm::max(max, point);
    }
    void add(const Aabb& other)
    {
        min = glm::min(min, other.min);
        max = glm::max(max, other.max);
    }
    bool contains(const Aabb& other) const
    {
        return other.empty() || (glm::all(glm::lessThanEqual(min, other.min)) &&
                                 glm::all(glm::greaterThanEqual(max, other.max)));
    }
    glm::vec3 center() const { return 0.5f * (min + max); }
    glm::vec3 size() const { return empty() ? glm::vec3(0.0f) : max - min; }
};

// The box of the points that are not NaN.
Aabb box_of(std::span<const glm::vec3> points);

// Largest absolute coordinate in meters on each axis. Geometry beyond it is neither measured nor drawn,
// because squared lengths (in normals and cameras) would exceed the range of a float.
inline constexpr float max_coordinate = 1e15f; // checked by check_extent()

// Exact bounds in scene space: every vertex used by a primitive, of every instance, in the file's static
// pose. A vertex with a non-finite position makes the box infinite.
Aabb static_bounds(const Scene& scene);

// Exact bounds of one pose, from skinned vertices.
Aabb pose_bounds(const Scene& scene, const Pose& pose);

// For each palette entry of each instance: the box of the vertices that it moves, in bind space, extended by
// what morph targets can add with weights in the range of the static pose and all clips (including between
// keys). The union of these boxes, each transformed by its palette entry, contains the exact bounds.
struct JointBoxes {
    // A vertex whose weights are non-negative and sum to s lies in s times the convex hull of its joints'
    // boxes. s is 1 except for rounding. Vertices with another sum or with negative weights are evaluated
    // exactly.
    struct Remainder {
        float min_sum = 1.0f;
        float max_sum = 1.0f;
        std::vector<std::uint32_t> vertices;
    };
    std::vector<Instance> instances;
    std::vector<Aabb> boxes;           // by palette entry
    std::vector<Remainder> remainders; // by instance
};
JointBoxes joint_boxes(const Scene& scene);
// The box of each palette entry in scene space at this pose; empty where the entry moves no vertex.
std::vector<Aabb> joint_bounds(const Scene& scene, const JointBoxes& boxes, const Pose& pose);
Aabb conservative_bounds(const Scene& scene, const JointBoxes& boxes, const Pose& pose);

// Sample times for a clip, at most `limit`: evenly spaced at `poses_per_second` or more, plus both ends,
// every key and the extrema of cubic curves. If these exceed `limit`, the times are evenly spaced only. Even
// spacing continues where keys are dense, because a rotating part can reach farther between two keys than at
// them.
std::vector<double> sample_times(const Clip& clip, double poses_per_second = 30.0, std::size_t limit = 4096);

// The box of the same points in the file's axes and unit.
Aabb to_file_space(const FileSpace& space, const Aabb& box);

} // namespace vitrine::scene
