// The content of a file and what of it is not shown: counts, and warnings about constraints.

#include <gmock/gmock.h>

#include "loaders/fbx/fbx.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine {
namespace {

using testing::ElementsAre;

LoadResult<scene::Scene> try_load(const std::string& objects, const std::string& connections = {},
                                  const Limits& limits = {})
{
    test::MemorySource source("m.fbx", {{"m.fbx", "; FBX 7.4.0 project file\nObjects: {\n" + objects +
                                                      "}\nConnections: {\n" + connections + "}\n"}});
    return load_fbx(source, limits);
}

scene::Scene load_objects(const std::string& objects, const std::string& connections = {})
{
    return test::valid(try_load(objects, connections));
}

const std::string models = "Model: 1, \"Model::a\", \"Mesh\" { }\nModel: 2, \"Model::b\", \"Mesh\" { }\n";

std::string geometry(int id)
{
    return "Geometry: " + std::to_string(id) +
           ", \"Geometry::g\", \"Mesh\" { Vertices: *12 { a: 0,0,0,1,0,0,1,1,0,0,1,0 }\n"
           "PolygonVertexIndex: *7 { a: 0,1,2,-4,0,1,-3 } }\n";
}

TEST(FbxInventory, GeometryWithOtherMaterialsIsAVariant)
{
    const auto scene = load_objects(
        models + geometry(3) +
            "Material: 5, \"Material::p\", \"\" { }\nMaterial: 6, \"Material::q\", \"\" { }\n",
        "C: \"OO\",1,0\nC: \"OO\",2,0\nC: \"OO\",3,1\nC: \"OO\",3,2\nC: \"OO\",5,1\nC: \"OO\",6,2\n");
    ASSERT_EQ(scene.meshes.size(), 2u);
    EXPECT_EQ(scene.source_vertices, 4u);
    EXPECT_FALSE(scene.meshes[0].shares_geometry);
    EXPECT_TRUE(scene.meshes[1].shares_geometry);
}

// In either order; the model with fewer materials is reported.
TEST(FbxInventory, ModelsMayHaveMoreMaterialsForAGeometryThanOthers)
{
    const std::string parted =
        "Geometry: 3, \"Geometry::g\", \"Mesh\" { Vertices: *12 { a: 0,0,0,1,0,0,1,1,0,0,1,0 }\n"
        "PolygonVertexIndex: *6 { a: 0,1,-3,0,2,-4 }\nLayerElementMaterial: 0 { MappingInformationType: "
        "\"ByPolygon\"\nReferenceInformationType: \"IndexToDirect\"\nMaterials: *2 { a: 0,1 } } }\n"
        "Material: 5, \"Material::p\", \"\" { }\nMaterial: 6, \"Material::q\", \"\" { }\n";
    const std::string shown = "C: \"OO\",1,0\nC: \"OO\",2,0\nC: \"OO\",3,1\nC: \"OO\",3,2\n";
    for (const bool first_has_more : {true, false}) {
        const std::string one = first_has_more ? "1" : "2", other = first_has_more ? "2" : "1";
        std::string connections = shown;
        for (const auto& [material, model] : {std::pair("5", one), {"6", one}, {"5", other}})
            connections.append("C: \"OO\",").append(material).append(",").append(model).append("\n");
        const auto scene = load_objects(models + parted, connections);
        ASSERT_EQ(scene.nodes.size(), 2u);
        const auto& whole = scene.meshes.at(scene.nodes[first_has_more ? 0 : 1].mesh);
        const auto& fewer = scene.meshes.at(scene.nodes[first_has_more ? 1 : 0].mesh);
        ASSERT_EQ(whole.primitives.size(), 2u);
        EXPECT_EQ(whole.primitives[1].material, 1u);
        ASSERT_EQ(fewer.primitives.size(), 2u);
        EXPECT_EQ(fewer.primitives[0].material, 0u);
        EXPECT_EQ(fewer.primitives[1].material, scene::none);
        ASSERT_EQ(scene.warnings.size(), 1u);
        EXPECT_EQ(scene.warnings[0].code, "index_out_of_range");
        EXPECT_EQ(scene.warnings[0].where, first_has_more ? "line 4" : "line 3");
    }
}

// Two models show one geometry; a second geometry is not shown.
TEST(FbxInventory, CountsAreOfDistinctGeometriesShownOrNot)
{
    const auto scene = load_objects(models + geometry(3) + geometry(4),
                                    "C: \"OO\",1,0\nC: \"OO\",2,0\nC: \"OO\",3,1\nC: \"OO\",3,2\n");
    EXPECT_EQ(scene.meshes.size(), 2u);
    EXPECT_EQ(scene.source_vertices, 8u);
    EXPECT_EQ(scene.source_polygons, 4u);
    EXPECT_EQ(scene.meshes[1].indices.size(), 9u);
    EXPECT_EQ(scene.nodes[0].mesh, 0u);
    EXPECT_EQ(scene.nodes[1].mesh, 0u);
}

TEST(FbxInventory, GeometriesThatNoModelShowsCountAgainstTheLimits)
{
    const auto error_text = [](const Limits& limits) {
        return try_load(models + geometry(3) + geometry(4), "C: \"OO\",1,0\nC: \"OO\",3,1\n", limits)
            .error()
            .detail;
    };
    EXPECT_THAT(error_text({.meshes = 1}), testing::HasSubstr("limit meshes = 1"));
    EXPECT_THAT(error_text({.vertices = 7}), testing::HasSubstr("limit vertices = 7"));
}

TEST(FbxInventory, EachKindOfConstraintIsReportedWithItsPlace)
{
    for (const std::string kind : {"Parent-Child", "Position From Positions", "Rotation From Rotations",
                                   "Scale From Scales", "Aim", "Single Chain IK", "Custom", ""}) {
        const auto scene = load_objects("Constraint: 5, \"Constraint::c\", \"" + kind + "\" { }\n");
        ASSERT_EQ(scene.warnings.size(), 1u) << kind;
        EXPECT_EQ(scene.warnings[0].code, "unsupported_constraint");
        EXPECT_EQ(scene.warnings[0].where, "line 3");
        EXPECT_THAT(scene.warnings[0].message, testing::HasSubstr("'c'"));
        EXPECT_THAT(scene.warnings[0].message, testing::HasSubstr(kind));
    }
}

TEST(FbxInventory, InactiveConstraintsAreNotReported)
{
    const auto off =
        "Constraint: 5, \"Constraint::c\", \"Aim\" { Properties70: { P: \"Active\", \"bool\", \"\", "
        "\"\",0 } }\nConstraint: 6, \"Constraint::d\", \"Character\" { }\n";
    EXPECT_TRUE(load_objects(off).warnings.empty());
}

} // namespace
} // namespace vitrine
