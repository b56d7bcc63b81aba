#pragma once
// Joins the vertices of primitives into one mesh.

#include <cstdint>

#include "loaders/gltf/meshes/streams.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

class MeshBuilder {
public:
    // Returns the index of the first of the new vertices. An attribute that only some primitives have is
    // filled with a neutral value for the others. Takes what it can move.
    std::uint32_t append(Streams streams);
    // A primitive of triangles without normals: a vertex for each of `corners`, all flat, its targets too.
    // Error: limit_exceeded (Limits::morph_deltas); a corner more than once counts more than once.
    LoadResult<std::uint32_t> append_flat(const Streams& streams, const std::vector<std::uint32_t>& corners,
                                          io::Budget& budget);
    // `list` counts from `first_vertex`; the primitive's own range is set here.
    void add_primitive(scene::Primitive primitive, std::vector<std::uint32_t> list,
                       std::uint32_t first_vertex);
    std::size_t vertices() const { return mesh_.positions.size(); }
    // Tangents where `wanted` and the file has none, from normals and uv0.
    void complete_tangents(bool wanted);
    scene::Mesh take() { return std::move(mesh_); }

private:
    void append_targets(const std::vector<DenseTarget>& targets, std::uint32_t first_vertex,
                        std::size_t count);

    scene::Mesh mesh_;
    // Which vertices have tangents of the file: [begin, end).
    std::vector<std::pair<std::size_t, std::size_t>> given_tangents_;
};

} // namespace vitrine::gltf
