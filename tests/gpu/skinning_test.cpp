// Compares skinning on the device with the CPU reference.

#include <algorithm>
#include <array>

#include "tests/gpu/device.hpp"
#include "tests/gpu/equality.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"
#include "vk_renderer/passes/skinning.hpp"

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

scene::SharedLayers layers_of(std::vector<scene::PoseLayer> layers,
                              std::vector<scene::JointAdjustment> adjustments = {})
{
    return std::make_shared<const scene::AnimationLayers>(
        scene::AnimationLayers{std::move(layers), std::move(adjustments), {}, "key"});
}

TEST_F(GpuSkinning, LayersOfClips)
{
    const auto joints = layers_of({{.clip = 0}, {.clip = 0, .time = 0.9, .weight = 0.5f}},
                                  {{.node = 1, .rotation = scene::rotation_of_degrees({30, 40, 50})}});
    const std::vector<render::ClipTime> times{
        {0, 0.3}, {0, 0.3, joints}, {scene::none, 0.6, joints}, {0, 0.6}};
    expect_equal_skinning_at(renderer(), share(tube(20, 12, 6, 3)), times);
    const auto frames = layers_of({{.clip = 0, .time = 0.05}, {.clip = 0, .time = 0.25, .weight = 0.75f}});
    expect_equal_skinning_at(renderer(), share(vertex_frame_triangle()),
                             std::vector<render::ClipTime>{{0, 0.0, frames}, {0, 0.05}});
}

TEST_F(GpuSkinning, LayersAreFramedWhereTheyMove)
{
    const auto scene = share(tube(20, 12, 6, 3));
    const auto raised = layers_of({}, {{.node = 0, .translation = {0, 40, 0}}});
    std::vector<render::Frame> frames;
    const std::vector<render::FrameRequest> requests{
        {scene, {.width = 64, .height = 64}, {scene::none, 0.0, raised}},
        {scene, {.width = 64, .height = 64}, {}}};
    renderer().render(requests, frames);
    EXPECT_NEAR(frames[0].framing.model.center().y - frames[1].framing.model.center().y, 40.0, 1e-3);
    EXPECT_NEAR(frames[0].bounds.center().y - frames[1].bounds.center().y, 40.0, 1e-3);
}

// Bent and twisted by 150 degrees per joint, which makes linear blending collapse.
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

// Weights that cancel do not define a rotation: such a vertex is skinned linearly.
TEST_F(GpuSkinning, DualQuaternionsOfNegativeWeights)
{
    auto scene = twisted(4);
    auto& weights = scene.meshes[0].influences.weights;
    for (std::size_t v = 0; v < weights.size() / 4; v += 3)
        std::ranges::copy(std::array{0.8f, -0.8f, 0.6f, 0.4f},
                          weights.begin() + static_cast<std::ptrdiff_t>(4 * v));
    expect_equal_skinning(renderer(), share(std::move(scene)));
}

// Skins of both methods in one scene use separate ranges in the joint and weight arrays.
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

bool has_tangents(const std::vector<scene::SkinnedMesh>& meshes)
{
    return std::ranges::any_of(meshes, [](const auto& mesh) { return !mesh.tangents.empty(); });
}

TEST_F(GpuSkinning, TangentsOfNormalMaps)
{
    for (const std::uint32_t influences : {1u, 4u, 6u})
        for (const bool dual : {false, true}) {
            auto scene = dual ? twisted(influences) : tube(30, 12, 5, influences);
            add_normal_map(scene, 12);
            for (std::size_t v = 0; v < scene.meshes[0].tangents.size(); v += 3)
                scene.meshes[0].tangents[v].w = -1.0f;
            scene.nodes[scene.skins[0].joints[2]].local.scale = {1.4f, 0.6f, -1.2f};
            const auto shared = share(std::move(scene));
            EXPECT_TRUE(has_tangents(renderer().skin(shared, {0, 0.5})));
            expect_equal_skinning(renderer(), shared);
        }
}

TEST_F(GpuSkinning, TangentsOfMorphTargetsAndRigidMeshes)
{
    auto scene = mixture();
    add_normal_map(scene, 8);
    for (auto& target : scene.meshes[0].morph_targets)
        for (std::size_t i = 0; i < target.vertices.size(); ++i)
            target.tangent_deltas.push_back(i % 2 ? glm::vec3(0.0f, 0.8f, 0.1f) : glm::vec3(0.0f));
    const auto morphing = share(std::move(scene));
    EXPECT_TRUE(has_tangents(renderer().skin(morphing, {0, 0.5})));
    expect_equal_skinning(renderer(), morphing);
    auto rigid = tube(8, 12, 2, 1);
    add_normal_map(rigid, 12);
    rigid.nodes.back().skin = scene::none;
    rigid.meshes[0].influences = {};
    rigid.nodes.back().local.scale = {-1.0f, 2.0f, 1.0f};
    const auto mirrored = share(std::move(rigid));
    EXPECT_TRUE(has_tangents(renderer().skin(mirrored, {})));
    expect_equal_skinning(renderer(), mirrored);
}

TEST_F(GpuSkinning, OmitsTangentsWithoutANormalMap)
{
    auto scene = tube(8, 12, 2, 2);
    add_normal_map(scene, 12);
    scene.materials[0].normal_texture.image = scene::none;
    EXPECT_FALSE(has_tangents(renderer().skin(share(std::move(scene)), {})));
}

TEST_F(GpuSkinning, RigidMesh)
{
    expect_equal_skinning(renderer(), share(textured_cube()));
}

TEST_F(GpuSkinning, AllKindsInOneScene)
{
    expect_equal_skinning(renderer(), share(mixture()));
}

// With the code paths of a card: 8, 8 and 5 poses by one invocation.
TEST_F(GpuSkinning, ManyPosesOfAllKinds)
{
    expect_equal_skinning(renderer(), share(mixture()), 20);
}

TEST(SkinningPass, LeavesInvocationsForTheLanesOfACard)
{
    const render::DeviceTraits card{};
    EXPECT_EQ(render::poses_of_invocation(card, 20'000, 16), 1u);
    EXPECT_EQ(render::poses_of_invocation(card, 50'000, 16), 3u);
    EXPECT_EQ(render::poses_of_invocation(card, 200'000, 16), 8u);
    EXPECT_EQ(render::poses_of_invocation(card, 4'000'000, 256), 8u);
    EXPECT_EQ(render::poses_of_invocation(card, 4'000'000, 1), 1u);
    render::DeviceTraits software{.software = true};
    software.poses_per_invocation = 1u << 16;
    software.min_skinning_invocations = 1;
    EXPECT_EQ(render::poses_of_invocation(software, 3, 16), 16u);
    EXPECT_EQ(render::poses_of_invocation(software, 1, 1), 1u);
}

TEST_F(GpuSkinning, TwoHundredThousandVertices)
{
    const auto scene = share(tube(2000, 100, 40, 4));
    expect_equal_skinning(renderer(), scene);
    EXPECT_EQ(picture(scene, {.width = 64, .height = 64}, {0, 1.0}).pixels.size(), 64u * 64 * 4);
}

// More palette entries than the 16 bits of the fast path address, in two skins.
TEST_F(GpuSkinning, SeventyThousandJoints)
{
    const auto scene = share(joint_tree(70'000, 60'000));
    ASSERT_EQ(scene->skins.size(), 2u);
    expect_equal_skinning(renderer(), scene, 2);
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

TEST_F(GpuSkinning, BoundsExcludeUnusedVertices)
{
    const auto scene = share(mixture());
    const render::ClipTime clip_time{0, 0.7};
    const auto box = renderer().bounds(scene, {&clip_time, 1}).at(0);
    EXPECT_LT(box.max.x, 10.0f);
}

TEST_F(GpuSkinning, RejectsAnEmptyScene)
{
    const auto scene = std::make_shared<const scene::Scene>();
    EXPECT_THROW(renderer().skin(scene, {}), render::RenderError);
    EXPECT_THROW(picture(scene, {}), render::RenderError);
    EXPECT_THROW(renderer().skin(share(textured_cube()), {7, 0.0}), render::RenderError);
}

} // namespace
} // namespace vitrine::test
