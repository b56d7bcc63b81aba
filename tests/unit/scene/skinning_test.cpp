#include "loaders/scene/skinning.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/bounds.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

SkinnedMesh skin_at(const Scene& scene, double time)
{
    Pose pose;
    sample_pose(scene, 0, time, pose);
    const auto instances = find_instances(scene);
    std::vector<PaletteEntry> palette(palette_size(instances));
    joint_palette(scene, instances, pose, palette);
    SkinnedMesh out;
    skin_instance(scene, instances[0], pose, palette, out);
    return out;
}

TEST(Skinning, TheBarBendsAsByHand)
{
    const Scene scene = test::skinned_bar();
    const SkinnedMesh bent = skin_at(scene, 1.0);
    // Turned by 90 degrees about (0, 1, 0): (x, 1 + y) -> (-y, 1 + x).
    EXPECT_LT(test::difference(bent.positions[0], scene.meshes[0].positions[0]), 1e-6);
    EXPECT_LT(test::difference(bent.positions[8], {-1.0f, 0.9f, 0.1f}), 1e-6);
    EXPECT_LT(test::difference(bent.positions[9], {-1.0f, 1.1f, 0.1f}), 1e-6);
    // The mean of (-0.1, 1, 0.1) and (0, 0.9, 0.1).
    EXPECT_LT(test::difference(bent.positions[4], {-0.05f, 0.95f, 0.1f}), 1e-6);
}

TEST(Skinning, MorphAndVertexFrames)
{
    const SkinnedMesh quad = skin_at(test::morphing_quad(), 0.5);
    EXPECT_LT(test::difference(quad.positions[0], {-0.5f, -0.5f, 0.5f}), 1e-6);
    EXPECT_LT(test::difference(quad.positions[2], {0.5f, 1.0f, 0.5f}), 1e-6);
    const SkinnedMesh triangle = skin_at(test::vertex_frame_triangle(), 0.125);
    EXPECT_LT(test::difference(triangle.positions[1], {2.25f, 0, 0}), 1e-6);
}

TEST(Bounds, ConservativeContainsExact)
{
    for (const Scene& scene : {test::skinned_bar(), test::morphing_quad(), test::vertex_frame_triangle()}) {
        const ClipBounds bounds = clip_bounds(scene, 0);
        EXPECT_TRUE(bounds.conservative.contains(bounds.exact_union));
    }
}

} // namespace
} // namespace vitrine::scene
