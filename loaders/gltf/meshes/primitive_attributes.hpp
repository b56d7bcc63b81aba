#pragma once
// The vertices of one primitive, dense, before they are combined into a mesh.

#include <cstdint>
#include <vector>

#include "loaders/gltf/document/document.hpp"
#include "loaders/gltf/materials/uv_sets.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// Deltas of one morph target, one per vertex; a missing attribute is empty.
struct DenseTarget {
    scene::Array<glm::vec3> positions;
    scene::Array<glm::vec3> normals;
    scene::Array<glm::vec3> tangents;
};

struct PrimitiveAttributes {
    scene::Array<glm::vec3> positions;
    scene::Array<glm::vec3> normals;
    scene::Array<glm::vec4> tangents;
    scene::Array<glm::vec2> uv0;
    scene::Array<glm::vec2> uv1;
    std::vector<scene::Array<glm::vec2>> more_uvs;
    scene::Array<glm::vec4> colors;
    scene::Influences influences;
    std::vector<DenseTarget> targets;
};

// Reads the attributes and morph targets of a primitive with a POSITION. Other attributes that do not match
// the vertices are ignored with a warning. Results are finite, normals have unit length, weights are
// normalized.
LoadResult<PrimitiveAttributes> read_attributes(Document& document, io::JsonValue primitive,
                                                const UvSets& uv_sets);

// Returns one vertex per entry of `corners`, in order; without targets.
PrimitiveAttributes expand(const PrimitiveAttributes& attributes, const std::vector<std::uint32_t>& corners);

} // namespace vitrine::gltf
