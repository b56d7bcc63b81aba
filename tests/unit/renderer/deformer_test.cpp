#include "vk_renderer/scene/deformer.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/scenes.hpp"

namespace vitrine::render {
namespace {

TEST(Deformer, AddsWhatMorphTargetsWeigh)
{
    const auto scene = test::morphing_quad();
    const auto& mesh = scene.meshes[0];
    ASSERT_TRUE(deforms(mesh));
    Deformer deformer;
    const std::vector<float> weights(mesh.morph_targets.size(), 0.5f);
    deformer.deform(mesh, weights, {});
    auto expected = mesh.positions;
    for (const auto& target : mesh.morph_targets)
        for (std::size_t i = 0; i < target.vertices.size(); ++i)
            expected[target.vertices[i]] += 0.5f * target.position_deltas[i];
    EXPECT_TRUE(std::ranges::equal(deformer.positions(), expected));
    deformer.deform(mesh, {}, {});
    EXPECT_TRUE(std::ranges::equal(deformer.positions(), mesh.positions)) << "no weights";
}

TEST(Deformer, GoesBetweenVertexFramesAndStaysWithinThem)
{
    const auto scene = test::vertex_frame_triangle(4); // a metre a frame
    const auto& mesh = scene.meshes[0];
    Deformer deformer;
    const auto at = [&](const scene::FrameBlend& frame) {
        deformer.deform(mesh, {}, frame);
        return deformer.positions()[0].x;
    };
    const float first = at({0, 0, 0.0f});
    EXPECT_FLOAT_EQ(at({1, 2, 0.5f}), first + 1.5f);
    EXPECT_FLOAT_EQ(at({3, 0, 0.25f}), first + 2.25f);
    EXPECT_FLOAT_EQ(at({99, 99, 0.0f}), first + 3.0f);
}

TEST(Deformer, LeavesOtherMeshesAlone)
{
    const auto scene = test::skinned_bar();
    EXPECT_FALSE(deforms(scene.meshes[0]));
}

} // namespace
} // namespace vitrine::render
