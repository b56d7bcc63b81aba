#pragma once
// <geometry> to a mesh of the Scene, still in the file's axes.

#include <array>
#include <vector>

#include "loaders/dae/geometry/material_binding.hpp"
#include "loaders/dae/sources/sources.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

// Indices of one corner of a face; none where the mesh has no such attribute.
struct Corner {
    std::uint32_t position = scene::none;
    std::uint32_t normal = scene::none; // with its upper bit: into the normals of flat faces
    std::uint32_t uv0 = scene::none;
    std::uint32_t uv1 = scene::none;
    std::uint32_t color = scene::none;
    bool operator==(const Corner&) const = default;
    std::array<std::uint32_t, 5> indices() const { return {position, normal, uv0, uv1, color}; }
};

// A mesh and, for skins and morphs, where its vertices come from.
enum class Origins : std::uint8_t { wanted, unwanted };
struct BuiltMesh {
    scene::Mesh mesh;
    // If wanted, by vertex: index into the position source, into the normal source (none: a flat face).
    std::vector<std::uint32_t> position_of, normal_of;
    std::uint32_t positions = 0; // in the source
    std::uint64_t polygons = 0;  // as stored
};

// What the primitives of a <mesh> draw. Positions are those of its <vertices>. A face whose position index
// leads nowhere is left out with a warning, as is a primitive that is not understood.
LoadResult<BuiltMesh> build_mesh(io::XmlNode geometry, const MaterialBinding& binding, Origins origins,
                                 Documents& documents, Sources& sources, io::Budget& budget);

// The element with sources and primitives: <mesh>, or a <convex_mesh> that has its own. Absent for anything
// else.
io::XmlNode mesh_of(io::XmlNode geometry);
// The source that <vertices> name for POSITION or NORMAL.
io::XmlNode vertex_source(io::XmlNode mesh, std::string_view semantic, Documents& documents);

// How many elements building its mesh looks at.
std::uint64_t parts_of(io::XmlNode geometry);
Symbols symbols_of(io::XmlNode geometry);

} // namespace vitrine::dae
