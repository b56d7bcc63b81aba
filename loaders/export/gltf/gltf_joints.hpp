#pragma once
// Converts influences to the features of glTF: non-negative weights that sum to 1, each joint once per
// vertex, one bind position per vertex.

#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/type_precision.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Different Influences::positions of a vertex are represented exactly by four additional joints per joint,
// its corners: they move with the joint, but their bind matrices move the vertex to the corners of a
// tetrahedron, and their four weights give any position inside it. This replaces one influence by four, so
// only vertices with a visible error use it.
struct JointCorners {
    double reach = 0.0;         // half the edge of the cube around the tetrahedron, meters; 0: none
    std::vector<bool> joints;   // by joint: has corners
    std::vector<bool> vertices; // by vertex: uses corners
};
JointCorners find_corners(const scene::Mesh& mesh);
glm::vec3 corner(const JointCorners& corners, std::size_t index); // index < 4

// The joints of a skin in the document, for one mesh.
struct GltfJoints {
    std::uint32_t count = 0;            // number of the skin's own joints
    std::uint32_t follow = scene::none; // joint of the node itself, for vertices without influences
    JointCorners corners;
    std::vector<std::uint32_t> first_corner; // by own joint: the first of its four corners, or none
};

using JointWeight = std::pair<std::uint16_t, float>;

// Joint weights of consecutive vertices, in descending order of weight.
struct JointWeights {
    std::vector<std::size_t> first{0}; // vertices + 1 entries
    std::vector<JointWeight> list{};
    std::size_t sets = 0; // sets of four, for the vertex with the most weights
};

// The inputs of joint_weights() other than the mesh: skins with equal layouts share the written mesh.
struct InfluenceLayout {
    std::uint32_t follow = scene::none;
    std::uint32_t first_corner = scene::none; // of all joints

    auto operator<=>(const InfluenceLayout&) const = default;
};
InfluenceLayout layout_of(const GltfJoints& joints);

// Information lost by the conversion.
struct InfluenceLosses {
    bool negative = false;       // negative weights were dropped
    bool not_normalized = false; // sums other than 1 were normalized
};

JointWeights joint_weights(const scene::Mesh& mesh, const GltfJoints& joints, InfluenceLosses& losses);

// Four influences per vertex, padded with zeros: a JOINTS_n and its WEIGHTS_n.
struct InfluenceAttributes {
    std::vector<glm::u16vec4> joints;
    std::vector<glm::vec4> weights;
};
InfluenceAttributes influence_set(const JointWeights& weights, std::size_t set);

// Returns whether some vertex of a mesh with influences has none.
bool has_unskinned_vertices(const scene::Mesh& mesh);

} // namespace vitrine::exporting
