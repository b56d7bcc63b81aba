// The device skins as the CPU reference does.

#include <algorithm>
#include <array>

#include "tests/gpu/device.hpp"
#include "tests/gpu/equality.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

class GpuSkinning : public Gpu {};

TEST_F(GpuSkinning, UpToFourInfluences)
{
    expect_equal_skinning(renderer(), share(tube(20, 12, 6, 3)));
    expect_equal_skinning(renderer(), share(skinned_bar()));
}

TEST_F(GpuSkinning, ManyInfluences)
{
    expect_equal_skinning(renderer(), share(tube(20, 12, 24, 11)));
}

TEST_F(GpuSkinning, InfluencesWithPositions)
{
    expect_equal_skinning(renderer(), share(tube_with_positions()));
}

TEST_F(GpuSkinning, MorphTargets)
{
    expect_equal_skinning(renderer(), share(morphing_quad()));
}

TEST_F(GpuSkinning, VertexFrames)
{
    expect_equal_skinning(renderer(), share(vertex_frame_triangle()));
}

// Bent and twisted by 150 degrees a joint, which linear blending collapses.
scene::Scene twisted(std::uint32_t influences)
{
    auto scene = tube(30, 12, 5, influences);
    scene.skins[0].method = scene::SkinningMethod::dual_quaternion;
    const auto turn = glm::angleAxis(2.6f, glm::normalize(glm::vec3(0.4f, 1.0f, 0.2f)));
    for (auto& channel : scene.clips[0].channels)
        std::copy_n(std::array{turn.x, turn.y, turn.z, turn.w}.begin(), 4, channel.values.begin() + 4);
    return scene;
}

TEST_F(GpuSkinning, DualQuaternions)
{
    for (const std::uint32_t influences : {1u, 4u, 6u})
        expect_equal_skinning(renderer(), share(twisted(influences)));
}

TEST_F(GpuSkinning, DualQuaternionsOfScaledAndMirroredJoints)
{
    for (const std::uint32_t influences : {1u, 4u, 6u}) {
        auto scene = twisted(influences);
        scene.nodes[scene.skins[0].joints[2]].local.scale = {1.4f, 0.6f, -1.2f};
        expect_equal_skinning(renderer(), share(std::move(scene)));
    }
}

// Weights that cancel say no direction: such a vertex goes where linear skinning takes it.
TEST_F(GpuSkinning, DualQuaternionsOfNegativeWeights)
{
    auto scene = twisted(4);
    auto& weights = scene.meshes[0].influences.weights;
    for (std::size_t v = 0; v < weights.size() / 4; v += 3)
        std::ranges::copy(std::array{0.8f, -0.8f, 0.6f, 0.4f},
                          weights.begin() + static_cast<std::ptrdiff_t>(4 * v));
    expect_equal_skinning(renderer(), share(std::move(scene)));
}

// Skins of both methods in one scene have their own places in the arrays of joints and weights.
TEST_F(GpuSkinning, LinearBesideDualQuaternions)
{
    auto scene = twisted(4);
    auto linear = scene.skins[0];
    linear.method = scene::SkinningMethod::linear;
    scene.skins.push_back(linear);
    auto node = *std::ranges::find_if(scene.nodes, [](const auto& n) { return n.mesh != scene::none; });
    node.skin = 1;
    scene.nodes.push_back(node);
    expect_equal_skinning(renderer(), share(std::move(scene)));
}

TEST_F(GpuSkinning, BlendedWithMorphTargetsAndLooseVertices)
{
    auto scene = mixture();
    for (auto& skin : scene.skins)
        skin.method = scene::SkinningMethod::blended;
    for (auto& mesh : scene.meshes)
        for (std::size_t v = 0; v < mesh.positions.size() && !mesh.influences.first.empty(); ++v)
            mesh.influences.dual_quaternion_weights.push_back(static_cast<float>(v % 5) / 4.0f);
    expect_equal_skinning(renderer(), share(std::move(scene)));
}

TEST_F(GpuSkinning, RigidMesh)
{
    expect_equal_skinning(renderer(), share(textured_cube()));
}

TEST_F(GpuSkinning, AllKindsInOneScene)
{
    expect_equal_skinning(renderer(), share(mixture()));
}

TEST_F(GpuSkinning, TwoHundredThousandVertices)
{
    const auto scene = share(tube(2000, 100, 40, 4));
    expect_equal_skinning(renderer(), scene);
    EXPECT_EQ(picture(scene, {.width = 64, .height = 64}, {0, 1.0}).pixels.size(), 64u * 64 * 4);
}

TEST_F(GpuSkinning, FarFromTheOriginAndTiny)
{
    for (const float size : {1e-6f, 1e6f}) {
        auto scene = tube(10, 8, 3, 2);
        auto& root = scene.nodes[0].local;
        root.scale = glm::vec3(size);
        root.translation = glm::vec3(3.0f, -2.0f, 1.0f) * size;
        expect_equal_skinning(renderer(), share(std::move(scene)));
    }
}

TEST_F(GpuSkinning, BoundsLeaveOutWhatNothingDraws)
{
    const auto scene = share(mixture());
    const render::Moment moment{0, 0.7};
    const auto box = renderer().bounds(scene, {&moment, 1}).at(0);
    EXPECT_LT(box.max.x, 10.0f);
}

TEST_F(GpuSkinning, EmptySceneIsRefused)
{
    const auto scene = std::make_shared<const scene::Scene>();
    EXPECT_THROW(renderer().skin(scene, {}), render::RenderError);
    EXPECT_THROW(picture(scene, {}), render::RenderError);
    EXPECT_THROW(renderer().skin(share(textured_cube()), {7, 0.0}), render::RenderError);
}

} // namespace
} // namespace vitrine::test
