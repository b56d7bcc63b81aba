#pragma once
// The two text files of MD5 as plain data, every index validated. Model space is the file's: Z up.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::md5 {

// A rotation followed by a translation. Double precision: w is computed by a square root, which near 0
// amplifies float rounding to visible angles.
struct Transform {
    glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
    glm::dvec3 translation{0.0};
};
glm::dvec3 apply(const Transform& transform, const glm::dvec3& point);
Transform compose(const Transform& parent, const Transform& local);
Transform inverse(const Transform& transform);
// Returns (x, y, z) with w = -sqrt(max(0, 1 - x² - y² - z²)), normalized.
glm::dquat restore_w(const glm::dvec3& xyz);

struct Md5Joint {
    std::string name;
    std::uint32_t parent = scene::none;
    Transform model; // bind pose
};

struct Md5Vertex {
    glm::vec2 uv{0.0f};
    std::uint32_t first_weight = 0;
    std::uint32_t weight_count = 0;
    std::uint32_t line = 0;
};

struct Md5Weight {
    std::uint32_t joint = 0;
    std::uint32_t line = 0;
    double bias = 0.0;
    glm::dvec3 position{0.0}; // joint space
};

struct Md5Mesh {
    std::string name; // from the comment "// meshes: NAME" that exporters write; may be empty
    std::string shader;
    std::vector<Md5Vertex> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles; // front faces are clockwise
    std::vector<Md5Weight> weights;
};

struct Md5Model {
    std::vector<Md5Joint> joints;
    std::vector<Md5Mesh> meshes;
};

struct AnimatedJoint {
    std::string name;
    std::uint32_t parent = scene::none;
    std::uint32_t flags = 0;           // 1 Tx, 2 Ty, 4 Tz, 8 Qx, 16 Qy, 32 Qz
    std::uint32_t first_component = 0; // index in a frame
    glm::dvec3 base_position{0.0};     // parent space
    glm::dvec3 base_orientation{0.0};  // x y z
};

struct FrameBounds {
    glm::dvec3 min{0.0};
    glm::dvec3 max{0.0};
};

struct Md5Animation {
    double frame_rate = 24.0;
    std::uint32_t frame_count = 0;
    std::uint32_t component_count = 0; // per frame
    std::vector<AnimatedJoint> joints;
    std::vector<FrameBounds> bounds; // by frame, or empty
    std::vector<double> components;  // frame after frame
};

// Returns the joint's transform at a frame, local to its parent: the base frame with the flagged components
// replaced in bit order.
Transform local_at(const Md5Animation& animation, const AnimatedJoint& joint, std::uint32_t frame);

// Returns joints (or nodes) with every parent before its children; fewer than `parents` when they form a
// cycle. Depths beyond `depth_limit` fail.
LoadResult<std::vector<std::uint32_t>> parents_first(const std::vector<std::uint32_t>& parents,
                                                     std::uint32_t depth_limit);

LoadResult<Md5Model> parse_mesh_file(Bytes bytes, const Limits& limits, io::WarningLog& warnings);
LoadResult<Md5Animation> parse_animation_file(Bytes bytes, const Limits& limits, io::WarningLog& warnings);

} // namespace vitrine::md5
