#pragma once
// The vertices of one primitive, dense, before they are joined into a mesh.

#include <cstdint>
#include <vector>

#include "loaders/gltf/document/document.hpp"
#include "loaders/gltf/materials/uv_sets.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// Deltas of one morph target, one per vertex; an absent attribute is empty.
struct DenseTarget {
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals;
    std::vector<glm::vec3> tangents;
};

struct Streams {
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals;
    std::vector<glm::vec4> tangents;
    std::vector<glm::vec2> uv0;
    std::vector<glm::vec2> uv1;
    std::vector<glm::vec4> colors;
    scene::Influences influences;
    std::vector<DenseTarget> targets;
};

// Reads the attributes and morph targets of a primitive that has a POSITION. An attribute other than POSITION
// that does not fit the vertices is left out with a warning. Numbers come out finite, normals of unit length,
// weights normalised.
LoadResult<Streams> read_streams(Document& document, io::JsonValue primitive, const UvSets& uv_sets);

// One vertex per entry of `corners`, in that order; without targets.
Streams expand(const Streams& streams, const std::vector<std::uint32_t>& corners);

} // namespace vitrine::gltf
