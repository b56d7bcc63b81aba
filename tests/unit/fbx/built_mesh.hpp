#pragma once
// Meshes built from the text of a geometry.

#include <gtest/gtest.h>

#include "loaders/fbx/meshes/mesh_builder.hpp"

namespace vitrine::fbx {

struct LoadedMesh {
    MeshSource source;
    BuiltMesh built;
    std::vector<scene::Warning> warnings;
};

// A geometry with that content, as version 7 writes it.
inline LoadedMesh load_mesh(const std::string& content, std::size_t materials = 0)
{
    const std::string text =
        "; FBX 7.4.0 project file\nObjects: { Geometry: 1, \"Geometry::g\", \"Mesh\" {\n" + content +
        "} }\nConnections: {}\n";
    io::WarningLog warnings;
    LoadedMesh out;
    const auto document = Document::parse(std::as_bytes(std::span(text)), {}, warnings);
    EXPECT_TRUE(document) << document.error().where << document.error().detail;
    if (!document) return out;
    auto source = read_mesh(document->object(document->find_by_id(1)), {}, {}, warnings);
    EXPECT_TRUE(source) << source.error().where << source.error().detail;
    if (!source) return out;
    add_missing_normals(*source);
    out.source = *source;
    auto built = build_mesh(std::move(*source), materials, {});
    EXPECT_TRUE(built);
    if (built) out.built = std::move(*built);
    out.warnings = warnings.take();
    return out;
}

inline const std::string square = "Vertices: *12 { a: 0,0,0, 1,0,0, 1,1,0, 0,1,0 }\n";
inline const std::string one_quad = square + "PolygonVertexIndex: *4 { a: 0,1,2,-4 }\n";
// Two triangles of a bent sheet; the edge between them is corner 1 of the first.
inline const std::string bent = "Vertices: *12 { a: 0,0,0, 1,0,0, 0,1,0, 1,1,1 }\n"
                                "PolygonVertexIndex: *6 { a: 0,1,-3,2,1,-4 }\nEdges: *5 { a: 0,1,2,4,5 }\n";

inline std::string layer(std::string_view kind, std::string_view mapping, std::string_view reference,
                         std::string_view arrays)
{
    return "LayerElement" + std::string(kind) + ": 0 { MappingInformationType: \"" + std::string(mapping) +
           "\"\nReferenceInformationType: \"" + std::string(reference) + "\"\n" + std::string(arrays) +
           "\n}\n";
}

} // namespace vitrine::fbx
