// Scenes with features that glTF represents differently, written as GLB and read back: their motion is
// unchanged.

#include "loaders/export/gltf/gltf_writer.hpp"

#include <algorithm>

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include "loaders/gltf/gltf.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/pose_model.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::exporting {
namespace {

using scene::ExtrapolationMode;
using scene::Interpolation;
using scene::Path;
using scene::Scene;

struct Exported {
    Scene scene; // read back
    std::vector<scene::Warning> warnings;
    std::string file;
};

Exported round_trip(const Scene& scene)
{
    const auto valid = scene::validate(scene);
    EXPECT_TRUE(valid) << valid.error().where << ": " << valid.error().detail;
    Exported out;
    const auto bytes = write_glb(scene, &out.warnings);
    EXPECT_TRUE(bytes);
    out.file.assign(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    test::MemorySource source("m.glb", {{"m.glb", out.file}});
    auto read = load_gltf(source, Limits());
    EXPECT_TRUE(read) << read.error().where << ": " << read.error().detail;
    out.scene = std::move(*read);
    return out;
}

std::vector<glm::vec3> corners(const Scene& scene, std::uint32_t clip, double time)
{
    scene::Pose pose;
    scene::sample_pose(scene, clip, time, pose);
    return test::drawn_corners(scene, pose);
}

// Materials, variants of each primitive and the order of names are those of the scene.
TEST(GltfExport, VariantsAreKept)
{
    Scene scene = test::textured_cube();
    scene.materials.resize(3);
    scene.variants = {"day", "night", "dusk", "night"};
    scene.meshes[0].primitives[0].material = 1;
    scene.meshes[0].primitives[0].variants = {{0, 2}, {1, 0}, {3, 2}};
    const auto read = round_trip(scene);
    EXPECT_EQ(read.scene.variants, scene.variants);
    EXPECT_EQ(read.scene.meshes.at(0).primitives.at(0).material, 1u);
    EXPECT_EQ(read.scene.meshes.at(0).primitives.at(0).variants, scene.meshes[0].primitives[0].variants);
    EXPECT_TRUE(read.scene.warnings.empty());
    EXPECT_NE(read.file.find(R"("mappings":[{"material":0,"variants":[1]},{"material":2,"variants":[0,3]}])"),
              std::string::npos)
        << "a mapping for each material";
}

TEST(GltfExport, NoVariantMembersWithoutVariants)
{
    EXPECT_EQ(round_trip(test::textured_cube()).file.find("variants"), std::string::npos);
}

void expect_same_motion(Scene before, const Scene& after, double tolerance = 2e-5)
{
    scene::sort_nodes(before);
    ASSERT_EQ(before.clips.size(), after.clips.size());
    const auto compare = [&](std::uint32_t clip, double time) {
        const auto a = corners(before, clip, time), b = corners(after, clip, time);
        ASSERT_EQ(a.size(), b.size());
        scene::Aabb box;
        double largest = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            box.add(a[i]);
            largest = std::max(largest, test::difference(a[i], b[i]));
        }
        EXPECT_LE(largest, tolerance * glm::length(box.size())) << "clip " << clip << " at " << time;
    };
    compare(scene::none, 0.0);
    for (std::uint32_t clip = 0; clip < before.clips.size(); ++clip) {
        EXPECT_NEAR(after.clips[clip].duration, before.clips[clip].duration, 1e-6);
        for (int i = 0; i <= 20; ++i)
            compare(clip, before.clips[clip].duration * i / 20.0);
    }
}

bool warns(const Exported& exported, std::string_view code)
{
    return std::ranges::any_of(exported.warnings, [&](const auto& w) { return w.code == code; });
}

TEST(GltfWriter, KeepsSmallScenes)
{
    for (const Scene& scene : {test::skinned_bar(), test::morphing_quad(), test::textured_cube()}) {
        const auto exported = round_trip(scene);
        EXPECT_TRUE(exported.warnings.empty());
        expect_same_motion(scene, exported.scene);
    }
}

// Matrices with shear, mirrored nodes, unskinned vertices, meshes with and without a skin, ten influences,
// morph targets over vertex frames. Their keys are far from unit quaternions, which glTF does not allow.
TEST(GltfWriter, KeepsRandomScenesAtRest)
{
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        SCOPED_TRACE(seed);
        Scene scene = test::random_scene(
            seed,
            {.normalized_weights = true, .own_positions = seed % 3 == 1, .extrapolated = seed % 4 == 2});
        Scene read = round_trip(scene).scene;
        EXPECT_EQ(read.clips.size(), 1u);
        scene.clips.clear();
        read.clips.clear();
        expect_same_motion(scene, read, 5e-5);
    }
}

// With a morph target that turns normals.
TEST(GltfWriter, LinesAndPointsWithoutNormalsStayUnlit)
{
    Scene scene = test::morphing_quad();
    auto& mesh = scene.meshes[0];
    mesh.morph_targets[1].normal_deltas.assign(4, {0.5f, 0.0f, 0.0f});
    mesh.primitives.clear();
    for (const auto topology : {scene::Topology::lines, scene::Topology::points})
        for (const bool has_normals : {false, true}) {
            const auto first = static_cast<std::uint32_t>(mesh.indices.size());
            mesh.indices.insert(mesh.indices.end(), {0, 1});
            mesh.primitives.push_back(
                {.topology = topology, .first = first, .count = 2, .has_normals = has_normals});
        }
    const auto exported = round_trip(scene);
    const auto& read = exported.scene.meshes.at(0).primitives;
    ASSERT_EQ(read.size(), 4u);
    for (std::size_t p = 0; p < 4; ++p) {
        EXPECT_EQ(read[p].topology, mesh.primitives[p].topology);
        EXPECT_EQ(read[p].has_normals, mesh.primitives[p].has_normals) << p;
    }
    expect_same_motion(scene, exported.scene);
}

TEST(GltfWriter, ColorsOfNodesBecomeMaterials)
{
    Scene scene = test::textured_cube();
    scene.materials.resize(1);
    scene.materials[0].base_color = {0.5f, 0.5f, 1.0f, 1.0f};
    scene.materials[0].roughness = 0.25f;
    scene.meshes[0].primitives[0].material = 0;
    const std::vector<glm::vec4> colors{{1, 1, 1, 1}, {1, 0, 0, 1}, {0, 1, 0.5f, 0.5f}, {1, 0, 0, 1}};
    scene.nodes.resize(1);
    for (std::size_t i = 1; i < colors.size(); ++i) {
        scene::Node node = scene.nodes[0];
        node.color = colors[i];
        scene.nodes.push_back(node);
    }
    const auto exported = round_trip(scene);
    EXPECT_FALSE(warns(exported, "color_clamped"));
    const auto& read = exported.scene;
    ASSERT_EQ(read.nodes.size(), colors.size());
    EXPECT_EQ(read.nodes[1].mesh, read.nodes[3].mesh) << "equal colors share";
    for (std::size_t i = 0; i < colors.size(); ++i) {
        const auto& primitive = read.meshes.at(read.nodes[i].mesh).primitives.at(0);
        const auto& material = read.materials.at(primitive.material);
        EXPECT_EQ(material.base_color, colors[i] * scene.materials[0].base_color) << i;
        EXPECT_EQ(material.roughness, 0.25f);
    }
    scene.nodes[1].color.x = 3.0f;
    EXPECT_TRUE(warns(round_trip(scene), "color_clamped"));
}

// Formats that show backs need a material that says so, which the colored copy of none has to say too.
TEST(GltfWriter, ColorsOfNodesWithoutAMaterial)
{
    Scene scene = test::textured_cube();
    scene.materials.clear();
    scene.images.clear();
    for (auto& primitive : scene.meshes[0].primitives)
        primitive.material = scene::none;
    scene.nodes.resize(1);
    scene.nodes.push_back(scene.nodes[0]);
    scene.nodes[1].color = {0.25f, 0.5f, 1.0f, 1.0f};
    const auto read = round_trip(scene).scene;
    const auto material_of = [&](std::size_t node) {
        return read.materials.at(read.meshes.at(read.nodes.at(node).mesh).primitives.at(0).material);
    };
    EXPECT_EQ(material_of(0).base_color, glm::vec4(1.0f));
    EXPECT_EQ(material_of(1).base_color, scene.nodes[1].color);
    EXPECT_TRUE(material_of(1).double_sided);
}

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

TEST(GltfWriter, AClipOfOneFrameStaysAClip)
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

TEST(GltfWriter, ReportsLosses)
{
    Scene scene = test::skinned_bar();
    EXPECT_FALSE(round_trip(scene).file.contains("extras"));
    scene.skins[0].method = scene::SkinningMethod::dual_quaternion;
    const auto linear = round_trip(scene);
    EXPECT_TRUE(warns(linear, "skinning_approximated"));
    EXPECT_TRUE(linear.file.contains(R"("extras":{"warnings":[{"code":"skinning_approximated","message":)"));
    scene.meshes[0].influences.weights[0] = 0.8f;
    EXPECT_TRUE(warns(round_trip(scene), "weights_normalized"));
    scene.meshes[0].influences.weights[4] = -0.1f;
    EXPECT_TRUE(warns(round_trip(scene), "negative_weights"));
    scene.nodes[2].visible = false;
    const auto hidden = round_trip(scene);
    EXPECT_TRUE(warns(hidden, "invisible_meshes"));
    EXPECT_TRUE(hidden.scene.meshes.empty());
    EXPECT_EQ(hidden.scene.nodes.size(), 3u) << "the joints stay";
}

TEST(GltfWriter, KeepsLayers)
{
    Scene scene = test::textured_cube();
    ASSERT_FALSE(scene.images.empty());
    scene.materials[0].extensions = test::odd_layers(0, 0);
    scene.materials[0].emissive = glm::vec3(3.0f); // an additional extension
    const auto written = round_trip(scene);
    EXPECT_EQ(written.scene.materials[0].extensions, scene.materials[0].extensions);
    EXPECT_EQ(written.scene.materials[0].emissive, glm::vec3(3.0f));
    for (const std::string_view name : {"ior", "specular", "clearcoat", "sheen", "transmission", "volume"})
        EXPECT_TRUE(written.file.contains("\"KHR_materials_" + std::string(name) + "\"")) << name;
    scene.meshes[0].uv0.clear(); // a texture of a material extension requires them too
    scene.meshes[0].tangents.clear();
    scene.materials[0] = {};
    scene.materials[0].extensions = test::odd_layers(0, 0);
    EXPECT_TRUE(round_trip(scene).file.contains("\"TEXCOORD_1\""));
    scene.materials[0].extensions = {};
    EXPECT_FALSE(round_trip(scene).file.contains("KHR_materials_clearcoat"));
}

TEST(GltfWriter, BacksAreShownAsTheFormatShowsThem)
{
    Scene cube = test::textured_cube();
    cube.materials[0].double_sided = false;
    auto& mesh = cube.meshes[0];
    mesh.primitives[0].count /= 2;
    mesh.primitives.push_back(
        {.first = mesh.primitives[0].count,
         .count = static_cast<std::uint32_t>(mesh.indices.size()) - mesh.primitives[0].count});
    const auto backs_of = [&](const char* format) {
        cube.format = format;
        const Scene read = round_trip(cube).scene;
        std::vector<bool> out;
        for (const auto& primitive : read.meshes[0].primitives)
            out.push_back(primitive.material != scene::none &&
                          read.materials[primitive.material].double_sided);
        return out;
    };
    EXPECT_EQ(backs_of("obj"), (std::vector<bool>{true, true}));
    EXPECT_EQ(backs_of("glb"), (std::vector<bool>{false, false}));
    EXPECT_EQ(backs_of(""), (std::vector<bool>{false, false})) << "made, not read";
}

TEST(GltfWriter, ADuplicateJointGetsItsOwnNode)
{
    Scene bar = test::skinned_bar();
    auto& skin = bar.skins[0];
    skin.joints.push_back(skin.joints.back());
    skin.inverse_bind.push_back(skin.inverse_bind.back());
    for (auto& joint : bar.meshes[0].influences.joints) // the first joint's weights are unchanged
        if (joint + 2 == skin.joints.size()) joint = static_cast<std::uint16_t>(skin.joints.size() - 1);
    const Scene read = round_trip(bar).scene;
    auto joints = read.skins[0].joints;
    std::ranges::sort(joints);
    EXPECT_EQ(std::ranges::adjacent_find(joints), joints.end());
    expect_same_motion(bar, read);
}

// A loader put the joint's scale into a separate node; the joint has its name in the file, and the helper is
// not a joint.
TEST(GltfWriter, JointsHaveTheirFilesNames)
{
    Scene bar = test::skinned_bar();
    const auto joint = bar.skins[0].joints.back();
    bar.nodes[joint].name = "arm";
    scene::Node unscaled = bar.nodes[joint];
    unscaled.name = "arm.unscaled";
    bar.nodes.insert(bar.nodes.begin() + joint, unscaled);
    const auto move = [&](std::uint32_t& node) {
        if (node != scene::none && node >= joint) ++node;
    };
    for (scene::Node& node : bar.nodes)
        move(node.parent);
    for (auto& of_skin : bar.skins[0].joints)
        move(of_skin);
    for (auto& channel : bar.clips[0].channels)
        if (channel.node != joint || channel.path == Path::scale) move(channel.node);
    bar.nodes[joint].parent = bar.nodes[joint + 1].parent;
    bar.nodes[joint].local.scale = glm::vec3(1.0f);
    bar.nodes[joint].helper_of = joint + 1;
    bar.nodes[joint + 1].parent = joint;
    bar.nodes[joint + 1].local = {.scale = bar.nodes[joint + 1].local.scale};
    const Scene read = round_trip(bar).scene;
    expect_same_motion(bar, read);
    EXPECT_EQ(read.nodes[read.skins.at(0).joints.back()].name, "arm");
    for (const auto node : read.skins[0].joints)
        EXPECT_FALSE(read.nodes[node].name.ends_with(".unscaled"));
}

// As in a file with animations only.
TEST(GltfWriter, KeepsASkinThatNoMeshUses)
{
    Scene bar = test::skinned_bar();
    for (scene::Node& node : bar.nodes)
        node.mesh = node.skin = scene::none;
    bar.meshes.clear();
    const Scene read = round_trip(bar).scene;
    ASSERT_EQ(read.skins.size(), 1u);
    ASSERT_EQ(read.skins[0].joints.size(), bar.skins[0].joints.size());
    EXPECT_EQ(read.skins[0].inverse_bind, bar.skins[0].inverse_bind);
    for (std::size_t j = 0; j < bar.skins[0].joints.size(); ++j)
        EXPECT_EQ(read.nodes[read.skins[0].joints[j]].name, bar.nodes[bar.skins[0].joints[j]].name);
}

TEST(GltfWriter, WritesEmptyScenes)
{
    Scene scene;
    scene.format = "obj";
    const auto empty = write_glb(scene);
    ASSERT_TRUE(empty);
    EXPECT_LT(empty->size(), 100u);
    scene.meshes.emplace_back().name = "no primitives";
    scene::Node node;
    node.mesh = 0;
    scene.nodes.push_back(node);
    EXPECT_TRUE(round_trip(scene).scene.meshes.empty());
}

} // namespace
} // namespace vitrine::exporting
