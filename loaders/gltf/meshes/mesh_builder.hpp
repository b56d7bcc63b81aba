#pragma once
// Combines the vertices of primitives into one mesh.

#include <cstdint>

#include "loaders/gltf/meshes/streams.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

class MeshBuilder {
public:
    // Returns the index of the first new vertex. An attribute that only some primitives have gets a neutral
    // value for the others. Moves the data where possible.
    std::uint32_t append(Streams streams);
    // Appends a primitive of triangles without normals: one flat vertex per entry of `corners`, also for its
    // targets. Error: limit_exceeded (Limits::morph_deltas); repeated corners count repeatedly.
    LoadResult<std::uint32_t> append_flat(const Streams& streams, const std::vector<std::uint32_t>& corners,
                                          io::Budget& budget);
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

    scene::Mesh mesh_;
    // Ranges of vertices with tangents from the file: [begin, end).
    std::vector<std::pair<std::size_t, std::size_t>> given_tangents_;
};

} // namespace vitrine::gltf
