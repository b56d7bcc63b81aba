#pragma once
// Converts a <geometry> to a mesh of the Scene, in the file's axes.

#include <array>
#include <vector>

#include "loaders/dae/geometry/material_binding.hpp"
#include "loaders/dae/sources/sources.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

// Indices of one corner of a face; none where the mesh lacks the attribute.
struct CornerIndices {
    std::uint32_t position = scene::none;
    std::uint32_t normal = scene::none; // with the upper bit set: index into the normals of flat faces
    std::uint32_t uv0 = scene::none;
    std::uint32_t uv1 = scene::none;
    std::uint32_t color = scene::none;
    std::uint32_t uv2 = scene::none;
    bool operator==(const CornerIndices&) const = default;
    std::array<std::uint32_t, 6> indices() const { return {position, normal, uv0, uv1, color, uv2}; }
};

// Whether BuiltMesh says which entries of the sources its vertices come from.
enum class VertexOrigins : std::uint8_t { wanted, unwanted };

// A mesh and, for skins and morphs, the sources of its vertices.
struct BuiltMesh {
    scene::Mesh mesh;
    // If wanted, by vertex: index into the position source and into the normal source (none: a flat face).
    std::vector<std::uint32_t> position_of, normal_of;
    std::uint32_t positions = 0; // in the source
    std::uint64_t polygons = 0;  // as stored in the file
};

// Builds the mesh of the primitives of a <mesh>. Positions are those of its <vertices>. Faces with an invalid
// position index and unsupported primitives are ignored with a warning.
LoadResult<BuiltMesh> build_mesh(io::XmlNode geometry, const MaterialBinding& binding, VertexOrigins origins,
                                 Documents& documents, Sources& sources, io::Budget& budget);

// Returns the element with sources and primitives: <mesh>, or a <convex_mesh> with its own; absent for other
// elements.
io::XmlNode find_mesh(io::XmlNode geometry);
// Returns whether the element is a primitive of a mesh: <triangles>, <polylist>, <lines> ...
bool is_primitive(io::XmlNode node);
// Returns the source that <vertices> names for POSITION or NORMAL.
io::XmlNode vertex_source(io::XmlNode mesh, std::string_view semantic, Documents& documents);

// Returns the number of elements visited to build the mesh.
std::uint64_t parts_of(io::XmlNode geometry);
Symbols symbols_of(io::XmlNode geometry);

} // namespace vitrine::dae
