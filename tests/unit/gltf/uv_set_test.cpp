// Materials name any set of texture coordinates; a Scene has those that they use.

#include <fmt/format.h>

#include "loaders/scene/uv_sets.hpp"
#include "tests/support/base64.hpp"
#include "tests/unit/gltf/builder.hpp"
#include "tests/unit/gltf/pictures.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::triangle;
using test::valid;
using test::warned;

// A mesh for each of the materials; TEXCOORD_n of all is (n, n) throughout, for n below `sets`.
scene::Scene load(const std::vector<std::string>& materials, int sets = 5)
{
    GltfBuilder builder = triangle();
    const std::string png = test::two_pixels_png();
    builder.add("images", R"({"uri":"data:image/png;base64,)" +
                              test::encode_base64(std::as_bytes(std::span(png))) + R"("})");
    builder.add("textures", R"({"source":0})");
    std::string attributes = R"("POSITION":0,"NORMAL":1)";
    for (int n = 0; n < sets; ++n)
        attributes +=
            fmt::format(",\"TEXCOORD_{}\":{}", n,
                        builder.accessor<float>(std::vector<float>(6, static_cast<float>(n)), "VEC2"));
    for (const auto& material : materials) {
        const int number = builder.add("materials", material);
        const int mesh = builder.mesh(attributes, fmt::format(",\"material\":{}", number));
        builder.add("nodes", fmt::format(R"({{"mesh":{}}})", mesh));
    }
    return valid(builder.load_glb());
}

std::string texture(int set)
{
    return fmt::format(R"({{"index":0,"texCoord":{}}})", set);
}

std::string base(int set)
{
    return R"("pbrMetallicRoughness":{"baseColorTexture":)" + texture(set) + "}";
}

// Of the set that the texture is drawn with, of the n-th material's mesh.
float u_of(const scene::Scene& scene, scene::Texture scene::Material::* texture, std::size_t n = 0)
{
    const auto& mesh = scene.meshes.at(n + 1); // behind that of triangle()
    const auto set = (scene.materials.at(n).*texture).uv_set;
    return scene::uvs_of(mesh, set).at(0).x;
}

constexpr auto base_color = &scene::Material::base_color_texture;
constexpr auto normal = &scene::Material::normal_texture;
constexpr auto occlusion = &scene::Material::occlusion_texture;
constexpr auto emissive = &scene::Material::emissive_texture;

TEST(GltfUvSet, AnyTwoAreRead)
{
    for (const auto& [first, second] : {std::pair(0, 1), std::pair(1, 0), std::pair(0, 2), std::pair(2, 0),
                                        std::pair(3, 4), std::pair(4, 1), std::pair(3, 3)}) {
        const auto scene =
            load({fmt::format("{{{},\"occlusionTexture\":{}}}", base(first), texture(second))});
        EXPECT_EQ(u_of(scene, base_color), static_cast<float>(first)) << first << ' ' << second;
        EXPECT_EQ(u_of(scene, occlusion), static_cast<float>(second)) << first << ' ' << second;
        EXPECT_FALSE(warned(scene, "unsupported_uv_set"));
    }
}

// What uses the first two alone keeps them, used or not.
TEST(GltfUvSet, FirstTwoKeepTheirPlaces)
{
    const auto scene = load({"{" + base(1) + "}", "{}"});
    for (const std::size_t mesh : {1u, 2u}) {
        EXPECT_EQ(scene.meshes.at(mesh).uv0.at(0).x, 0.0f);
        EXPECT_EQ(scene.meshes.at(mesh).uv1.at(0).x, 1.0f);
    }
    EXPECT_EQ(scene.materials[0].base_color_texture.uv_set, 1);
}

TEST(GltfUvSet, MaterialsChooseByThemselves)
{
    const auto scene = load({"{" + base(2) + "}", "{" + base(3) + "}"});
    EXPECT_EQ(u_of(scene, base_color, 0), 2.0f);
    EXPECT_EQ(u_of(scene, base_color, 1), 3.0f);
}

TEST(GltfUvSet, MoreThanTwoAreRead)
{
    const auto scene =
        load({fmt::format(R"({{{},"normalTexture":{},"occlusionTexture":{},"emissiveTexture":{}}})", base(4),
                          texture(3), texture(0), texture(3))});
    EXPECT_EQ(u_of(scene, base_color), 4.0f);
    EXPECT_EQ(u_of(scene, normal), 3.0f);
    EXPECT_EQ(u_of(scene, emissive), 3.0f);
    EXPECT_EQ(u_of(scene, occlusion), 0.0f);
    EXPECT_EQ(scene.meshes.at(1).more_uvs.size(), 1u);
    EXPECT_EQ(scene.materials[0].base_color_texture.uv_set, 0) << "the important ones first";
    EXPECT_FALSE(warned(scene, "unsupported_uv_set"));
}

// Of a mesh, primitives with different numbers of sets; the second lacks one.
TEST(GltfUvSet, PrimitivesMayUseDifferentNumbers)
{
    auto builder = triangle();
    const std::string png = test::two_pixels_png();
    builder.add("images", R"({"uri":"data:image/png;base64,)" +
                              test::encode_base64(std::as_bytes(std::span(png))) + R"("})");
    builder.add("textures", R"({"source":0})");
    builder.add("materials", fmt::format(R"({{{},"occlusionTexture":{},"emissiveTexture":{}}})", base(0),
                                         texture(1), texture(2)));
    builder.add("materials", "{" + base(1) + "}");
    std::string uvs;
    for (int n = 0; n < 3; ++n)
        uvs += fmt::format(",\"TEXCOORD_{}\":{}", n,
                           builder.accessor<float>(std::vector<float>(6, static_cast<float>(n + 1)), "VEC2"));
    const auto attributes = [&](std::string_view more) {
        return fmt::format(R"({{"attributes":{{"POSITION":0,"NORMAL":1{}}},"material":)", more);
    };
    builder.add("meshes", R"({"primitives":[)" + attributes(uvs.substr(0, uvs.find(",\"TEXCOORD_2"))) +
                              "1}," + attributes(uvs) + "0}]}");
    builder.add("nodes", R"({"mesh":1})");
    const auto scene = valid(builder.load_glb());
    const auto& mesh = scene.meshes.at(1);
    ASSERT_EQ(mesh.more_uvs.size(), 1u);
    EXPECT_EQ(mesh.more_uvs[0], (scene::Array<glm::vec2>{{0, 0}, {0, 0}, {0, 0}, {3, 3}, {3, 3}, {3, 3}}));
}

// The mesh has the coordinates of its own material and of its variants.
TEST(GltfUvSet, VariantsUseTheirOwn)
{
    auto builder = triangle();
    const std::string png = test::two_pixels_png();
    builder.add("images", R"({"uri":"data:image/png;base64,)" +
                              test::encode_base64(std::as_bytes(std::span(png))) + R"("})");
    builder.add("textures", R"({"source":0})");
    builder.add("materials", "{" + base(3) + "}");
    builder.add("materials", "{" + base(2) + "}");
    builder.root(R"("extensionsUsed":["KHR_materials_variants"])");
    builder.root(R"("extensions":{"KHR_materials_variants":{"variants":[{"name":"worn"}]}})");
    std::string attributes = R"("POSITION":0,"NORMAL":1)";
    for (int n = 0; n < 4; ++n)
        attributes +=
            fmt::format(",\"TEXCOORD_{}\":{}", n,
                        builder.accessor<float>(std::vector<float>(6, static_cast<float>(n)), "VEC2"));
    const int mesh = builder.mesh(
        attributes,
        R"(,"material":0,"extensions":{"KHR_materials_variants":{"mappings":[{"material":1,"variants":[0]}]}})");
    builder.add("nodes", fmt::format(R"({{"mesh":{}}})", mesh));
    const auto scene = valid(builder.load_glb());
    EXPECT_EQ(u_of(scene, base_color), 3.0f);
    const auto worn = scene.materials.at(1).base_color_texture.uv_set;
    EXPECT_EQ(scene::uvs_of(scene.meshes.at(1), worn).at(0).x, 2.0f);
}

// A material has twelve textures.
TEST(GltfUvSet, NinthSetIsDrawnWithTheFirst)
{
    const auto scene = load(
        {fmt::format(
            R"({{"pbrMetallicRoughness":{{"baseColorTexture":{},"metallicRoughnessTexture":{}}},"normalTexture":{},
        "occlusionTexture":{},"emissiveTexture":{},"extensions":{{
        "KHR_materials_specular":{{"specularTexture":{},"specularColorTexture":{}}},
        "KHR_materials_clearcoat":{{"clearcoatFactor":1,"clearcoatTexture":{},"clearcoatRoughnessTexture":{}}}}}}})",
            texture(8), texture(1), texture(2), texture(3), texture(4), texture(5), texture(6), texture(7),
            texture(0))},
        9);
    EXPECT_EQ(u_of(scene, base_color), 8.0f);
    EXPECT_EQ(u_of(scene, normal), 2.0f);
    EXPECT_EQ(u_of(scene, emissive), 4.0f);
    EXPECT_EQ(scene.meshes.at(1).more_uvs.size(), 6u);
    EXPECT_EQ(scene.materials[0].extensions.clearcoat_texture.uv_set, 7);
    EXPECT_EQ(scene.materials[0].extensions.clearcoat_roughness_texture.uv_set, 0);
    EXPECT_TRUE(warned(scene, "unsupported_uv_set"));
}

TEST(GltfUvSet, SetThatTheMeshLacksLeavesNoCoordinates)
{
    const auto scene = load({"{" + base(4) + "}"}, 2);
    EXPECT_TRUE(scene.meshes.at(1).uv0.empty());
    EXPECT_EQ(scene.meshes.at(1).uv1.at(0).x, 1.0f);
}

TEST(GltfUvSet, NumbersBeyondAByteAreNotRead)
{
    const auto scene = load({"{" + base(256) + "}"});
    EXPECT_EQ(u_of(scene, base_color), 0.0f);
    EXPECT_TRUE(warned(scene, "unsupported_uv_set"));
}

} // namespace
} // namespace vitrine
