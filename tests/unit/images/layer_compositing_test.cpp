#include <numbers>

#include <gmock/gmock.h>

#include "loaders/images/layer_compositing.hpp"

namespace vitrine::images {
namespace {

using testing::ElementsAre;

scene::Image picture(std::uint32_t width, std::uint32_t height, std::vector<std::uint8_t> pixels)
{
    return {.name = "p", .width = width, .height = height, .pixels = std::move(pixels)};
}

const scene::Image below = picture(1, 1, {200, 100, 0, 255});
const scene::Image above = picture(1, 1, {100, 200, 51, 255});

scene::Array<std::uint8_t> mixed(LayerBlend blend, float opacity = 1.0f, const scene::Image& top = above)
{
    return flatten(std::vector{Layer{.source_image = &below},
                               Layer{.source_image = &top, .blend = blend, .opacity = opacity}},
                   1, 1)
        .pixels;
}

// Calculated manually in bytes from the formulas of the W3C compositing specification and Photoshop's modes.
TEST(LayerCompositing, EveryModeMatchesItsFormula)
{
    EXPECT_THAT(mixed(LayerBlend::over), ElementsAre(100, 200, 51, 255));
    EXPECT_THAT(mixed(LayerBlend::replace), ElementsAre(100, 200, 51, 255));
    EXPECT_THAT(mixed(LayerBlend::add), ElementsAre(255, 255, 51, 255));
    EXPECT_THAT(mixed(LayerBlend::subtract), ElementsAre(100, 0, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::multiply), ElementsAre(78, 78, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::multiply_2x), ElementsAre(157, 157, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::divide), ElementsAre(255, 128, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::darken), ElementsAre(100, 100, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::lighten), ElementsAre(200, 200, 51, 255));
    EXPECT_THAT(mixed(LayerBlend::darker_color), ElementsAre(200, 100, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::lighter_color), ElementsAre(100, 200, 51, 255));
    EXPECT_THAT(mixed(LayerBlend::screen), ElementsAre(222, 222, 51, 255));
    EXPECT_THAT(mixed(LayerBlend::overlay), ElementsAre(188, 157, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::hard_light), ElementsAre(157, 188, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::vivid_light), ElementsAre(185, 232, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::linear_light), ElementsAre(145, 245, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::pin_light), ElementsAre(200, 145, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::hard_mix), ElementsAre(255, 255, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::color_burn), ElementsAre(115, 57, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::linear_burn), ElementsAre(45, 45, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::color_dodge), ElementsAre(255, 255, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::difference), ElementsAre(100, 100, 51, 255));
    EXPECT_THAT(mixed(LayerBlend::exclusion), ElementsAre(143, 143, 51, 255));
    EXPECT_THAT(mixed(LayerBlend::soft_light), ElementsAre(191, 134, 0, 255));
}

TEST(LayerCompositing, OpacityIsMultipliedByTheImagesAlpha)
{
    EXPECT_THAT(mixed(LayerBlend::over, 0.25f), ElementsAre(175, 125, 13, 255));
    EXPECT_THAT(mixed(LayerBlend::add, 0.25f), ElementsAre(225, 150, 13, 255));
    const scene::Image clear = picture(1, 1, {0, 0, 0, 51});
    EXPECT_THAT(mixed(LayerBlend::over, 0.5f, clear), ElementsAre(180, 90, 0, 255));
    EXPECT_THAT(mixed(LayerBlend::replace, 1.0f, clear), ElementsAre(0, 0, 0, 51));
    // copied unmodified
    const Layer lowest{.source_image = &clear, .blend = LayerBlend::multiply, .opacity = 0.0f};
    EXPECT_THAT(flatten(std::vector{lowest}, 1, 1).pixels, ElementsAre(0, 0, 0, 51));
    const std::vector layers{lowest, Layer{.source_image = &above}};
    EXPECT_THAT(flatten(layers, 1, 1).pixels, ElementsAre(100, 200, 51, 255));
}

TEST(LayerCompositing, PlacementsPositionTheLayers)
{
    const scene::Image ramp = picture(2, 1, {0, 0, 0, 255, 200, 200, 200, 255});
    const auto reds = [&](LayerPlacement placement, scene::Wrap wrap) {
        const Layer layer{.source_image = &ramp, .placement = placement, .wrap_s = wrap};
        const auto image = flatten(std::vector{layer}, 4, 1);
        return std::vector{image.pixels[0], image.pixels[4], image.pixels[8], image.pixels[12]};
    };
    const glm::dmat2 twice(2.0, 0.0, 0.0, 1.0);
    EXPECT_THAT(reds({twice, {}}, scene::Wrap::repeat), ElementsAre(0, 200, 0, 200));
    EXPECT_THAT(reds({twice, {}}, scene::Wrap::mirror), ElementsAre(0, 200, 200, 0));
    EXPECT_THAT(reds({twice, {}}, scene::Wrap::clamp), ElementsAre(0, 200, 200, 200));
    EXPECT_THAT(reds({twice, {0.5, 0.0}}, scene::Wrap::repeat), ElementsAre(200, 0, 200, 0));
    EXPECT_THAT(reds({glm::dmat2(1.0), {}}, scene::Wrap::repeat), ElementsAre(50, 50, 150, 150));
    for (const double far : {1e300, -1e300})
        EXPECT_EQ(reds({glm::dmat2(1.0), {far, far}}, scene::Wrap::repeat).size(), 4u);
}

TEST(LayerCompositing, PlacementsMatchTheTextureTransform)
{
    scene::Texture texture;
    texture.scale = {2.0f, 4.0f};
    texture.offset = {0.25f, 0.5f};
    texture.rotation = std::numbers::pi_v<float> / 2.0f;
    const LayerPlacement placement = placement_of(texture);
    const glm::dvec2 at = placement.linear * glm::dvec2(0.5, 0.25) + placement.offset;
    // Scaled to (1, 1), rotated counter-clockwise with v pointing down to (1, -1), then translated.
    EXPECT_NEAR(at.x, 1.25, 1e-6);
    EXPECT_NEAR(at.y, -0.5, 1e-6);
    const auto back = inverse(placement);
    ASSERT_TRUE(back);
    const LayerPlacement nothing = *back * placement;
    EXPECT_NEAR(nothing.linear[0].x, 1.0, 1e-9);
    EXPECT_NEAR(nothing.linear[1].x, 0.0, 1e-9);
    EXPECT_NEAR(nothing.offset.y, 0.0, 1e-9);
    EXPECT_TRUE(repeats_alike(placement));
    EXPECT_FALSE(repeats_alike(*back));
    texture.scale.x = 0.0f;
    EXPECT_FALSE(inverse(placement_of(texture)));
}

} // namespace
} // namespace vitrine::images
