// Motion that glTF represents differently, written as GLB and read back.

#include "loaders/export/gltf/gltf_writer.hpp"

#include <algorithm>

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/export/gltf_round_trip.hpp"

namespace vitrine::exporting {
namespace {

using scene::ExtrapolationMode;
using scene::Interpolation;
using scene::Path;
using scene::Scene;

TEST(GltfWriter, VertexFramesBecomeMorphTargets)
{
    Scene scene = test::vertex_frame_triangle(5);
    // Frame 3 repeats frame 1 and needs no target.
    auto& frames = scene.meshes[0].frames;
    std::copy_n(frames.positions.begin() + 3, 3, frames.positions.begin() + 9);
    auto& channel = scene.clips[0].channels[0]; // the last frame runs into the first
    channel.times.push_back(0.5f);
    channel.values.push_back(0.0f);
    scene.clips[0].duration = 0.5;
    const auto exported = round_trip(scene);
    EXPECT_EQ(exported.scene.meshes[0].morph_targets.size(), 3u);
    EXPECT_EQ(exported.scene.meshes[0].morph_targets[2].name, "frame 4");
    expect_same_motion(scene, exported.scene);
}

TEST(GltfWriter, ClipOfOneFrameStaysAClip)
{
    Scene scene = test::vertex_frame_triangle(1);
    scene.clips[0].duration = 0.7;
    const auto exported = round_trip(scene);
    EXPECT_TRUE(exported.scene.meshes[0].morph_targets.empty());
    expect_same_motion(scene, exported.scene);
}

TEST(GltfWriter, SkewedMatrixNeedsTwoNodes)
{
    Scene scene = test::textured_cube();
    scene::Node child;
    child.name = "child";
    child.parent = 0;
    child.mesh = 0;
    child.local.translation = {2, 0, 0};
    scene.nodes.push_back(child);
    glm::mat4 skew = glm::rotate(glm::mat4(1.0f), 0.7f, glm::vec3(0, 0.6f, 0.8f));
    skew[1] += 0.8f * skew[0];
    skew[3] = {1, 2, 3, 1};
    scene.nodes[0].matrix = skew;
    const auto exported = round_trip(scene);
    EXPECT_EQ(exported.scene.nodes.size(), 3u);
    for (const auto& node : exported.scene.nodes)
        EXPECT_FALSE(node.matrix) << "glTF's nodes are T, R, S";
    expect_same_motion(scene, exported.scene);
}

TEST(GltfWriter, PositionsThatDisagreeMoveExactly)
{
    Scene scene = test::skinned_bar();
    auto& mesh = scene.meshes[0];
    auto& in = mesh.influences;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        for (auto i = in.first[v]; i < in.first[v + 1]; ++i)
            in.positions.push_back(mesh.positions[v] +
                                   (v == 5 ? glm::vec3(i % 2 ? 0.3f : -0.3f, 0.1f, -0.2f) : glm::vec3(0.0f)));
    const auto exported = round_trip(scene);
    EXPECT_TRUE(exported.warnings.empty());
    EXPECT_EQ(exported.scene.skins[0].joints.size(), 10u) << "four corners for each joint of vertex 5";
    expect_same_motion(scene, exported.scene, 1e-6);
}

TEST(GltfWriter, SamplesExtrapolation)
{
    for (const auto mode : {ExtrapolationMode::hold, ExtrapolationMode::repeat, ExtrapolationMode::mirror,
                            ExtrapolationMode::repeat_offset, ExtrapolationMode::slope}) {
        SCOPED_TRACE(static_cast<int>(mode));
        Scene scene = test::skinned_bar();
        auto& clip = scene.clips[0];
        clip.duration = 3.7;
        clip.channels[0].after.mode = mode;
        clip.channels.push_back(
            {.node = 0,
             .path = Path::translation,
             .interpolation = Interpolation::cubic,
             .times = {-0.5f, 0.5f, 1.0f},
             .values = {0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 2, 0, 0, 3, 1, 1, 1},
             .before = {.mode = mode},
             .after = {.mode = mode}});
        expect_same_motion(scene, round_trip(scene).scene, 1e-4);
    }
}

// A small file with large requirements: a thousand targets over a thousand hours.
TEST(GltfWriter, LongClipsOfManyTargetsStayBounded)
{
    Scene scene = test::morphing_quad();
    auto& mesh = scene.meshes[0];
    mesh.morph_targets.resize(1'000, mesh.morph_targets[0]);
    mesh.morph_weights.resize(1'000, 0.0f);
    auto& clip = scene.clips[0];
    clip.duration = 3.6e6;
    auto& channel = clip.channels[0];
    channel.interpolation = Interpolation::cubic;
    channel.values.assign(2 * 3 * 1'000, 0.25f);
    channel.after.mode = ExtrapolationMode::repeat;
    const auto bytes = write_glb(scene);
    ASSERT_TRUE(bytes);
    EXPECT_LT(bytes->size(), std::size_t{256} << 20);
}

TEST(GltfWriter, LaterChannelsWin)
{
    Scene scene = test::skinned_bar();
    auto second = scene.clips[0].channels[0];
    std::ranges::fill(second.values, 0.5f);
    scene.clips[0].channels.push_back(second);
    const auto exported = round_trip(scene);
    EXPECT_EQ(exported.scene.clips[0].channels.size(), 1u);
    expect_same_motion(scene, exported.scene);
}

// Vertices between two rotating joints: linear and dual quaternion skinning differ.
TEST(GltfWriter, KeepsDualQuaternionsForOurselves)
{
    Scene scene = test::skinned_bar();
    auto& influences = scene.meshes[0].influences;
    const auto linear = corners(scene, 0, 0.5);
    scene.skins[0].method = scene::SkinningMethod::dual_quaternion;
    const auto turned = corners(scene, 0, 0.5);
    float apart = 0.0f;
    for (std::size_t c = 0; c < linear.size(); ++c)
        apart = std::max(apart, glm::distance(linear[c], turned[c]));
    EXPECT_GT(apart, 1e-3f);
    const auto dual = round_trip(scene);
    EXPECT_EQ(dual.scene.skins.at(0).method, scene::SkinningMethod::dual_quaternion);
    expect_same_motion(scene, dual.scene);
    scene.skins[0].method = scene::SkinningMethod::blended;
    for (std::size_t v = 0; v + 1 < influences.first.size(); ++v)
        influences.dual_quaternion_weights.push_back(0.25f * static_cast<float>(v % 5));
    const auto blended = round_trip(scene);
    EXPECT_EQ(blended.scene.skins.at(0).method, scene::SkinningMethod::blended);
    EXPECT_EQ(blended.scene.meshes.at(0).influences.dual_quaternion_weights,
              influences.dual_quaternion_weights);
    expect_same_motion(scene, blended.scene);
}

} // namespace
} // namespace vitrine::exporting
