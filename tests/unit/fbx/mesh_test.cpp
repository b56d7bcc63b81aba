#include <gmock/gmock.h>

#include "tests/unit/fbx/built_mesh.hpp"

namespace vitrine::fbx {
namespace {

using testing::ElementsAre;

TEST(FbxMesh, SharesIdenticalVertices)
{
    const auto mesh = load_mesh(one_quad).built.mesh;
    EXPECT_EQ(mesh.positions.size(), 4u);
    EXPECT_THAT(mesh.indices, ElementsAre(0, 1, 2, 0, 2, 3));
    ASSERT_EQ(mesh.primitives.size(), 1u);
    EXPECT_EQ(mesh.primitives[0].material, scene::none);
    for (const glm::vec3& normal : mesh.normals)
        EXPECT_EQ(normal, glm::vec3(0.0f, 0.0f, 1.0f));
}

TEST(FbxMesh, ToleratesShortAndWrongIndices)
{
    const auto loaded = load_mesh(one_quad + layer("UV", "ByPolygonVertex", "IndexToDirect",
                                                   "UV: *4 { a: 1,1,0,0 }\nUVIndex: *3 { a: 1,7,-1 }"));
    EXPECT_EQ(loaded.built.mesh.uv0[0], glm::vec2(0.0f, 1.0f));
    ASSERT_EQ(loaded.warnings.size(), 1u);
    EXPECT_EQ(loaded.warnings[0].code, "index_out_of_range");
    EXPECT_THAT(loaded.warnings[0].message, testing::HasSubstr("2 of 4"));
}

TEST(FbxMesh, UnknownMappingIsDerivedFromTheCountOrIgnored)
{
    const auto with = [](std::string_view arrays) {
        return load_mesh(one_quad + layer("UV", "ByFancy", "Direct", arrays));
    };
    const auto counted = with("UV: *8 { a: 0,0, 1,0, 1,1, 0,1 }");
    EXPECT_EQ(counted.built.mesh.uv0.size(), 4u) << "as many as corners";
    EXPECT_TRUE(counted.warnings.empty());
    const auto ignored = with("UV: *6 { a: 0,0, 1,0, 1,1 }");
    EXPECT_TRUE(ignored.built.mesh.uv0.empty());
    ASSERT_EQ(ignored.warnings.size(), 1u);
    EXPECT_EQ(ignored.warnings[0].code, "unknown_mapping");
}

TEST(FbxMesh, TakesTheElementsThatTheFirstLayerNames)
{
    const auto loaded =
        load_mesh(one_quad + "LayerElementColor: 1 { MappingInformationType: \"AllSame\"\nColors: 0,0,0,1 }\n"
                             "LayerElementColor: 0 { MappingInformationType: \"AllSame\"\nColors: 1,1,0,1 }\n"
                             "LayerElementNormal: 2 { MappingInformationType: \"AllSame\"\nNormals: 0,1,0 }\n"
                             "LayerElementNormal: 1 { MappingInformationType: \"AllSame\"\nNormals: 0,0,1 }\n"
                             "Layer: 0 { LayerElement: { Type: \"LayerElementColor\"\nTypedIndex: 0 }\n"
                             "LayerElement: { Type: \"LayerElementNormal\"\nTypedIndex: 1 } }\n"
                             "Layer: 1 { LayerElement: { Type: \"LayerElementColor\"\nTypedIndex: 1 } }\n");
    ASSERT_FALSE(loaded.built.mesh.colors.empty());
    EXPECT_EQ(glm::vec3(loaded.built.mesh.colors[0]), glm::vec3(1, 1, 0));
    ASSERT_EQ(loaded.warnings.size(), 1u);
    EXPECT_EQ(loaded.warnings[0].code, "unsupported_color_set");
    EXPECT_EQ(loaded.built.mesh.normals[0], glm::vec3(0, 0, 1));
}

TEST(FbxMesh, DrawsEdgesPointsAndLeavesOutBadPolygons)
{
    const auto loaded =
        load_mesh(square + "PolygonVertexIndex: *12 { a: 0,1,-3, 0,-2, -4, 0,1,-9, 0,1,2 }\n");
    EXPECT_EQ(loaded.source.polygons(), 5u);
    const auto& primitives = loaded.built.mesh.primitives;
    ASSERT_EQ(primitives.size(), 3u);
    EXPECT_EQ(primitives[0].topology, scene::Topology::triangles);
    EXPECT_EQ(primitives[0].count, 6u);
    EXPECT_EQ(primitives[1].topology, scene::Topology::lines);
    EXPECT_EQ(primitives[2].topology, scene::Topology::points);
    ASSERT_EQ(loaded.warnings.size(), 2u);
    EXPECT_EQ(loaded.warnings[0].code, "unterminated_polygon");
    EXPECT_EQ(loaded.warnings[1].code, "index_out_of_range");
}

TEST(FbxMesh, EdgesAndPointsKnowWhetherTheFileHasNormals)
{
    const std::string polygons = square + "PolygonVertexIndex: *6 { a: 0,1,-3, 0,-2, -4 }\n";
    const auto without = load_mesh(polygons).built.mesh.primitives;
    const auto with = load_mesh(polygons + layer("Normal", "AllSame", "Direct", "Normals: *3 { a: 0,0,1 }"))
                          .built.mesh.primitives;
    ASSERT_EQ(without.size(), 3u);
    ASSERT_EQ(with.size(), 3u);
    for (const std::size_t i : {1u, 2u}) {
        EXPECT_FALSE(without[i].has_normals);
        EXPECT_TRUE(with[i].has_normals);
    }
}

TEST(FbxMesh, GroupsPolygonsByMaterial)
{
    const std::string three = square + "PolygonVertexIndex: *9 { a: 0,1,-3, 0,2,-4, 1,2,-4 }\n" +
                              layer("Material", "ByPolygon", "IndexToDirect", "Materials: *3 { a: 1,0,1 }");
    const auto both = load_mesh(three, 2).built.mesh;
    ASSERT_EQ(both.primitives.size(), 2u);
    EXPECT_EQ(both.primitives[0].material, 0u);
    EXPECT_EQ(both.primitives[0].count, 3u);
    EXPECT_EQ(both.primitives[1].material, 1u);
    EXPECT_EQ(both.primitives[1].first, 3u);
    const auto one = load_mesh(three, 1).built.mesh;
    EXPECT_EQ(one.primitives[0].material, scene::none);
}

TEST(FbxMesh, ReportsMissingMaterials)
{
    const auto warnings_of = [](const std::string& materials, std::size_t count, const std::string& mapping) {
        const std::string text = "; FBX 7.4.0\nObjects: { Geometry: 1, \"Geometry::g\", \"Mesh\" {\n" +
                                 square + "PolygonVertexIndex: *12 { a: 0,1,-3, 0,2,-4, 1,2,-4, 0,1,-4 }\n" +
                                 layer("Material", mapping, "IndexToDirect", "Materials: " + materials) +
                                 "} }\n";
        io::WarningLog warnings;
        const auto document = Document::parse(std::as_bytes(std::span(text)), {}, warnings);
        const Object& object = document->object(document->find_by_id(1));
        check_materials(*read_mesh(object, {}, {}, warnings), object, count, warnings);
        std::string all;
        for (const auto& warning : warnings.take())
            all += warning.code + " at " + warning.where + ": " + warning.message;
        return all;
    };
    const std::string end = " materials; those polygons are shown without a material";
    EXPECT_EQ(warnings_of("-1,1,5,0", 2, "ByPolygon"),
              "index_out_of_range at line 5: 1 of 4 material indices exceed the model's 2" + end);
    EXPECT_EQ(warnings_of("-2,1,7,0", 1, "ByPolygon"),
              "index_out_of_range at line 5: 3 of 4 material indices exceed the model's 1" + end);
    EXPECT_EQ(warnings_of("-1,1,0,0", 2, "ByPolygon"), "") << "-1 is none";
    EXPECT_EQ(warnings_of("0,1,2,3", 0, "ByPolygon"), "") << "the model has none";
    EXPECT_EQ(warnings_of("1,9,9,9", 2, "AllSame"), "") << "the first is that of all";
    EXPECT_EQ(warnings_of("2", 2, "AllSame"),
              "index_out_of_range at line 5: 1 of 1 material indices exceed the model's 2" + end);
}

// Triangles overwrite their corners; here an ignored polygon follows a square, with as many corners as the
// square has indices.
TEST(FbxMesh, MatchingIndexCountsNeedNotBeTriangles)
{
    const auto mesh = load_mesh(square + "PolygonVertexIndex: *6 { a: 0,1,2,-4,0,-10 }\n").built.mesh;
    EXPECT_THAT(mesh.indices, ElementsAre(0, 1, 2, 0, 2, 3));
    const auto plain = load_mesh(bent).built.mesh;
    EXPECT_EQ(plain.indices.size(), 6u);
    EXPECT_THAT(plain.primitives, testing::SizeIs(1));
}

// Triangles of one material use a faster path than the same triangles next to one with another material.
TEST(FbxMesh, PlainTrianglesAreThoseOfAnyMesh)
{
    const std::string values = layer("UV", "ByPolygonVertex", "IndexToDirect",
                                     "UV: *4 { a: 0,0,1,1 }\nUVIndex: *6 { a: 0,1,1,0,1,-1 }") +
                               layer("Color", "ByPolygon", "Direct", "Colors: *8 { a: 1,0,0,1, 0,1,0,0.5 }") +
                               // The second corner's normal is missing, so it gets the triangle's own.
                               layer("Normal", "ByPolygonVertex", "Direct",
                                     "Normals: *18 { a: 1,0,0, 0,0,0, 0,1,0, 1,0,0, 0,0,0, 0,1,0 }");
    const std::string corners = square + "PolygonVertexIndex: *6 { a: 0,1,-3, 0,2,-4 }\n";
    const auto materials = [](std::string_view list) {
        return layer("Material", "ByPolygon", "IndexToDirect",
                     "Materials: *2 { a: " + std::string(list) + " }");
    };
    const auto plain = load_mesh(corners + values + materials("1,1"), 2).built;
    const auto other = load_mesh(corners + values + materials("0,1"), 2).built;
    EXPECT_EQ(plain.mesh.indices, other.mesh.indices);
    EXPECT_EQ(plain.control_points, other.control_points);
    EXPECT_EQ(plain.mesh.normals, other.mesh.normals);
    EXPECT_EQ(plain.mesh.uv0, other.mesh.uv0);
    EXPECT_EQ(plain.mesh.colors, other.mesh.colors);
    ASSERT_THAT(plain.mesh.primitives, testing::SizeIs(1));
    EXPECT_EQ(plain.mesh.primitives[0].material, 1u);
    EXPECT_EQ(plain.mesh.normals[1], glm::vec3(0.0f, 0.0f, 1.0f));
    EXPECT_EQ(plain.mesh.uv0[5], glm::vec2(0.0f));
}

TEST(FbxMesh, LeavesOutHoles)
{
    const auto mesh = load_mesh(square + "PolygonVertexIndex: *6 { a: 0,1,-3, 0,2,-4 }\n" +
                                layer("Hole", "ByPolygon", "Direct", "Hole: *2 { a: 1,0 }"))
                          .built.mesh;
    EXPECT_EQ(mesh.indices.size(), 3u);
}

TEST(FbxMesh, SplitsConcaveQuadsInside)
{
    const auto mesh =
        load_mesh("Vertices: *12 { a: 0,0,0, 4,0,0, 1,1,0, 0,4,0 }\nPolygonVertexIndex: *4 { a: 1,2,3,-1 }\n")
            .built.mesh;
    double area = 0.0;
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        const auto at = [&](std::size_t k) { return mesh.positions[mesh.indices[i + k]]; };
        const float part = glm::cross(at(1) - at(0), at(2) - at(0)).z / 2.0f;
        EXPECT_GT(part, 0.0f);
        area += double{part};
    }
    EXPECT_DOUBLE_EQ(area, 4.0);
}

TEST(FbxMesh, MakesFlatNormalsWithoutSmoothing)
{
    EXPECT_EQ(load_mesh(bent).built.mesh.positions.size(), 6u);
    EXPECT_EQ(load_mesh(bent + layer("Smoothing", "ByEdge", "Direct", "Smoothing: *5 { a: 0,0,0,0,0 }"))
                  .built.mesh.positions.size(),
              6u);
    EXPECT_EQ(load_mesh(bent + layer("Smoothing", "ByPolygon", "Direct", "Smoothing: *2 { a: 1,2 }"))
                  .built.mesh.positions.size(),
              6u);
}

TEST(FbxMesh, MakesSmoothNormalsAlongSmoothEdges)
{
    for (const std::string& smoothing :
         {layer("Smoothing", "ByEdge", "Direct", "Smoothing: *5 { a: 0,1,0,0,0 }"),
          layer("Smoothing", "ByPolygon", "Direct", "Smoothing: *2 { a: 3,2 }")}) {
        const auto mesh = load_mesh(bent + smoothing).built.mesh;
        EXPECT_EQ(mesh.positions.size(), 4u) << smoothing;
        EXPECT_NEAR(double{glm::length(mesh.normals[1])}, 1.0, 1e-6);
        EXPECT_EQ(mesh.normals[1], mesh.normals[2]);
    }
}

TEST(FbxMesh, FillsMissingNormalsFromThePolygon)
{
    const auto mesh = load_mesh(one_quad + layer("Normal", "ByPolygonVertex", "Direct",
                                                 "Normals: *12 { a: 1,0,0, 0,0,0, 2,0,0, 1,0,0 }"))
                          .built.mesh;
    EXPECT_EQ(mesh.normals[0], glm::vec3(1.0f, 0.0f, 0.0f));
    EXPECT_EQ(mesh.normals[1], glm::vec3(0.0f, 0.0f, 1.0f));
    EXPECT_EQ(mesh.normals[2], glm::vec3(1.0f, 0.0f, 0.0f));
}

TEST(FbxMesh, ReadsVersion5WithoutLayers)
{
    const auto mesh =
        load_mesh(square + "PolygonVertexIndex: 0,1,2,-4\nNormals: 1,0,0,1,0,0,1,0,0,1,0,0\n"
                           "MaterialAssignation: \"ByPolygon\"\nMaterials: 1\n"
                           "GeometryUVInfo: { MappingInformationType: \"ByPolygon\"\nTextureUV: 0,0,1,1\n"
                           "TextureUVVerticeIndex: 0,1,1,0 }\n",
                  2)
            .built.mesh;
    EXPECT_EQ(mesh.uv0[1], glm::vec2(1.0f, 0.0f));
    EXPECT_EQ(mesh.normals[0], glm::vec3(1.0f, 0.0f, 0.0f));
    EXPECT_EQ(mesh.primitives[0].material, 1u);
}

} // namespace
} // namespace vitrine::fbx
