#pragma once
// The whole scene at one pose as a single mesh: skinned, morphed and transformed. Used by `vitrine bake` and
// the mesh download.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/base/error.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

enum class BakeSpace {
    scene, // meters, Y up
    file,  // the file's own axes and unit
};

// One drawn mesh: its ranges of the index lists below.
struct BakedPart {
    std::string name;                                 // of its node, else of its mesh
    std::size_t triangles = 0, lines = 0, points = 0; // numbers of indices, not of elements
};

// Contains only used vertices. Front faces are counter-clockwise in the chosen space; UV origin at the top
// left.
struct BakedMesh {
    glm::dvec3 origin{0.0}; // Pose::origin in the chosen space, because floats are imprecise far from zero
    std::vector<glm::vec3> positions; // relative to `origin`
    std::vector<glm::vec3> normals;   // one per position
    std::vector<glm::vec2> uvs;       // one per position, or empty when no mesh has UVs
    std::vector<glm::vec4> colors; // one per position, linear RGBA, or empty when no mesh or node has colors
    std::vector<std::uint32_t> triangles, lines, points;
    std::vector<BakedPart> parts;
};

// Receives a written mesh in pieces.
using MeshSink = std::function<void(std::string_view piece)>;

inline constexpr std::uint64_t baked_vertices_limit = 256'000'000;

// Precondition: validate() accepted the scene and `pose` is one of its poses. Errors: empty, when nothing is
// drawn; limit_exceeded, when the drawn meshes have more than baked_vertices_limit vertices or three times as
// many indices.
LoadResult<BakedMesh> bake_mesh(const scene::Scene& scene, const scene::Pose& pose, BakeSpace space);

} // namespace vitrine
