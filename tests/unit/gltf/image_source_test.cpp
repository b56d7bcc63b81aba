// Images from data URIs, buffer views and files.

#include "tests/unit/gltf/builder.hpp"
#include "tests/unit/gltf/pictures.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::triangle;
using test::valid;
using test::warned;
using test::with_material;
using test::with_texture;

TEST(GltfImage, FromDataUriBufferViewAndFile)
{
    GltfBuilder builder = with_texture();
    const int view = builder.view(test::two_pixels_png());
    builder.add("images", "{\"name\":\"inside\",\"mimeType\":\"image/png\",\"bufferView\":" +
                              std::to_string(view) + "}");
    builder.add("images", R"({"uri":"textures/my%20skin.png"})");
    builder.file("textures/my skin.png", test::two_pixels_png());
    const scene::Scene scene = valid(builder.load_glb());
    ASSERT_EQ(scene.images.size(), 3u);
    for (const scene::Image& image : scene.images) {
        EXPECT_EQ(image.width, 2u);
        EXPECT_EQ(image.pixels, test::two_pixels());
    }
    EXPECT_EQ(scene.images[1].name, "inside");
    EXPECT_EQ(scene.images[2].name, "textures/my skin.png");
    EXPECT_TRUE(scene.warnings.empty());
}

TEST(GltfImage, WebpIsPreferredToTheFallback)
{
    GltfBuilder builder = with_texture(R"({"source":0,"extensions":{"EXT_texture_webp":{"source":1}}})");
    const int view = builder.view(test::two_pixels_webp());
    builder.add("images", "{\"bufferView\":" + std::to_string(view) + "}");
    const scene::Scene scene =
        with_material(R"({"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}})", std::move(builder));
    EXPECT_EQ(scene.materials[0].base_color_texture.image, 1u);
    EXPECT_EQ(scene.images[1].pixels, test::two_pixels());
}

TEST(GltfImage, FallbackReplacesAMissingWebp)
{
    for (const std::string image : {R"({"uri":"gone.webp"})", R"({"uri":"data:image/webp;base64,AAAA"})"}) {
        GltfBuilder builder = with_texture(R"({"source":0,"extensions":{"EXT_texture_webp":{"source":1}}})");
        builder.add("images", image);
        builder.root(R"("extensionsUsed":["EXT_texture_webp"])");
        const scene::Scene scene =
            with_material(R"({"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}})", std::move(builder));
        EXPECT_EQ(scene.materials[0].base_color_texture.image, 0u) << image;
        EXPECT_EQ(scene.warnings.size(), 1u) << image;
    }
}

TEST(GltfImage, UnavailableImagesHaveNoPixels)
{
    GltfBuilder builder = triangle();
    builder.add("images", R"({"uri":"gone.png"})");
    builder.add("images", R"({"uri":"data:image/png;base64,AAAA"})");
    builder.add("images", R"({"uri":"data:image/png;base64,????"})");
    builder.add("images", R"({"bufferView":77})");
    builder.add("images", "{}");
    const scene::Scene scene = valid(builder.load_glb());
    ASSERT_EQ(scene.images.size(), 5u);
    for (const scene::Image& image : scene.images)
        EXPECT_TRUE(image.pixels.empty());
    EXPECT_TRUE(warned(scene, "missing_image"));
    EXPECT_TRUE(warned(scene, "invalid_image"));
    EXPECT_EQ(scene.warnings.size(), 5u);
}

TEST(GltfImage, PixelsOfAllImagesAreLimitedTogether)
{
    Limits limits;
    limits.total_pixels = 3;
    GltfBuilder builder = with_texture();
    builder.add("images", "{\"bufferView\":" + std::to_string(builder.view(test::two_pixels_png())) + "}");
    const scene::Scene scene = valid(builder.load_glb(limits));
    EXPECT_FALSE(scene.images[0].pixels.empty());
    EXPECT_TRUE(scene.images[1].pixels.empty());
}

} // namespace
} // namespace vitrine
