// KHR_materials_variants.

#include <gmock/gmock.h>

#include "loaders/scene/variants.hpp"
#include "tests/support/variant_triangle.hpp"
#include "tests/unit/gltf/reported_places.hpp"

namespace vitrine {
namespace {

using scene::VariantMaterial;
using test::GltfBuilder;
using test::triangle;
using test::valid;
using test::warnings_of;
using testing::ElementsAre;
using testing::HasSubstr;

// A triangle with the materials "a", "b", "c", the variants "x", "y", "z" and these mappings.
scene::Scene with_mappings(const std::string& extension,
                           const std::string& variants = R"([{"name":"x"},{"name":"y"},{"name":"z"}])")
{
    GltfBuilder builder;
    builder.root(R"("extensionsUsed":["KHR_materials_variants"])");
    builder.root(R"("extensions":{"KHR_materials_variants":{"variants":)" + variants + "}}");
    for (const char* name : {"a", "b", "c"})
        builder.add("materials", std::string(R"({"name":")") + name + "\"}");
    builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
    builder.mesh(R"("POSITION":0)",
                 R"(,"material":2,"extensions":{"KHR_materials_variants":)" + extension + "}");
    builder.add("nodes", R"({"mesh":0})");
    return valid(builder.load_glb());
}

const scene::Primitive& only_primitive(const scene::Scene& scene)
{
    return scene.meshes.at(0).primitives.at(0);
}

const std::string place = "/meshes/0/primitives/0/extensions/KHR_materials_variants";

TEST(GltfVariants, NamesAndMappings)
{
    const auto scene = valid(test::load_text(test::variant_triangle));
    EXPECT_THAT(scene.variants, ElementsAre("Red", "Green", "Plain"));
    EXPECT_THAT(only_primitive(scene).variants, ElementsAre(VariantMaterial{0, 0}, VariantMaterial{1, 1}));
    EXPECT_EQ(only_primitive(scene).material, 0u);
    EXPECT_TRUE(scene.warnings.empty()) << scene.warnings[0].message;
}

TEST(GltfVariants, AreSortedWhateverTheOrderOfTheMappings)
{
    const auto scene =
        with_mappings(R"({"mappings":[{"material":1,"variants":[2,0]},{"material":0,"variants":[1]}]})");
    EXPECT_THAT(only_primitive(scene).variants,
                ElementsAre(VariantMaterial{0, 1}, VariantMaterial{1, 0}, VariantMaterial{2, 1}));
    EXPECT_TRUE(scene.warnings.empty());
}

TEST(GltfVariants, BrokenMappingsAreIgnoredWithAWarning)
{
    const auto scene = with_mappings(
        R"({"mappings":[{"material":7,"variants":[0]},{"material":1,"variants":[1,3,-1,0.5,"z"]},
        {"variants":[2]},{"material":0},5]})");
    EXPECT_THAT(only_primitive(scene).variants, ElementsAre(VariantMaterial{1, 1}));
    EXPECT_EQ(only_primitive(scene).material, 2u);
    std::vector<std::string> expected;
    for (const char* where :
         {"/0", "/1/variants/1", "/1/variants/2", "/1/variants/3", "/1/variants/4", "/2", "/3", "/4"})
        expected.push_back("invalid_variant at " + place + "/mappings" + where);
    EXPECT_EQ(warnings_of(scene), expected);
}

TEST(GltfVariants, FirstMaterialOfARepeatedVariantCounts)
{
    const auto scene =
        with_mappings(R"({"mappings":[{"material":1,"variants":[0]},{"material":0,"variants":[0,0]}]})");
    EXPECT_THAT(only_primitive(scene).variants, ElementsAre(VariantMaterial{0, 1}));
    EXPECT_THAT(warnings_of(scene), ElementsAre("invalid_variant at " + place));
}

TEST(GltfVariants, WarnsAboutListsThatAreNotArrays)
{
    EXPECT_THAT(warnings_of(with_mappings(R"({"mappings":3})")), ElementsAre("invalid_variant at " + place));
    EXPECT_THAT(warnings_of(with_mappings(R"({"mappings":[{"material":0,"variants":{}}]})")),
                ElementsAre("invalid_variant at " + place + "/mappings/0"));
    const auto scene = with_mappings(R"({"mappings":[{"material":1,"variants":[0]}]})", "{}");
    EXPECT_TRUE(scene.variants.empty());
    EXPECT_TRUE(only_primitive(scene).variants.empty());
    EXPECT_EQ(scene.warnings.size(), 2u);
}

TEST(GltfVariants, NamesOfAnyKind)
{
    const auto scene = with_mappings(R"({"mappings":[]})", R"([{},{"name":4},{"name":"x"},{"name":"x"}])");
    EXPECT_THAT(scene.variants, ElementsAre("", "", "x", "x"));
    EXPECT_THAT(warnings_of(scene),
                ElementsAre("invalid_property at /extensions/KHR_materials_variants/variants/1/name"));
}

TEST(GltfVariants, MoreThanMaterialsMayBeAreRejected)
{
    Limits limits;
    limits.materials = 2;
    const auto rejected = test::load_text(test::variant_triangle, {}, limits);
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code, LoadErrc::limit_exceeded);
    EXPECT_THAT(rejected.error().detail, HasSubstr("variants"));
}

// A normal map of a variant alone needs tangents too.
TEST(GltfVariants, TheirNormalMapsGetTangents)
{
    GltfBuilder builder;
    builder.root(R"("extensionsUsed":["KHR_materials_variants"])");
    builder.root(R"("extensions":{"KHR_materials_variants":{"variants":[{"name":"x"}]}})");
    builder.add("images", R"({"uri":"n.png"})");
    builder.add("textures", R"({"source":0})");
    builder.add("materials", "{}");
    builder.add("materials", R"({"normalTexture":{"index":0}})");
    builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
    builder.accessor<float>({0, 0, 1, 0, 0, 1}, "VEC2");
    builder.mesh(
        R"("POSITION":0,"TEXCOORD_0":1)",
        R"(,"material":0,"extensions":{"KHR_materials_variants":{"mappings":[{"material":1,"variants":[0]}]}})");
    builder.add("nodes", R"({"mesh":0})");
    EXPECT_EQ(valid(builder.load_glb()).meshes.at(0).tangents.size(), 3u);
}

} // namespace
} // namespace vitrine
