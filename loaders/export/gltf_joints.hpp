#pragma once
// Influences as glTF can say them: non-negative weights that sum to 1, each joint once a vertex, one bind
// position a vertex.

#include <cstdint>
#include <utility>
#include <vector>

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

// What had to give way.
struct InfluenceLosses {
    bool negative = false;       // weights below 0 were left out
    bool not_normalised = false; // sums other than 1 were made 1
};

// Heaviest first. Reuses `out`.
void joint_weights(const scene::Mesh& mesh, std::size_t vertex, const GltfJoints& joints,
                   std::vector<JointWeight>& out, InfluenceLosses& losses);

// Whether some vertex of a mesh with influences has none.
bool has_loose_vertices(const scene::Mesh& mesh);

} // namespace vitrine::exporting
