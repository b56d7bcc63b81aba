// Ghosts: translucent copies of a model at neighboring times of its clip.

#include <cmath>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

using render::View;

// A square of side 1 that moves along X by 2 meters within a second, unlit.
scene::Scene sliding_square()
{
    scene::Material material;
    material.unlit = true;
    material.base_color = {0.0f, 0.0f, 0.0f, 1.0f};
    auto scene = square(material);
    scene::Channel channel{.node = 0, .path = scene::Path::translation};
    channel.times = {0.0f, 1.0f};
    channel.values = {0.0f, 0.0f, 0.0f, 2.0f, 0.0f, 0.0f};
    scene::Clip clip{.name = "slide", .duration = 1.0};
    clip.channels.push_back(channel);
    scene.clips.push_back(clip);
    return scene;
}

class GpuGhosts : public Gpu {
protected:
    // The whole way of sliding_square(), from x = -0.5 to 2.5.
    static View sliding_view()
    {
        auto view = front_view();
        view.light = render::LightingPreset::reference;
        view.framing = scene::Aabb{{-0.5f, -1.5f, -0.1f}, {2.5f, 1.5f, 0.1f}};
        return view;
    }
};

// A square that was further left, in the color of earlier times; the model covers it.
TEST_F(GpuGhosts, AreTranslucentCopiesAtOtherTimes)
{
    const auto scene = share(sliding_square());
    auto view = sliding_view();
    const auto plain = picture(scene, view, {0, 1.0});
    view.ghosts = {.before = 1, .after = 1, .step = 0.75};
    const auto ghosts = picture(scene, view, {0, 1.0});
    keep(ghosts, "ghost_of_a_square");
    // The image is 3 m wide with a margin: the ghost's center is at x = 0.5, the model's at 2.
    const auto column = [&](float x) {
        return static_cast<std::uint32_t>(64.0f + (x - 1.0f) * 64.0f / (1.05f * 0.5f * std::sqrt(18.04f)));
    };
    EXPECT_TRUE(shows(plain, column(0.5f), 64, 255, 255, 255));
    EXPECT_TRUE(shows(ghosts, column(2.0f), 64, 0, 0, 0)) << "the model";
    const auto p = pixel(ghosts, column(0.5f), 64);
    // Linear: 0.42 of (0.80, 0.09, 0.02) over 0.58 of white.
    const auto expected = [](float color) {
        const float linear = 0.58f + 0.42f * color;
        return static_cast<int>(std::lround(255.0f * (1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f)));
    };
    EXPECT_NEAR(p.r, expected(0.80f), 2);
    EXPECT_NEAR(p.g, expected(0.09f), 2);
    EXPECT_NEAR(p.b, expected(0.02f), 2);
    EXPECT_EQ(ghosts.bounds.min, plain.bounds.min) << "of the model alone";
}

TEST_F(GpuGhosts, NeedAMotion)
{
    const auto scene = share(sliding_square());
    auto view = sliding_view();
    const auto still = picture(scene, view);
    const auto first = picture(scene, view, {0, 0.0});
    view.ghosts = {.before = 3, .after = 0, .step = 0.1};
    EXPECT_EQ(different_pixels(still, picture(scene, view)), 0) << "the static pose";
    EXPECT_EQ(different_pixels(first, picture(scene, view, {0, 0.0})), 0) << "before the start";
}

// A ghost is drawn once per pixel: its back is not seen through its front.
TEST_F(GpuGhosts, HaveOneColorWhereTheyCoverThemselves)
{
    auto scene = sliding_square();
    add_quad(scene, -0.2f, 1.0f, glm::vec4(1.0f)); // behind the first
    scene.clips[0].channels.push_back(scene.clips[0].channels[0]);
    scene.clips[0].channels[1].node = 1;
    const auto one = share(sliding_square()), two = share(std::move(scene));
    auto view = sliding_view();
    view.ghosts = {.before = 1, .after = 0, .step = 0.75};
    const auto single = picture(one, view, {0, 1.0}), twice = picture(two, view, {0, 1.0});
    const auto a = pixel(single, 52, 64), b = pixel(twice, 52, 64);
    EXPECT_LT(a.g, 240);
    EXPECT_NEAR(a.r, b.r, 1);
    EXPECT_NEAR(a.g, b.g, 1);
}

} // namespace
} // namespace vitrine::test
