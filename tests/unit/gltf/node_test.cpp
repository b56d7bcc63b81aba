#include <algorithm>
#include <cmath>

#include "loaders/scene/motion/pose.hpp"
#include "tests/support/compare.hpp"
#include "tests/unit/gltf/builder.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::node_named;
using test::triangle;
using test::valid;
using test::warned;

TEST(GltfNodes, TransformsAndParentsBeforeChildren)
{
    GltfBuilder builder = triangle();
    builder.add("nodes", R"({"name":"child","translation":[1,2,3]})");
    builder.add("nodes",
                R"({"name":"parent","children":[1],"rotation":[0,0,0.70710678,0.70710678],"scale":[2,3,4]})");
    const scene::Scene scene = valid(builder.load_glb());
    const scene::Node& child = node_named(scene, "child");
    const scene::Node& parent = node_named(scene, "parent");
    EXPECT_EQ(&scene.nodes[child.parent], &parent);
    EXPECT_EQ(child.local.translation, glm::vec3(1, 2, 3));
    EXPECT_EQ(parent.local.scale, glm::vec3(2, 3, 4));
    EXPECT_NEAR(parent.local.rotation.z, 0.70710678f, 1e-6f);
}

TEST(GltfNodes, MatricesAreTakenApartUnlessSkewed)
{
    GltfBuilder builder = triangle();
    builder.add("nodes", R"({"name":"trs","matrix":[0,2,0,0,-3,0,0,0,0,0,4,0,5,6,7,1]})");
    builder.add("nodes", R"({"name":"mirror","matrix":[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]})");
    builder.add("nodes", R"({"name":"huge","matrix":[3e38,3e38,3e38,0,0,1e25,0,0,0,0,1e25,0,0,0,0,1]})");
    builder.add("nodes", R"({"name":"skew","matrix":[1,0,0,0,0.5,1,0,0,0,0,1,0,0,0,0,1]})");
    const scene::Scene scene = valid(builder.load_glb());
    const scene::Node& trs = node_named(scene, "trs");
    EXPECT_FALSE(trs.matrix);
    EXPECT_LT(test::difference(trs.local.scale, glm::vec3(2, 3, 4)), 1e-5);
    EXPECT_EQ(trs.local.translation, glm::vec3(5, 6, 7));
    const scene::Node& mirror = node_named(scene, "mirror");
    EXPECT_FALSE(mirror.matrix);
    EXPECT_LT(glm::determinant(scene::to_matrix(mirror.local)), 0.0f);
    ASSERT_TRUE(node_named(scene, "huge").matrix);
    EXPECT_EQ(node_named(scene, "huge").local.scale, glm::vec3(1.0f));
    ASSERT_TRUE(node_named(scene, "skew").matrix);
    EXPECT_EQ((*node_named(scene, "skew").matrix)[1][0], 0.5f);
}

TEST(GltfNodes, RotationsAreMadeUnitLength)
{
    GltfBuilder builder = triangle();
    builder.add("nodes", R"({"name":"long","rotation":[0,0,0,2]})");
    builder.add("nodes", R"({"name":"none","rotation":[0,0,0,0]})");
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_EQ(node_named(scene, "long").local.rotation.w, 1.0f);
    EXPECT_EQ(node_named(scene, "none").local.rotation.w, 1.0f);
    EXPECT_TRUE(warned(scene, "quaternion_length"));
}

GltfBuilder two_scenes(const std::string& member)
{
    GltfBuilder builder = triangle();
    builder.add("nodes", R"({"name":"second","mesh":0,"children":[2]})");
    builder.add("nodes", R"({"name":"below"})");
    builder.add("scenes", R"({"nodes":[0]})");
    builder.add("scenes", R"({"nodes":[1]})");
    if (!member.empty()) builder.root(member);
    return builder;
}

TEST(GltfNodes, OnlyTheActiveSceneIsVisible)
{
    const scene::Scene second = valid(two_scenes(R"("scene":1)").load_glb());
    EXPECT_FALSE(node_named(second, "").visible);
    EXPECT_TRUE(node_named(second, "second").visible);
    EXPECT_TRUE(node_named(second, "below").visible);
    EXPECT_FALSE(node_named(valid(two_scenes("").load_glb()), "below").visible);
    EXPECT_EQ(two_scenes(R"("scene":2)").load_glb().error().where, "/scene");
}

TEST(GltfNodes, WithoutScenesOrNodesMeshesAreShown)
{
    EXPECT_TRUE(valid(triangle().load_glb()).nodes[0].visible);
    GltfBuilder builder;
    builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
    builder.mesh("\"POSITION\":0");
    const scene::Scene scene = valid(builder.load_glb());
    ASSERT_EQ(scene.nodes.size(), 1u);
    EXPECT_EQ(scene.nodes[0].mesh, 0u);
    EXPECT_TRUE(warned(scene, "no_nodes"));
}

TEST(GltfNodes, HiddenByKhrNodeVisibility)
{
    GltfBuilder builder = triangle();
    builder.add("nodes",
                R"({"name":"off","children":[2],"extensions":{"KHR_node_visibility":{"visible":false}}})");
    builder.add("nodes", R"({"name":"below","mesh":0})");
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_FALSE(node_named(scene, "off").visible);
    EXPECT_FALSE(node_named(scene, "below").visible);
    EXPECT_TRUE(node_named(scene, "").visible);
}

LoadErrc error_text(const std::vector<std::string>& nodes)
{
    GltfBuilder builder = triangle();
    for (const std::string& node : nodes)
        builder.add("nodes", node);
    const auto loaded = builder.load_glb();
    return loaded ? LoadErrc::internal : loaded.error().code;
}

TEST(GltfNodes, BrokenTreesAreRejected)
{
    EXPECT_EQ(error_text({R"({"children":[1]})"}), LoadErrc::malformed);
    EXPECT_EQ(error_text({R"({"children":[2]})", R"({"children":[1]})"}), LoadErrc::malformed);
    EXPECT_EQ(error_text({R"({"children":[3]})", R"({"children":[3]})", "{}"}), LoadErrc::malformed);
    EXPECT_EQ(error_text({R"({"children":[9]})"}), LoadErrc::out_of_range);
    EXPECT_EQ(error_text({R"({"mesh":1})"}), LoadErrc::out_of_range);
    EXPECT_EQ(error_text({R"({"translation":[1,2]})"}), LoadErrc::malformed);
    EXPECT_EQ(error_text({R"({"scale":[1,1,1e300]})"}), LoadErrc::malformed);
}

TEST(GltfNodes, LastRowOfAMatrixIsIgnored)
{
    const auto loaded = [](const std::string& last_column) {
        GltfBuilder builder = triangle();
        builder.add("nodes", R"({"name":"n","matrix":[1,0,0,0, 0,1,0,0, 0,0,1,)" + last_column + "]}");
        return valid(builder.load_glb());
    };
    const scene::Scene projective = loaded("0.5, 2,3,4,1");
    EXPECT_TRUE(warned(projective, "projective_matrix"));
    EXPECT_EQ(node_named(projective, "n").local.translation, glm::vec3(2, 3, 4));
    EXPECT_FALSE(warned(loaded("0, 2,3,4,1"), "projective_matrix"));
}

// Nodes of MSFT_lod are in no scene of their own.
TEST(GltfNodes, LevelsOfDetailTakeThePlaceOfTheirNode)
{
    GltfBuilder builder = triangle();
    builder.add("nodes", R"({"name":"near","mesh":0,"extensions":{"MSFT_lod":{"ids":[2,3]}}})");
    builder.add("nodes", R"({"name":"middle","mesh":0,"children":[4]})");
    builder.add("nodes", R"({"name":"far","mesh":0})");
    builder.add("nodes", R"({"name":"below","mesh":0})");
    builder.add("nodes", R"({"name":"parent","children":[1]})");
    builder.add("scenes", R"({"nodes":[0,5]})");
    builder.root(R"("extensionsUsed":["MSFT_lod"])");
    const scene::Scene scene = valid(builder.load_glb());
    const auto parent = [&](const char* name) {
        const auto above = node_named(scene, name).parent;
        return above == scene::none ? std::string() : scene.nodes[above].name;
    };
    EXPECT_EQ(parent("near"), "parent");
    EXPECT_EQ(parent("middle"), "parent");
    EXPECT_EQ(parent("far"), "parent");
    using Range = scene::LevelRange;
    const auto expect = [&](const char* name, bool visible, const Range& levels) {
        EXPECT_EQ(node_named(scene, name).visible, visible) << name;
        EXPECT_EQ(node_named(scene, name).levels, levels) << name;
    };
    expect("near", true, {0, 0});
    expect("middle", false, {1, 1});
    expect("below", false, {1, 1});
    expect("far", false, {2, scene::none});
    expect("parent", true, {});
    EXPECT_TRUE(scene.warnings.empty());
}

TEST(GltfNodes, InvalidLevelsOfDetailAreIgnored)
{
    GltfBuilder builder = triangle();
    builder.add("nodes", R"({"name":"a","mesh":0,"extensions":{"MSFT_lod":{"ids":[1,99,-1,"x"]}}})");
    builder.add("nodes", R"({"name":"root","children":[3],"extensions":{"MSFT_lod":{"ids":{}}}})");
    builder.add("nodes", R"({"name":"b","mesh":0,"extensions":{"MSFT_lod":{"ids":[2]}}})"); // its own parent
    builder.add("scenes", R"({"nodes":[0,1,2]})");
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_TRUE(node_named(scene, "a").visible);
    EXPECT_TRUE(node_named(scene, "root").visible || node_named(scene, "root").levels.first > 0);
    EXPECT_TRUE(warned(scene, "invalid_node"));
}

} // namespace
} // namespace vitrine
