// Blended and masked surfaces, and transparent backgrounds.

#include <algorithm>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

using render::View;

// Three panes in one primitive, the nearest first, second or last in the file.
TEST_F(GpuRendering, SortsPartsOfABlendedSurfaceBackToFront)
{
    std::array<float, 3> depths{-0.5f, 0.0f, 0.5f};
    const auto panes = [&] {
        scene::Scene scene;
        add_quad(scene, depths[0], 1.0f, glm::vec4(1.0f), scene::AlphaMode::blend);
        auto& mesh = scene.meshes[0];
        for (const float depth : {depths[1], depths[2]}) {
            const auto first = static_cast<std::uint32_t>(mesh.positions.size());
            for (std::size_t corner = 0; corner < 4; ++corner) {
                mesh.positions.push_back({glm::vec2(mesh.positions[corner]), depth});
                mesh.normals.push_back(mesh.normals[0]);
            }
            for (std::size_t i = 0; i < 6; ++i)
                mesh.indices.push_back(mesh.indices[i] + first);
        }
        for (const auto& position : mesh.positions)
            mesh.colors.emplace_back(position.z < 0.0f, position.z == 0.0f, position.z > 0.0f, 0.5f);
        mesh.primitives[0].count = static_cast<std::uint32_t>(mesh.indices.size());
        return share(std::move(scene));
    };
    const auto view = reference_view();
    const auto expected = pixel(picture(panes(), view), 64, 64);
    EXPECT_GT(expected.b, expected.g);
    EXPECT_GT(expected.g, expected.r);
    while (std::ranges::next_permutation(depths).found) {
        const auto shown = pixel(picture(panes(), view), 64, 64);
        EXPECT_EQ(std::tuple(shown.r, shown.g, shown.b), std::tuple(expected.r, expected.g, expected.b));
    }
}

TEST_F(GpuRendering, SortsBlendedSurfacesBackToFront)
{
    scene::Scene scene; // listed front to back, drawn back to front
    add_quad(scene, 0.5f, 1.0f, {0.0f, 0.0f, 1.0f, 0.5f}, scene::AlphaMode::blend);
    add_quad(scene, 0.0f, 1.0f, {1.0f, 0.0f, 0.0f, 0.5f}, scene::AlphaMode::blend);
    auto view = reference_view();
    view.camera.orthographic = true;
    view.background = glm::vec4(0.0f, 0.0f, 0.0f, 1.0f);
    const auto shared = share(std::move(scene));
    EXPECT_TRUE(shows(picture(shared, view), 64, 64, 137, 0, 188)); // linear 0.25, 0.5
    view.camera.yaw = 180.0f;
    EXPECT_TRUE(is(pixel(picture(shared, view), 64, 64), 188, 0, 137));
}

TEST_F(GpuRendering, DiscardsMaskedTexels)
{
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, {1.0f, 0.0f, 0.0f, 0.4f}, scene::AlphaMode::mask);
    auto view = reference_view();
    auto solid = scene;
    solid.materials[0].alpha_cutoff = 0.3f;
    EXPECT_TRUE(is(pixel(picture(share(std::move(scene)), view), 64, 64), 255, 255, 255));
    EXPECT_TRUE(is(pixel(picture(share(std::move(solid)), view), 64, 64), 255, 0, 0, 4));
}

TEST_F(GpuRendering, TransparentBackgroundHasStraightAlpha)
{
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, {1.0f, 0.0f, 0.0f, 0.5f}, scene::AlphaMode::blend);
    auto view = reference_view();
    view.background = glm::vec4(0.0f);
    const auto frame = picture(share(std::move(scene)), view);
    EXPECT_EQ(pixel(frame, 2, 2).a, 0);
    EXPECT_TRUE(is(pixel(frame, 64, 64), 255, 0, 0, 4));
    EXPECT_NEAR(pixel(frame, 64, 64).a, 128, 2);
}

// Pages and editors composite in sRGB space: on a white page the transparent image's shadow is as dark as the
// one on white.
TEST_F(GpuRendering, MatchesTheShadowOnAWhitePage)
{
    const auto scene = share(tube(20, 12, 6, 3));
    View view{.width = 160, .height = 160};
    view.background = glm::vec4(1.0f);
    const auto white = picture(scene, view);
    view.background = glm::vec4(0.0f);
    const auto masked = picture(scene, view);
    int darkest = 255;
    for (std::uint32_t y = 0; y < 160; ++y)
        for (std::uint32_t x = 0; x < 160; ++x) {
            const auto over = pixel(masked, x, y), is = pixel(white, x, y);
            if (over.r > 2 || over.a == 0) continue; // only the shadow
            darkest = std::min(darkest, int{is.r});
            EXPECT_NEAR(255 - over.a, int{is.r}, 2) << x << ' ' << y;
        }
    EXPECT_LT(darkest, 200);
}

} // namespace
} // namespace vitrine::test
