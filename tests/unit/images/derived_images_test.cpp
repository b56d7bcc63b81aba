#include "loaders/images/derived_images.hpp"

#include <gmock/gmock.h>

#include "tests/support/memory_source.hpp"

using namespace vitrine;
using testing::ElementsAre;
using testing::SizeIs;

namespace {

class DerivedImages : public testing::Test {
protected:
    std::uint32_t add(std::uint32_t width, std::uint32_t height, const std::string& name = "a")
    {
        scene::Image image{.name = name, .pixels = {}};
        image.width = width;
        image.height = height;
        image.pixels.assign(std::size_t{width} * height * 4, 255);
        return library.add(std::move(image));
    }
    std::vector<std::string> warnings()
    {
        std::vector<std::string> all;
        for (const auto& warning : log.take())
            all.push_back(warning.code + " at " + warning.where);
        return all;
    }

    test::MemorySource source{"m.obj", {{"m.obj", ""}}};
    Limits limits{.images = 5, .total_pixels = 40};
    scene::Scene scene;
    io::WarningLog log;
    images::TextureLibrary library{source, limits, scene, log};
    images::DerivedImages derived{library};
};

} // namespace

TEST_F(DerivedImages, AreCreatedOnce)
{
    const std::uint32_t a = add(2, 2), b = add(3, 2, "b");
    const std::uint32_t both = derived.with_alpha(a, b);
    EXPECT_EQ(derived.with_alpha(a, b), both);
    EXPECT_NE(derived.with_alpha(b, a), both);
    EXPECT_EQ(library.image(both).name, "a + b");
    EXPECT_EQ(library.image(both).width, 3u);
    const std::uint32_t normals = derived.normal_map_from_heights(a, 4.0f);
    EXPECT_EQ(derived.normal_map_from_heights(a, 4.001f), normals);
    EXPECT_THAT(scene.images, SizeIs(5));
    EXPECT_THAT(warnings(), testing::IsEmpty());
}

TEST_F(DerivedImages, InvertNormalsForANegativeStrength)
{
    const std::uint32_t heights = add(3, 3);
    scene.images[heights].pixels[0] = 0;
    const std::uint32_t up = derived.normal_map_from_heights(heights, 4.0f);
    const std::uint32_t down = derived.normal_map_from_heights(heights, -4.0f);
    ASSERT_NE(up, down);
    EXPECT_NE(library.image(up).pixels, library.image(down).pixels);
}

// The rejected images are too large for any memory, so they must not be created first.
TEST_F(DerivedImages, CheckLimitsFirst)
{
    scene::Image huge{.name = "huge", .pixels = {1, 2, 3, 255}};
    huge.width = huge.height = 0x7FFF'FFFF;
    const std::uint32_t small = add(2, 2);
    scene.images.push_back(std::move(huge));
    EXPECT_EQ(derived.normal_map_from_heights(1, 4.0f), scene::none);
    EXPECT_EQ(derived.with_alpha(small, 1), scene::none);
    EXPECT_EQ(derived.metallic_roughness(1, scene::none), scene::none);
    EXPECT_EQ(derived.negative(1), scene::none);
    EXPECT_EQ(derived.mixed(1, {1, 2, 3}, 0.5f), scene::none);
    EXPECT_THAT(warnings(), ElementsAre("image_limit at huge", "image_limit at a + huge"));
}

TEST_F(DerivedImages, AnalyzePixelsOnce)
{
    const std::uint32_t image = add(2, 2);
    EXPECT_TRUE(derived.is_gray(image));
    EXPECT_TRUE(derived.is_opaque(image));
    EXPECT_TRUE(derived.has_binary_alpha(image));
    // not allowed otherwise; shows that pixels are not examined again
    scene.images[image].pixels = {0, 255, 0, 128};
    EXPECT_TRUE(derived.is_gray(image));
    EXPECT_TRUE(derived.is_opaque(image));
    EXPECT_TRUE(derived.has_binary_alpha(image));
}
