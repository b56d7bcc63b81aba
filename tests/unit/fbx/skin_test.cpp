#include <gmock/gmock.h>

#include "loaders/fbx/fbx.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::fbx {
namespace {

using testing::ElementsAre;
using testing::FloatEq;

const std::string transform = "Transform: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,-2,0,0,1 }\n";
const std::string link = "TransformLink: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,2,0,0,1 }\n";

const std::string default_parents = "C: \"OO\",11,0\n";

// A triangle (1: model, 2: geometry) under two joints (11, 12) with clusters of that content.
LoadResult<scene::Scene> try_load(const std::string& first, const std::string& second,
                                  const std::string& skin, const std::string& objects,
                                  const std::string& connections, const std::string& parents)
{
    const std::string text =
        "; FBX 7.4.0 project file\nGlobalSettings: { Properties70: { P: \"UnitScaleFactor\", \"double\", "
        "\"Number\", "
        "\"\",100 } }\nObjects: { Model: 1, \"Model::m\", \"Mesh\" { }\nGeometry: 2, \"Geometry::g\", "
        "\"Mesh\" {\n"
        "Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }\nPolygonVertexIndex: *3 { a: 0,1,-3 } }\n"
        "Deformer: 3, \"Deformer::s\", \"Skin\" { " +
        skin +
        " }\n"
        "Deformer: 4, \"SubDeformer::a\", \"Cluster\" { " +
        first +
        " }\n"
        "Deformer: 5, \"SubDeformer::b\", \"Cluster\" { " +
        second +
        " }\n"
        "Model: 11, \"Model::hip\", \"LimbNode\" { }\nModel: 12, \"Model::knee\", \"LimbNode\" { }\n" +
        objects +
        "}\nConnections: {\nC: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,2\nC: \"OO\",4,3\nC: \"OO\",5,3\n" +
        parents + "C: \"OO\",12,11\nC: \"OO\",11,4\nC: \"OO\",12,5\n" + connections + "}\n";
    test::MemorySource source("m.fbx", {{"m.fbx", text}});
    return load_fbx(source, {});
}

scene::Scene load_skin(const std::string& first, const std::string& second, const std::string& skin = {},
                       const std::string& objects = {}, const std::string& connections = {},
                       const std::string& parents = default_parents)
{
    return test::valid(try_load(first, second, skin, objects, connections, parents));
}

std::string error_text(const std::string& first, const std::string& second)
{
    const auto loaded = try_load(first, second, {}, {}, {}, default_parents);
    return loaded ? "" : loaded.error().detail;
}

std::string weights(const std::string& indexes, const std::string& values)
{
    return "Indexes: *9 { a: " + indexes + " }\nWeights: *9 { a: " + values + " }\n";
}

TEST(FbxSkin, SharesWeightsAndLeavesLooseVertices)
{
    const auto scene =
        load_skin(weights("0,1", "0.5,3") + transform + link, weights("1", "1") + transform + link);
    ASSERT_EQ(scene.skins.size(), 1u);
    EXPECT_EQ(scene.skins[0].joints.size(), 2u);
    const scene::Influences& in = scene.meshes[0].influences;
    EXPECT_THAT(in.first, ElementsAre(0, 1, 3, 3));
    EXPECT_THAT(in.weights, ElementsAre(FloatEq(1.0f), FloatEq(0.75f), FloatEq(0.25f)));
    EXPECT_THAT(in.joints, ElementsAre(0, 0, 1));
    EXPECT_EQ(scene.skins[0].inverse_bind[0][3].x, -2.0f);
}

// As in the SDK: weights of all skins are combined, the first skin defines the method.
TEST(FbxSkin, SeveralSkinsMoveAMeshTogether)
{
    const auto scene = load_skin(
        weights("0,1", "1,0.5") + transform, "", "SkinningType: \"DualQuaternion\"",
        "Deformer: 6, \"Deformer::t\", \"Skin\" { }\nDeformer: 7, \"SubDeformer::c\", \"Cluster\" { " +
            weights("1,2", "1.5,0.25") + link + " }\nModel: 13, \"Model::tail\", \"LimbNode\" { }\n",
        "C: \"OO\",6,2\nC: \"OO\",7,6\nC: \"OO\",13,0\nC: \"OO\",13,7\n");
    ASSERT_EQ(scene.skins.size(), 1u);
    EXPECT_EQ(scene.skins[0].method, scene::SkinningMethod::dual_quaternion);
    const scene::Influences& in = scene.meshes[0].influences;
    EXPECT_THAT(in.first, ElementsAre(0, 1, 3, 4));
    EXPECT_THAT(in.weights, ElementsAre(1.0f, FloatEq(0.25f), FloatEq(0.75f), 1.0f));
    EXPECT_EQ(scene.nodes[scene.skins[0].joints[in.joints[3]]].name, "tail");
    EXPECT_THAT(test::codes(scene), testing::HasSubstr("second_skin"));
}

TEST(FbxSkin, DerivesTheBindPoseFromTheFile)
{
    const std::string w = weights("0", "1");
    const auto inverse_bind_x = [](const scene::Scene& scene) {
        return scene.skins.at(0).inverse_bind.at(0)[3].x;
    };
    EXPECT_EQ(inverse_bind_x(load_skin(w + link, w + link)), -2.0f);
    const std::string pose = "Pose: 20, \"Pose::p\", \"BindPose\" { PoseNode: { Node: 11\nMatrix: *16 { a: "
                             "1,0,0,0,0,1,0,0,0,0,1,0,5,0,0,1 } }\nPoseNode: { Node: 1\nMatrix: *16 { a: "
                             "1,0,0,0,0,1,0,0,0,0,1,0,1,0,0,1 } } }\n";
    EXPECT_EQ(inverse_bind_x(load_skin(w, w, {}, pose)), -4.0f);
    EXPECT_EQ(inverse_bind_x(load_skin(w + link, w, {}, pose)), -1.0f);
    EXPECT_EQ(inverse_bind_x(load_skin(w, w)), 0.0f);
    const std::string zeros = " { a: 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 }\n"; // not a matrix
    EXPECT_EQ(
        inverse_bind_x(load_skin(w + "Transform: *16" + zeros + "TransformLink: *16" + zeros, w, {}, pose)),
        -4.0f);
    EXPECT_EQ(inverse_bind_x(load_skin(w + link + "Transform: *16" + zeros, w, {}, pose)), -1.0f);
}

TEST(FbxSkin, RejectsAnIncompleteMatrix)
{
    const std::string w = weights("0", "1");
    EXPECT_EQ(error_text(w + "Transform: *15 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0 }\n", w),
              "a matrix has 15 numbers instead of 16");
}

TEST(FbxSkin, KeepsTheSkinningMethod)
{
    const std::string w = weights("0,1,2", "1,1,1") + transform;
    EXPECT_EQ(load_skin(w, w).skins[0].method, scene::SkinningMethod::linear);
    EXPECT_EQ(load_skin(w, w, "SkinningType: \"DualQuaternion\"").skins[0].method,
              scene::SkinningMethod::dual_quaternion);
    const auto blended =
        load_skin(w, w, "SkinningType: \"Blend\"\nIndexes: *2 { a: 2,0 }\nBlendWeights: *2 { a: 0.25,7 }");
    EXPECT_EQ(blended.skins[0].method, scene::SkinningMethod::blended);
    EXPECT_THAT(blended.meshes[0].influences.dual_quaternion_weights, ElementsAre(1.0f, 0.0f, 0.25f));
}

TEST(FbxSkin, ReportsIgnoredContent)
{
    const auto scene = load_skin(weights("0,77", "1,1") + transform, weights("0", "1,1") + transform, {},
                                 "Deformer: 6, \"SubDeformer::c\", \"Cluster\" { }\n", "C: \"OO\",6,3\n");
    std::vector<std::string> codes;
    for (const auto& warning : scene.warnings)
        codes.push_back(warning.code);
    EXPECT_THAT(codes,
                testing::UnorderedElementsAre("weight_count", "cluster_without_joint", "index_out_of_range"));
    EXPECT_EQ(scene.skins[0].joints.size(), 2u);
}

TEST(FbxSkin, NegativeWeightsAreReported)
{
    const auto scene =
        load_skin(weights("0,1", "1.3,1") + transform + link, weights("0,1", "-0.3,1") + transform + link);
    ASSERT_EQ(scene.warnings.size(), 1u);
    EXPECT_EQ(scene.warnings[0].code, "fbx_negative_weight");
    EXPECT_THAT(scene.meshes[0].influences.first, ElementsAre(0, 1, 3, 3));
}

TEST(FbxModel, ShowsTheFirstOfSeveralGeometries)
{
    const auto scene = load_skin("", "", {},
                                 "Geometry: 40, \"Geometry::h\", \"Mesh\" { Vertices: *3 { a: 0,0,0 }\n"
                                 "PolygonVertexIndex: *1 { a: -1 } }\n",
                                 "C: \"OO\",40,1\n");
    ASSERT_EQ(scene.meshes.size(), 2u);
    EXPECT_EQ(scene.nodes[0].mesh, 0u);
    EXPECT_EQ(scene.meshes[0].positions.size(), 3u);
    EXPECT_EQ(scene.source_vertices, 4u);
    ASSERT_FALSE(scene.warnings.empty());
    EXPECT_EQ(scene.warnings[0].code, "second_mesh");
}

TEST(FbxBlendShape, MakesTargetsOfChannelsAndInBetweens)
{
    const auto scene = load_skin(
        "", "", "",
        "Deformer: 30, \"Deformer::b\", \"BlendShape\" { }\n"
        "Deformer: 31, \"SubDeformer::smile\", \"BlendShapeChannel\" { FullWeights: *2 { a: 100,50 }\n"
        "Properties70: { P: \"DeformPercent\", \"Number\", \"\", \"A\",75 } }\n"
        "Geometry: 32, \"Geometry::full\", \"Shape\" { Indexes: *1 { a: 1 }\nVertices: *3 { a: 0,0,2 } }\n"
        "Geometry: 33, \"Geometry::half\", \"Shape\" { Indexes: *2 { a: 0,9 }\nVertices: *6 { a: "
        "1,0,0,0,0,0 }\nNormals: *6 { a: 0,1,0,0,0,0 } }\n",
        "C: \"OO\",30,2\nC: \"OO\",31,30\nC: \"OO\",32,31\nC: \"OO\",33,31\n");
    const scene::Mesh& mesh = scene.meshes[0];
    ASSERT_EQ(mesh.morph_targets.size(), 2u);
    EXPECT_EQ(mesh.morph_targets[0].name, "half");
    EXPECT_THAT(mesh.morph_targets[0].vertices, ElementsAre(0));
    EXPECT_EQ(mesh.morph_targets[0].normal_deltas.at(0), glm::vec3(0.0f, 1.0f, 0.0f));
    EXPECT_EQ(mesh.morph_targets[1].position_deltas.at(0), glm::vec3(0.0f, 0.0f, 2.0f));
    EXPECT_THAT(mesh.morph_weights, ElementsAre(0.5f, 0.5f));
}

TEST(FbxBlendShape, DifferentNumbersOfPointsAndOffsetsAreReported)
{
    const auto load_shape = [](const std::string& offsets) {
        return load_skin("", "", "",
                         "Deformer: 30, \"Deformer::b\", \"BlendShape\" { }\n"
                         "Deformer: 31, \"SubDeformer::smile\", \"BlendShapeChannel\" { }\n"
                         "Geometry: 32, \"Geometry::full\", \"Shape\" { Indexes: *2 { a: 1,2 }\nVertices: " +
                             offsets + " }\n",
                         "C: \"OO\",30,2\nC: \"OO\",31,30\nC: \"OO\",32,31\n");
    };
    const auto short_of_one = load_shape("*3 { a: 0,0,2 }");
    // The other corners of the triangle are listed for their normals.
    EXPECT_THAT(short_of_one.meshes[0].morph_targets.at(0).position_deltas,
                ElementsAre(glm::vec3(0.0f, 0.0f, 2.0f), glm::vec3(0.0f), glm::vec3(0.0f)));
    EXPECT_THAT(test::codes(short_of_one), testing::HasSubstr("shape_count"));
    EXPECT_THAT(test::codes(load_shape("*6 { a: 0,0,2,0,0,1 }")),
                testing::Not(testing::HasSubstr("shape_count")));
}

// Blender's encoding of a shape key limited by a vertex group.
TEST(FbxBlendShape, NormalizesFullWeightsOfAPoint)
{
    const auto scene = load_skin(
        "", "", "",
        "Deformer: 30, \"Deformer::b\", \"BlendShape\" { }\n"
        "Deformer: 31, \"SubDeformer::smile.L\", \"BlendShapeChannel\" { FullWeights: *2 { a: 0,25 }\n"
        "Properties70: { P: \"DeformPercent\", \"Number\", \"\", \"A\",75 } }\n"
        "Geometry: 32, \"Geometry::smile.L\", \"Shape\" { Indexes: *2 { a: 0,1 }\nVertices: *6 { a: "
        "1,0,0,0,0,2 }\nNormals: *6 { a: 0,1,0,0,4,0 } }\n",
        "C: \"OO\",30,2\nC: \"OO\",31,30\nC: \"OO\",32,31\n");
    const scene::Mesh& mesh = scene.meshes[0];
    ASSERT_EQ(mesh.morph_targets.size(), 1u);
    EXPECT_THAT(mesh.morph_targets[0].position_deltas,
                ElementsAre(glm::vec3(0.0f), glm::vec3(0.0f, 0.0f, 0.5f)));
    EXPECT_THAT(mesh.morph_targets[0].normal_deltas,
                ElementsAre(glm::vec3(0.0f), glm::vec3(0.0f, 1.0f, 0.0f)));
    EXPECT_THAT(mesh.morph_weights, ElementsAre(0.75f));
}

// One full weight for one point belongs to the shape, except in Blender's files.
TEST(FbxBlendShape, NormalizesSingleFullWeightsOfBlender)
{
    const auto height = [](const std::string& creator) {
        const auto scene = load_skin(
            "", "", "",
            "Deformer: 30, \"Deformer::b\", \"BlendShape\" { }\n"
            "Deformer: 31, \"SubDeformer::s\", \"BlendShapeChannel\" { FullWeights: *1 { a: 25 } }\n"
            "Geometry: 32, \"Geometry::s\", \"Shape\" { Indexes: *1 { a: 1 }\nVertices: *3 { a: 0,0,2 } }\n",
            "C: \"OO\",30,2\nC: \"OO\",31,30\nC: \"OO\",32,31\n}\nCreator: \"" + creator + "\"\nRest: {\n");
        return scene.meshes.at(0).morph_targets.at(0).position_deltas.at(0).z;
    };
    EXPECT_EQ(height("Blender (stable FBX IO) - 4.2.0"), 0.5f);
    EXPECT_EQ(height("FBX SDK/FBX Plugins version 2020.3"), 2.0f);
}

// A full weight in addition to the shape's own, as left by a deleted in-between.
TEST(FbxBlendShape, LeavesOutFullWeightsWithoutAShape)
{
    const auto scene = load_skin(
        "", "", "",
        "Deformer: 30, \"Deformer::b\", \"BlendShape\" { }\n"
        "Deformer: 31, \"SubDeformer::c\", \"BlendShapeChannel\" { FullWeights: *2 { a: 50,100 }\n"
        "Properties70: { P: \"DeformPercent\", \"Number\", \"\", \"A\",25 } }\n"
        "Geometry: 32, \"Geometry::s\", \"Shape\" { Indexes: *1 { a: 1 }\nVertices: *3 { a: 0,0,2 } }\n",
        "C: \"OO\",30,2\nC: \"OO\",31,30\nC: \"OO\",32,31\n");
    const scene::Mesh& mesh = scene.meshes[0];
    EXPECT_EQ(mesh.morph_targets.at(0).position_deltas.at(0), glm::vec3(0.0f, 0.0f, 2.0f));
    EXPECT_THAT(mesh.morph_weights, ElementsAre(0.5f));
}

// Root and hip above a bound joint, an end below it; but not children of a mesh or another skeleton.
TEST(FbxSkin, JointsWithoutAClusterBelongToTheSkeleton)
{
    const std::string objects =
        "Model: 20, \"Model::reference\", \"Root\" { }\nModel: 21, \"Model::toe\", \"LimbNode\" { "
        "Properties70: { P: "
        "\"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,3,0 } }\nModel: 22, \"Model::group\", "
        "\"Null\" { }\n"
        "Model: 23, \"Model::other\", \"LimbNode\" { }\nModel: 24, \"Model::prop\", \"Mesh\" { }\n";
    const std::string connections = "C: \"OO\",20,22\nC: \"OO\",22,0\nC: \"OO\",11,20\nC: \"OO\",21,12\nC: "
                                    "\"OO\",23,0\nC: \"OO\",24,12\n";
    const std::string both = weights("0", "1") + transform + link;
    const auto scene = load_skin(both, both, {}, objects, connections, "");
    ASSERT_EQ(scene.skins.size(), 2u);
    std::vector<std::string> names;
    for (const std::uint32_t joint : scene.skins[1].joints)
        names.push_back(scene.nodes[joint].name);
    EXPECT_THAT(names, testing::UnorderedElementsAre("reference", "toe"));
    const auto toe = static_cast<std::size_t>(std::ranges::find(names, "toe") - names.begin());
    EXPECT_EQ(scene.skins[1].inverse_bind[toe][3].y, -3.0f);
    for (const scene::Node& node : scene.nodes)
        EXPECT_NE(node.skin, 1u);
}

} // namespace
} // namespace vitrine::fbx
