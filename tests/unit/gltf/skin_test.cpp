#include <algorithm>

#include "tests/unit/gltf/builder.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::node_named;
using test::triangle;
using test::valid;
using test::warned;

// The triangle skinned to two joints, the first a child of the second.
GltfBuilder skinned(const std::string& skin, const std::string& attributes)
{
    GltfBuilder builder = triangle();
    builder.add("nodes", R"({"name":"root","children":[2]})");
    builder.add("nodes", R"({"name":"tip","translation":[0,1,0]})");
    builder.add("nodes", R"({"name":"skinned","mesh":1,"skin":0})");
    builder.accessor<std::uint8_t>({0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}, "VEC4");  // 2
    builder.accessor<float>({0.5f, 0.5f, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}, "VEC4");   // 3
    builder.accessor<std::uint16_t>({1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4"); // 4
    builder.accessor<std::uint8_t>({255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4",
                                   R"(,"normalized":true)"); // 5
    builder.accessor<float>(
        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1},
        "MAT4"); // 6
    builder.mesh(R"("POSITION":0,"NORMAL":1)" + attributes);
    builder.add("skins", skin);
    return builder;
}

const std::string one_set = R"(,"JOINTS_0":2,"WEIGHTS_0":3)";

TEST(GltfSkin, InfluencesAreNormalizedAndZerosDropped)
{
    const scene::Scene scene =
        valid(skinned(R"({"joints":[1,2],"inverseBindMatrices":6})", one_set).load_glb());
    const scene::Influences& influences = scene.meshes[1].influences;
    EXPECT_EQ(influences.first, (std::vector<std::uint32_t>{0, 2, 3, 3}));
    EXPECT_EQ(influences.joints, (std::vector<std::uint16_t>{0, 1, 1}));
    EXPECT_EQ(influences.weights, (std::vector<float>{0.5f, 0.5f, 1.0f}));
    ASSERT_EQ(scene.skins.size(), 1u);
    EXPECT_EQ(scene.nodes[scene.skins[0].joints[1]].name, "tip");
    EXPECT_EQ(scene.skins[0].inverse_bind[1][3], glm::vec4(0, -1, 0, 1));
    EXPECT_EQ(node_named(scene, "skinned").skin, 0u);
    EXPECT_TRUE(scene.meshes[0].influences.first.empty());
    std::vector<std::string> messages;
    for (const scene::Warning& warning : scene.warnings)
        if (warning.code == "weight_sum") messages.push_back(warning.message);
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_TRUE(messages[0].starts_with("the weights of 1 vertices are negative or do not sum to 1"))
        << messages[0];
    EXPECT_EQ(messages[1], "the weights of 1 vertices are all 0; they follow the mesh's node");
}

TEST(GltfSkin, MoreThanOneSet)
{
    const scene::Scene scene =
        valid(skinned(R"({"joints":[1,2]})", one_set + R"(,"JOINTS_1":4,"WEIGHTS_1":5)").load_glb());
    const scene::Influences& influences = scene.meshes[1].influences;
    EXPECT_EQ(influences.first, (std::vector<std::uint32_t>{0, 3, 4, 4}));
    EXPECT_EQ(influences.weights[0], 0.25f);
    EXPECT_EQ(influences.weights[2], 0.5f);
    EXPECT_EQ(scene.skins[0].inverse_bind[1], glm::mat4(1.0f));
}

TEST(GltfSkin, JointsBeyondTheSkinAreIgnored)
{
    const scene::Scene scene = valid(skinned(R"({"joints":[1]})", one_set).load_glb());
    const scene::Influences& influences = scene.meshes[1].influences;
    EXPECT_EQ(influences.first, (std::vector<std::uint32_t>{0, 1, 1, 1}));
    EXPECT_EQ(influences.weights[0], 1.0f);
    EXPECT_TRUE(warned(scene, "joint_out_of_range"));
}

// Next to a very large weight a small one is 0 as a float; without the large one's joint nothing is left to
// normalize.
TEST(GltfSkin, WeightThatVanishedBesideALostJointIsIgnored)
{
    GltfBuilder builder = skinned(R"({"joints":[1]})", R"(,"JOINTS_0":7,"WEIGHTS_0":8)");
    EXPECT_EQ(builder.accessor<std::uint8_t>({0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}, "VEC4"), 7);
    EXPECT_EQ(builder.accessor<float>({1e-30f, 3e38f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4"), 8);
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_EQ(scene.meshes[1].influences.first, (std::vector<std::uint32_t>{0, 0, 1, 2}));
}

TEST(GltfSkin, HalfASetIsIgnored)
{
    const scene::Scene scene = valid(skinned(R"({"joints":[1,2]})", R"(,"JOINTS_0":2)").load_glb());
    EXPECT_TRUE(scene.meshes[1].influences.first.empty());
    EXPECT_TRUE(warned(scene, "invalid_attribute"));
}

TEST(GltfSkin, SeveralSkinsAndJointsOutsideTheScene)
{
    GltfBuilder builder = skinned(R"({"joints":[1,2]})", one_set);
    builder.add("skins", R"({"name":"other","joints":[2,1],"inverseBindMatrices":6})");
    builder.add("nodes", R"({"name":"twin","mesh":1,"skin":1})");
    builder.add("scenes", R"({"nodes":[3,4]})");
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_EQ(scene.skins[1].name, "other");
    EXPECT_FALSE(node_named(scene, "tip").visible);
    EXPECT_TRUE(node_named(scene, "twin").visible);
}

TEST(GltfSkin, BrokenSkinsAreRejected)
{
    EXPECT_EQ(skinned(R"({"joints":[]})", one_set).load_glb().error().code, LoadErrc::malformed);
    EXPECT_EQ(skinned(R"({"joints":[17]})", one_set).load_glb().error().where, "/skins/0/joints/0");
    EXPECT_EQ(skinned(R"({"joints":[1,2,1],"inverseBindMatrices":6})", one_set).load_glb().error().code,
              LoadErrc::malformed);
    EXPECT_EQ(skinned(R"({"joints":[1,2],"inverseBindMatrices":0})", one_set).load_glb().error().code,
              LoadErrc::malformed);
    Limits limits;
    limits.joints = 1;
    EXPECT_EQ(skinned(R"({"joints":[1,2]})", one_set).load_glb(limits).error().code,
              LoadErrc::limit_exceeded);
    limits = {};
    limits.influences = 11;
    EXPECT_EQ(skinned(R"({"joints":[1,2]})", one_set).load_glb(limits).error().code,
              LoadErrc::limit_exceeded);
}

TEST(GltfSkin, SkinWithoutAMeshIsIgnored)
{
    GltfBuilder builder = skinned(R"({"joints":[1,2]})", one_set);
    builder.add("nodes", R"({"name":"bare","skin":0})");
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_EQ(node_named(scene, "bare").skin, scene::none);
    EXPECT_TRUE(warned(scene, "skin_without_mesh"));
}

TEST(GltfSkin, LastRowOfABindMatrixIsIgnored)
{
    GltfBuilder builder = skinned(R"({"joints":[1,2],"inverseBindMatrices":7})", one_set);
    EXPECT_EQ(builder.accessor<float>({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0,    0, 0,  0, 1,
                                       1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.5f, 0, -1, 0, 1},
                                      "MAT4"),
              7);
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_TRUE(warned(scene, "projective_matrix"));
    EXPECT_EQ(scene.skins.at(0).inverse_bind.at(1)[2], glm::vec4(0, 0, 1, 0));
    EXPECT_FALSE(warned(valid(skinned(R"({"joints":[1,2],"inverseBindMatrices":6})", one_set).load_glb()),
                        "projective_matrix"));
}

} // namespace
} // namespace vitrine
