// Materials name any set of texture coordinates; a Scene has two.

#include <fmt/format.h>

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
    return (set == 0 ? mesh.uv0 : mesh.uv1).at(0).x;
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

TEST(GltfUvSet, OfThreeBaseColorAndNormalAreRead)
{
    const auto scene =
        load({fmt::format(R"({{{},"normalTexture":{},"occlusionTexture":{},"emissiveTexture":{}}})", base(4),
                          texture(3), texture(0), texture(3))});
    EXPECT_EQ(u_of(scene, base_color), 4.0f);
    EXPECT_EQ(u_of(scene, normal), 3.0f);
    EXPECT_EQ(u_of(scene, emissive), 3.0f);
    EXPECT_EQ(u_of(scene, occlusion), 4.0f) << "that of the base color";
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
