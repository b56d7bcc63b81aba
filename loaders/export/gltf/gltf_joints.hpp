#pragma once
// Influences as glTF can say them: non-negative weights that sum to 1, each joint once a vertex, one bind
// position a vertex.

#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/type_precision.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Influences::positions that disagree are kept exactly by four more joints for a joint, its corners: they
// move with it, but their bind matrices shift the vertex to the corners of a tetrahedron, and the weights of
// the four put it anywhere within. Costs four influences for one, so only vertices that would visibly miss
// their place take part.
struct Corners {
    double reach = 0.0;         // half the edge of the cube around the tetrahedron, metres; 0: none
    std::vector<bool> joints;   // by joint: has corners
    std::vector<bool> vertices; // by vertex: uses them
};
Corners find_corners(const scene::Mesh& mesh);
glm::vec3 corner(const Corners& corners, std::size_t index); // index < 4

// Joints of a skin in the document, as one mesh is drawn with it.
struct GltfJoints {
    std::uint32_t count = 0;            // of the skin's own
    std::uint32_t follow = scene::none; // of the node itself, for vertices without influences
    Corners corners;
    std::vector<std::uint32_t> first_corner; // by own joint: the first of its four, or none
};

using JointWeight = std::pair<std::uint16_t, float>;

// What the vertices are bound by, one vertex after the other, its heaviest first.
struct JointWeights {
    std::vector<std::size_t> first{0}; // vertices + 1 entries
    std::vector<JointWeight> list{};
    std::size_t sets = 0; // of four, for the vertex with most
};

// What a mesh's joint_weights() depend on beside the mesh: skins that agree in it wear it as it stands.
struct InfluenceLayout {
    std::uint32_t follow = scene::none;
    std::uint32_t first_corner = scene::none; // of all

    auto operator<=>(const InfluenceLayout&) const = default;
};
InfluenceLayout layout_of(const GltfJoints& joints);

// What had to give way.
struct InfluenceLosses {
    bool negative = false;       // weights below 0 were left out
    bool not_normalised = false; // sums other than 1 were made 1
};

JointWeights joint_weights(const scene::Mesh& mesh, const GltfJoints& joints, InfluenceLosses& losses);

// Four of each vertex, zeros where it has fewer: a JOINTS_n and its WEIGHTS_n.
struct InfluenceSet {
    std::vector<glm::u16vec4> joints;
    std::vector<glm::vec4> weights;
};
InfluenceSet influence_set(const JointWeights& weights, std::size_t set);

// Whether some vertex of a mesh with influences has none.
bool has_unskinned_vertices(const scene::Mesh& mesh);

} // namespace vitrine::exporting
