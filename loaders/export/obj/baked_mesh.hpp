#pragma once
// The whole scene at one pose as one plain mesh: skinned, morphed, in place. What `vitrine bake` and the mesh
// download write.

#include <cstdint>
#include <string>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/base/error.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine {

enum class BakeSpace {
    scene, // metres, Y up
    file,  // the file's own axes and unit
};

// One drawn mesh: runs of the index lists below.
struct BakedPart {
    std::string name;                                 // of its node, else of its mesh
    std::size_t triangles = 0, lines = 0, points = 0; // indices, not elements
};

// Only vertices that something uses. Counter-clockwise fronts in the space chosen; UV origin top left.
struct BakedMesh {
    glm::dvec3 origin{0.0}; // Pose::origin in the space chosen; floats are coarse where it is far out
    std::vector<glm::vec3> positions; // from `origin`
    std::vector<glm::vec3> normals;   // as many
    std::vector<glm::vec2> uvs;       // as many, or none where no mesh has any
    std::vector<glm::vec4> colors;    // as many, linear RGBA, or none where no mesh and no node has any
    std::vector<std::uint32_t> triangles, lines, points;
    std::vector<BakedPart> parts;
};

inline constexpr std::uint64_t baked_vertices_limit = 256'000'000;

// Precondition: validate() accepted the scene and `pose` is one of its poses. Errors: empty, where nothing is
// drawn; limit_exceeded, where the scene draws its meshes so often that they make more than
// baked_vertices_limit vertices or three times as many indices.
LoadResult<BakedMesh> bake_mesh(const scene::Scene& scene, const scene::Pose& pose, BakeSpace space);

} // namespace vitrine
