#include "loaders/scene/validation/validate.hpp"

#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/random_scene.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

struct Broken {
    const char* where; // expected start of the error's location
    LoadErrc code;
    std::function<void(Scene&)> harm;
};

void expect_rejected(const std::vector<Broken>& cases)
{
    for (const Broken& broken : cases) {
        Scene scene = test::everything();
        broken.harm(scene);
        const auto result = validate(scene);
        const auto number = &broken - cases.data();
        ASSERT_FALSE(result.has_value()) << "case " << number << ", " << broken.where;
        EXPECT_EQ(to_string(result.error().code), to_string(broken.code))
            << "case " << number << ", " << broken.where;
        EXPECT_EQ(result.error().where.substr(0, std::string_view(broken.where).size()), broken.where)
            << number;
        EXPECT_FALSE(result.error().detail.empty());
        EXPECT_NE(result.error().detail.back(), '.');
    }
}

constexpr auto malformed = LoadErrc::malformed;
constexpr auto out_of_range = LoadErrc::out_of_range;

TEST(Validate, AcceptsValidScenes)
{
    for (const Scene& scene : {Scene{}, test::everything(), test::skinned_bar(), test::morphing_quad(),
                               test::textured_cube(), test::vertex_frame_triangle(), test::random_scene(1)}) {
        const auto result = validate(scene);
        EXPECT_TRUE(result.has_value()) << result.error().where << ": " << result.error().detail;
    }
}

// One rule for all formats: coordinates that exceed the range are rejected regardless of their cause.
TEST(CheckExtent, RejectsCoordinatesBeyondTheMaximum)
{
    const auto rejected = [](auto place) {
        Scene scene = test::textured_cube();
        place(scene);
        EXPECT_TRUE(validate(scene));
        const auto result = check_extent(scene);
        return !result && result.error().code == out_of_range && result.error().detail.contains("1e15 m");
    };
    EXPECT_TRUE(rejected([](Scene& s) { s.nodes[0].local.translation.x = 2e15f; }));
    EXPECT_TRUE(rejected([](Scene& s) { s.meshes[0].positions[0].y = 3e38f; }));
    EXPECT_TRUE(rejected([](Scene& s) { s.nodes[0].local.translation.x = s.nodes[0].local.scale.x = 3e38f; }))
        << "the product is infinite";
    EXPECT_TRUE(rejected([](Scene& s) {
        s.nodes[0].local.scale = glm::vec3(3e38f);
        s.nodes[0].local.rotation = glm::normalize(glm::quat(1, 0.3f, -0.4f, 0.2f));
        for (auto& p : s.meshes[0].positions)
            p *= 6.0f;
    })) << "not a number";
    EXPECT_FALSE(rejected([](Scene& s) { s.nodes[0].local.scale = glm::vec3(1e15f); }));
    EXPECT_FALSE(rejected([](Scene& s) {
        s.nodes[0].local.scale = glm::vec3(1e30f);
        s.nodes[0].visible = false;
    })) << "not drawn";
}

TEST(Validate, RejectsInvalidHeaders)
{
    expect_rejected({
        {"/format", malformed, [](Scene& s) { s.format = "\xFF"; }},
        {"/generator", malformed, [](Scene& s) { s.generator = "\xC0\x80"; }},
        {"/attribution", malformed, [](Scene& s) { s.attribution.license = "\xC0\x80"; }},
        {"/file_space/axes", malformed, [](Scene& s) { s.file_space.axes[0] = s.file_space.axes[1]; }},
        {"/file_space/axes", malformed, [](Scene& s) { s.file_space.axes[0] *= 2.0f; }},
        {"/file_space/axes", malformed, [](Scene& s) { s.file_space.axes[0].x = nan; }},
        {"/file_space/unit_meters", malformed, [](Scene& s) { s.file_space.unit_meters = 0.0; }},
        {"/file_space/unit_meters", malformed, [](Scene& s) { s.file_space.unit_meters = nan; }},
        {"/file_space/front", malformed, [](Scene& s) { s.file_space.front.x = infinite; }},
    });
}

TEST(Validate, RejectsInvalidNodes)
{
    expect_rejected({
        {"/nodes/1/parent", out_of_range, [](Scene& s) { s.nodes[1].parent = 1; }},
        {"/nodes/0/parent", out_of_range, [](Scene& s) { s.nodes[0].parent = 1; }},
        {"/nodes/1/parent", out_of_range, [](Scene& s) { s.nodes[1].parent = 77; }},
        {"/nodes/1/helper_of", out_of_range, [](Scene& s) { s.nodes[1].helper_of = 77; }},
        {"/nodes/1/helper_of", malformed, [](Scene& s) { s.nodes[1].helper_of = 1; }},
        {"/nodes/1/helper_of", malformed, [](Scene& s) { s.nodes[1].helper_of = 3; }},
        {"/nodes/1/human_bone", malformed,
         [](Scene& s) { s.nodes[1].human_bone = static_cast<HumanBone>(human_bone_count); }},
        {"/nodes/2/mesh", out_of_range, [](Scene& s) { s.nodes[2].mesh = 1; }},
        {"/nodes/2/skin", out_of_range, [](Scene& s) { s.nodes[2].skin = 2; }},
        // individual positions require linear skinning
        {"/nodes/2/skin", malformed, [](Scene& s) { s.nodes[2].skin = 1; }},
        {"/nodes/0/skin", malformed, [](Scene& s) { s.nodes[0].skin = 0; }},
        {"/nodes/0/name", malformed, [](Scene& s) { s.nodes[0].name = "\xE9t\xE9"; }},
        {"/nodes/0/local", malformed, [](Scene& s) { s.nodes[0].local.translation.y = nan; }},
        {"/nodes/0/local", malformed, [](Scene& s) { s.nodes[0].local.scale.y = infinite; }},
        {"/nodes/0/local/rotation", malformed, [](Scene& s) { s.nodes[0].local.rotation.w = 0.9f; }},
        {"/nodes/0/color", malformed, [](Scene& s) { s.nodes[0].color.w = infinite; }},
        {"/nodes/3/matrix", malformed, [](Scene& s) { (*s.nodes[3].matrix)[2].y = nan; }},
        {"/nodes/3/matrix", malformed, [](Scene& s) { (*s.nodes[3].matrix)[2].w = 0.1f; }},
        {"/nodes/2/morph_weights", malformed, [](Scene& s) { s.nodes[2].morph_weights = {1, 2}; }},
        {"/nodes/2/morph_weights", malformed, [](Scene& s) { s.nodes[2].morph_weights = {nan}; }},
        {"/nodes/0/morph_weights", malformed, [](Scene& s) { s.nodes[0].morph_weights = {1}; }},
        {"/nodes/1/local", out_of_range,
         [](Scene& s) { s.nodes[0].local.scale = s.nodes[1].local.scale = glm::vec3(1e30f); }},
    });
}

TEST(Validate, RejectsInvalidStreams)
{
    expect_rejected({
        {"/meshes/0/name", malformed, [](Scene& s) { s.meshes[0].name = "\xED\xA0\x80"; }},
        {"/meshes/0/positions", malformed, [](Scene& s) { s.meshes[0].positions[3].x = nan; }},
        {"/meshes/0/normals", malformed, [](Scene& s) { s.meshes[0].normals.pop_back(); }},
        {"/meshes/0/normals", malformed, [](Scene& s) { s.meshes[0].normals.clear(); }},
        {"/meshes/0/tangents", malformed, [](Scene& s) { s.meshes[0].tangents.pop_back(); }},
        {"/meshes/0/uv0", malformed, [](Scene& s) { s.meshes[0].uv0.pop_back(); }},
        {"/meshes/0/uv1", malformed, [](Scene& s) { s.meshes[0].uv1[0].y = infinite; }},
        {"/meshes/0/more_uvs", malformed, [](Scene& s) { s.meshes[0].more_uvs[1].pop_back(); }},
        {"/meshes/0/more_uvs", malformed, [](Scene& s) { s.meshes[0].more_uvs[1].back().x = nan; }},
        {"/meshes/0/more_uvs", LoadErrc::limit_exceeded, [](Scene& s) { s.meshes[0].more_uvs.resize(7); }},
        {"/meshes/0/colors", malformed, [](Scene& s) { s.meshes[0].colors.emplace_back(); }},
        {"/meshes/0/indices", out_of_range, [](Scene& s) { s.meshes[0].indices[5] = 12; }},
        {"/meshes/0/primitives", out_of_range, [](Scene& s) { s.meshes[0].primitives[2].count = 2; }},
        {"/meshes/0/primitives", out_of_range, [](Scene& s) { s.meshes[0].primitives[2].first = none; }},
        {"/meshes/0/primitives", malformed, [](Scene& s) { s.meshes[0].primitives[0].count -= 1; }},
        {"/meshes/0/primitives", malformed, [](Scene& s) { s.meshes[0].primitives[1].count = 1; }},
        {"/meshes/0/primitives", out_of_range, [](Scene& s) { s.meshes[0].primitives[0].material = 1; }},
        {"/meshes/0/primitives", malformed,
         [](Scene& s) { s.meshes[0].primitives[0].topology = static_cast<Topology>(3); }},
        {"/meshes/0/primitives", malformed,
         [](Scene& s) { s.meshes[0].primitives.push_back(s.meshes[0].primitives[0]); }},
        {"/meshes/0/primitives", malformed,
         [](Scene& s) { // although there are enough indices
             s.meshes[0].indices.resize(100);
             s.meshes[0].primitives.push_back(s.meshes[0].primitives[0]);
         }},
        {"/meshes/0/frames", malformed, [](Scene& s) { s.meshes[0].frames.count = 2; }},
        {"/meshes/0/frames", malformed, [](Scene& s) { s.meshes[0].frames.normals.pop_back(); }},
        {"/meshes/0/frames", malformed, [](Scene& s) { s.meshes[0].frames.positions[0].x = nan; }},
    });
}

TEST(Validate, RejectsInvalidInfluencesAndMorphTargets)
{
    expect_rejected({
        {"/meshes/0/influences", malformed, [](Scene& s) { s.meshes[0].influences.weights.pop_back(); }},
        {"/meshes/0/influences", malformed, [](Scene& s) { s.meshes[0].influences.positions.pop_back(); }},
        {"/meshes/0/influences", malformed, [](Scene& s) { s.meshes[0].influences.weights[0] = nan; }},
        {"/meshes/0/influences", malformed, [](Scene& s) { s.meshes[0].influences.first.clear(); }},
        {"/meshes/0/influences/dual_quaternion_weights", malformed,
         [](Scene& s) { s.meshes[0].influences.dual_quaternion_weights.pop_back(); }},
        {"/meshes/0/influences/dual_quaternion_weights", malformed,
         [](Scene& s) { s.meshes[0].influences.dual_quaternion_weights[2] = nan; }},
        {"/meshes/0/influences/dual_quaternion_weights", malformed,
         [](Scene& s) { s.meshes[0].influences.dual_quaternion_weights[2] = 1.5f; }},
        {"/meshes/0/influences/first", malformed, [](Scene& s) { s.meshes[0].influences.first.pop_back(); }},
        {"/meshes/0/influences/first", malformed, [](Scene& s) { s.meshes[0].influences.first[0] = 1; }},
        {"/meshes/0/influences/first", malformed, [](Scene& s) { s.meshes[0].influences.first[4] = 9; }},
        {"/meshes/0/influences/first", malformed, [](Scene& s) { s.meshes[0].influences.first.back() += 1; }},
        {"/nodes/2/skin", out_of_range, [](Scene& s) { s.meshes[0].influences.joints[3] = 2; }},
        {"/meshes/0/morph_weights", malformed, [](Scene& s) { s.meshes[0].morph_weights.clear(); }},
        {"/meshes/0/morph_weights", malformed, [](Scene& s) { s.meshes[0].morph_weights[0] = infinite; }},
        {"/meshes/0/morph_targets", out_of_range,
         [](Scene& s) { s.meshes[0].morph_targets[0].vertices[0] = 12; }},
        {"/meshes/0/morph_targets", malformed,
         [](Scene& s) { s.meshes[0].morph_targets[0].position_deltas.pop_back(); }},
        {"/meshes/0/morph_targets", malformed,
         [](Scene& s) { s.meshes[0].morph_targets[0].normal_deltas.pop_back(); }},
        {"/meshes/0/morph_targets", malformed,
         [](Scene& s) { s.meshes[0].morph_targets[0].tangent_deltas[0].x = nan; }},
        {"/meshes/0/morph_targets", malformed, [](Scene& s) { s.meshes[0].morph_targets[0].name = "\x80"; }},
    });
}

// The order of the checks decides, not the order of the faults in the arrays.
TEST(Validate, ReportsTheFirstOfSeveralFaults)
{
    Scene scene = test::everything();
    Mesh& mesh = scene.meshes[0];
    const auto expect = [&](const char* where) {
        const auto result = validate(scene);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().where, where);
    };
    mesh.influences.first[4] = 9;
    expect("/meshes/0/influences/first");
    mesh.influences.weights.back() = nan;
    expect("/meshes/0/influences");
    mesh.indices.back() = none;
    expect("/meshes/0/indices");
    mesh.uv1.back().y = infinite;
    expect("/meshes/0/uv1");
    mesh.positions.back().z = -infinite;
    mesh.positions.front().x = nan;
    expect("/meshes/0/positions");
}

TEST(Validate, RejectsInvalidSkinsAndClips)
{
    const auto channel = [](Scene& s, std::size_t i) -> Channel& { return s.clips[0].channels[i]; };
    expect_rejected({
        {"/skins/0/inverse_bind", malformed, [](Scene& s) { s.skins[0].inverse_bind.pop_back(); }},
        {"/skins/0/inverse_bind", malformed, [](Scene& s) { s.skins[0].inverse_bind[0][0].x = nan; }},
        {"/skins/0/inverse_bind", malformed, [](Scene& s) { s.skins[0].inverse_bind[0][3].w = 0.0f; }},
        {"/skins/0/joints", out_of_range, [](Scene& s) { s.skins[0].joints[1] = 4; }},
        {"/skins/0/name", malformed, [](Scene& s) { s.skins[0].name = "\xF8"; }},
        {"/skins/1/method", malformed, [](Scene& s) { s.skins[1].method = static_cast<SkinningMethod>(3); }},
        {"/clips/0/name", malformed, [](Scene& s) { s.clips[0].name = "\xC3"; }},
        {"/clips/0", malformed, [](Scene& s) { s.clips[0].duration = -1.0; }},
        {"/clips/0", malformed,
         [](Scene& s) { s.clips[0].start_time = std::numeric_limits<double>::quiet_NaN(); }},
        {"/clips/0", malformed,
         [](Scene& s) { s.clips[0].frame_rate = std::numeric_limits<double>::infinity(); }},
        {"/clips/0/channels/0", out_of_range, [&](Scene& s) { channel(s, 0).node = 4; }},
        {"/clips/0/channels/0", malformed, [&](Scene& s) { channel(s, 0).node = 3; }}, // has a matrix
        {"/clips/0/channels/1", malformed, [&](Scene& s) { channel(s, 1).node = 0; }}, // has no mesh
        {"/clips/0/channels/2", malformed, [&](Scene& s) { channel(s, 2).node = 1; }}, // has no frames
        {"/clips/0/channels/0", malformed, [&](Scene& s) { channel(s, 0).path = static_cast<Path>(5); }},
        {"/clips/0/channels/0", malformed,
         [&](Scene& s) { channel(s, 0).interpolation = static_cast<Interpolation>(3); }},
        {"/clips/0/channels/0", malformed,
         [&](Scene& s) { channel(s, 0).before.mode = static_cast<ExtrapolationMode>(5); }},
        {"/clips/0/channels/0", malformed,
         [&](Scene& s) { channel(s, 0).after.mode = static_cast<ExtrapolationMode>(5); }},
        {"/clips/0/channels/0", malformed,
         [&](Scene& s) { channel(s, 0).times.clear(), channel(s, 0).values.clear(); }},
        {"/clips/0/channels/0", malformed, [&](Scene& s) { channel(s, 0).times[1] = 0.0f; }},
        {"/clips/0/channels/0", malformed, [&](Scene& s) { channel(s, 0).times[1] = nan; }},
        {"/clips/0/channels/0", malformed, [&](Scene& s) { channel(s, 0).values[1] = nan; }},
        {"/clips/0/channels/0", malformed, [&](Scene& s) { channel(s, 0).values.pop_back(); }},
        {"/clips/0/channels/0", malformed, [&](Scene& s) { channel(s, 0).values.resize(4); }},
        {"/clips/0/channels/1", malformed,
         [&](Scene& s) { channel(s, 1).interpolation = Interpolation::linear; }},
    });
}

TEST(Validate, RejectsInvalidMaterialsImagesAndWarnings)
{
    expect_rejected({
        {"/materials/0/name", malformed, [](Scene& s) { s.materials[0].name = "\xC3("; }},
        {"/materials/0", out_of_range, [](Scene& s) { s.materials[0].normal_texture.image = 2; }},
        {"/materials/0", malformed, [](Scene& s) { s.materials[0].emissive_texture.uv_set = 8; }},
        {"/materials/0", malformed,
         [](Scene& s) { s.materials[0].emissive_texture.wrap_s = static_cast<Wrap>(3); }},
        {"/materials/0", malformed, [](Scene& s) { s.materials[0].emissive_texture.offset.x = nan; }},
        {"/materials/0", malformed, [](Scene& s) { s.materials[0].base_color.w = nan; }},
        {"/materials/0", malformed, [](Scene& s) { s.materials[0].roughness = infinite; }},
        {"/materials/0", malformed, [](Scene& s) { s.materials[0].alpha_mode = static_cast<AlphaMode>(3); }},
        {"/images/0/name", malformed, [](Scene& s) { s.images[0].name = "\xF4\x90\x80\x80"; }},
        {"/images/0/pixels", malformed, [](Scene& s) { s.images[0].pixels.pop_back(); }},
        {"/images/0/pixels", malformed,
         [](Scene& s) { s.images[0].width = 0x80000000u, s.images[0].height = 0x80000000u; }},
        {"/warnings/0", malformed, [](Scene& s) { s.warnings[0].message = "\xFE"; }},
    });
}

TEST(Validate, RejectsBrokenVariants)
{
    const auto variants = [](Scene& s) -> auto& { return s.meshes[0].primitives[0].variants; };
    expect_rejected({
        {"/variants/1", malformed, [](Scene& s) { s.variants[1] = "\xFF"; }},
        {"/meshes/0/primitives", out_of_range, [&](Scene& s) { variants(s)[0].variant = 2; }},
        {"/meshes/0/primitives", out_of_range, [&](Scene& s) { variants(s)[0].material = 1; }},
        {"/meshes/0/primitives", out_of_range, [&](Scene& s) { variants(s)[0].material = none; }},
        {"/meshes/0/primitives", malformed, [&](Scene& s) { variants(s) = {{1, 0}, {0, 0}}; }},
        {"/meshes/0/primitives", malformed, [&](Scene& s) { variants(s) = {{1, 0}, {1, 0}}; }},
    });
}

// A small file can reference one big skin or mesh many times.
TEST(Validate, LimitsWhatAllInstancesDraw)
{
    Scene scene = test::skinned_bar();
    scene.skins[0].joints.assign(1 << 16, 0);
    scene.skins[0].inverse_bind.assign(1 << 16, glm::mat4(1.0f));
    scene.nodes.resize(3 + 64, scene.nodes[2]);
    const auto result = validate(scene);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(to_string(result.error().code), "limit_exceeded");
}

} // namespace
} // namespace vitrine::scene
