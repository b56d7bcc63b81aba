#pragma once
// Axis-aligned boxes of a scene: at rest, per joint, per clip (conservative) and per frame (exact).

#include <cstddef>
#include <cstdint>
#include <limits>
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
    glm::vec3 centre() const { return 0.5f * (min + max); }
    glm::vec3 size() const { return empty() ? glm::vec3(0.0f) : max - min; }
};

// Metres from the origin, on each axis: what reaches farther is neither measured nor drawn, for the squares
// that lengths, normals and cameras are made of would leave the range of a float.
inline constexpr float max_coordinate = 1e15f; // check_extent() names it

// Exact: every vertex that a primitive uses, of every instance, in the static pose of the file. Scene space.
// A vertex whose place is no number makes the box infinite.
Aabb rest_bounds(const Scene& scene);

// Exact bounds of one pose, from skinned vertices.
Aabb pose_bounds(const Scene& scene, const Pose& pose);

// For each palette entry of each instance the box of the vertices it moves, bind space, widened by what morph
// targets can add with weights in the range of the static pose and all clips (between keys too). Moved by the
// palette and merged it contains the exact bounds.
struct JointBoxes {
    // A vertex whose weights are not negative and sum to s lies in s times the hull of its joints' boxes. s
    // is 1 but for rounding; the vertices for which it is not (or with negative weights) are evaluated
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
// The box of each palette entry in scene space at this pose; empty where it moves nothing.
std::vector<Aabb> joint_bounds(const Scene& scene, const JointBoxes& boxes, const Pose& pose);
Aabb conservative_bounds(const Scene& scene, const JointBoxes& boxes, const Pose& pose);

// The times at which a clip is looked at: an even pace of at least `poses_per_second`, both ends and every
// key among them, and where a cubic curve turns; at most `limit` (then evenly spread). The pace goes on where
// keys lie as close: what swings reaches farther between two keys than at them.
std::vector<double> sample_times(const Clip& clip, double poses_per_second = 30.0, std::size_t limit = 4096);

struct ClipBounds {
    std::vector<double> times; // seconds from the clip's start
    std::vector<Aabb> exact;   // one per time
    Aabb exact_union;
    Aabb conservative; // contains exact_union
};
// Looks at fewer poses where the scene has more than a million vertices, so that the work stays bounded.
ClipBounds clip_bounds(const Scene& scene, std::uint32_t clip);

// The box of the same points in the file's own axes and unit.
Aabb to_file_space(const FileSpace& space, const Aabb& box);

} // namespace vitrine::scene
