#pragma once
// Combines the vertices of primitives into one mesh, with normals where primitives have none.

#include <cstdint>
#include <span>

#include "loaders/gltf/meshes/primitive_attributes.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

class MeshBuilder {
public:
    // Returns the index of the first new vertex. An attribute that only some primitives have gets a neutral
    // value for the others. Moves the data where possible.
    std::uint32_t append(PrimitiveAttributes attributes);
    // Appends a primitive of triangles without normals: one flat vertex per entry of `corners`, also for its
    // targets. Error: limit_exceeded (Limits::morph_deltas); repeated corners count repeatedly.
    LoadResult<std::uint32_t> append_flat(const PrimitiveAttributes& attributes,
                                          const std::vector<std::uint32_t>& corners, io::Budget& budget);
    // `list` counts from `first_vertex`; the primitive's own range is set here.
    void add_primitive(scene::Primitive primitive, std::vector<std::uint32_t> list,
                       std::uint32_t first_vertex);
    std::size_t vertices() const { return mesh_.positions.size(); }
    // Computes missing tangents from normals and uv0 when `wanted`.
    void complete_tangents(bool wanted);
    scene::Mesh take() { return std::move(mesh_); }

private:
    void append_targets(const std::vector<DenseTarget>& targets, std::uint32_t first_vertex,
                        std::size_t count);
    void append_more_uvs(std::size_t before, std::vector<scene::Array<glm::vec2>>& uvs, std::size_t count);

    scene::Mesh mesh_;
    // Ranges of vertices with tangents from the file: [begin, end).
    std::vector<std::pair<std::size_t, std::size_t>> given_tangents_;
};

// Flat normals for triangles of primitives without normals (glTF 2.0, 3.7.2.1 and 3.7.2.2): assigns the
// normal of each triangle to its three vertices. Precondition: every three consecutive vertices are a
// triangle.
void compute_flat_normals(PrimitiveAttributes& attributes);

// Repairs normals of length zero: when all are zero they are removed; else each becomes the area-weighted
// mean of its triangles' normals. `triangles`: vertices, three each. Returns the number of zero normals.
std::size_t repair_normals(PrimitiveAttributes& attributes, std::span<const std::uint32_t> triangles);

// Returns a target for the vertices of `flat`, which was expanded from the target's primitive: the deltas of
// the corners, and the changes of the normals of moved triangles. A triangle that becomes degenerate keeps
// its normal.
DenseTarget flat_target(const PrimitiveAttributes& flat, const DenseTarget& target,
                        std::span<const std::uint32_t> corners);

} // namespace vitrine::gltf
