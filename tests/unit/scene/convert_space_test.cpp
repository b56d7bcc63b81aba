#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/geometry/up_axis.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

std::vector<glm::mat3> signed_permutations()
{
    std::vector<glm::mat3> out;
    std::array<int, 3> order{0, 1, 2};
    do {
        for (unsigned signs = 0; signs < 8; ++signs) {
            glm::mat3 m(0.0f);
            for (int c = 0; c < 3; ++c)
                m[c][order[static_cast<std::size_t>(c)]] = signs >> c & 1u ? -1.0f : 1.0f;
            out.push_back(m);
        }
    } while (std::ranges::next_permutation(order).found);
    return out;
}

struct Skinned {
    SkinnedMesh mesh;
    Pose pose;
};

Skinned skin_at(const Scene& scene, double time)
{
    Skinned out;
    sample_pose(scene, 0, time, out.pose);
    out.mesh = Skinner(scene).skin(out.pose)[0];
    return out;
}

// Covers everything that the model can hold, in poses: converting the animated scene must equal converting
// its skinned vertices.
void expect_commutes(const Scene& before, const FileSpace& space)
{
    Scene after = before;
    convert_to_scene_space(after, space);
    const auto valid = validate(after);
    ASSERT_TRUE(valid.has_value()) << valid.error().where << " " << valid.error().detail;
    const auto unit = static_cast<float>(space.unit_meters);
    for (const double time : {0.0, 0.3, 0.77}) {
        const Skinned a = skin_at(before, time), b = skin_at(after, time);
        for (std::size_t v = 0; v < a.mesh.positions.size(); ++v) {
            EXPECT_LT(test::difference(space.axes * a.mesh.positions[v] * unit, b.mesh.positions[v]),
                      2e-5 * double{unit});
            EXPECT_LT(test::difference(space.axes * a.mesh.normals[v], b.mesh.normals[v]), 1e-5);
        }
        for (std::size_t i = 0; i < a.pose.local.size(); ++i)
            EXPECT_NEAR(glm::length(a.pose.local[i].scale), glm::length(b.pose.local[i].scale), 1e-6f);
    }
}

TEST(ConvertToSceneSpace, CommutesWithPosingForEverySignedPermutation)
{
    Scene scene = test::everything();
    scene.nodes[0].local = {{1, 2, 3}, glm::normalize(glm::quat(0.9f, 0.1f, -0.2f, 0.3f)), {1, 2, 0.5f}};
    scene.clips[0].channels.push_back({0,
                                       Path::translation,
                                       Interpolation::cubic,
                                       {0.0f, 1.0f},
                                       {0, 0, 0, 1, 2, 3, 4, 5, -6, 1, 1, 1, 3, -1, 2, 0, 0, 0}});
    scene.clips[0].channels.push_back(
        {0, Path::rotation, Interpolation::cubic, {0.0f, 1.0f}, {0,    0,    0,    0,    0.6f, 0,    0, 0.8f,
                                                                 0.1f, 0.5f, 0.2f, 0,    0,    0.3f, 0, 0,
                                                                 0,    0.6f, 0,    0.8f, 0,    0,    0, 0}});
    ASSERT_EQ(signed_permutations().size(), 48u);
    for (const glm::mat3& axes : signed_permutations())
        expect_commutes(scene, {.axes = axes, .unit_meters = 0.0254});
}

TEST(ConvertToSceneSpace, ReversesWindingAndTangentsIfMirrored)
{
    Scene scene = test::textured_cube();
    const FileSpace mirror{.axes = glm::mat3({-1, 0, 0}, {0, 1, 0}, {0, 0, 1})};
    Scene after = scene;
    convert_to_scene_space(after, mirror);
    const Mesh& a = scene.meshes[0];
    const Mesh& b = after.meshes[0];
    for (std::size_t i = 0; i < b.indices.size(); i += 3) {
        const glm::vec3 p = b.positions[b.indices[i]];
        const glm::vec3 face =
            glm::cross(b.positions[b.indices[i + 1]] - p, b.positions[b.indices[i + 2]] - p);
        EXPECT_GT(glm::dot(face, b.normals[b.indices[i]]), 0.5f);
    }
    for (std::size_t v = 0; v < a.tangents.size(); ++v) {
        const auto bitangent = [v](const Mesh& m) {
            return glm::cross(m.normals[v], glm::vec3(m.tangents[v])) * m.tangents[v].w;
        };
        EXPECT_LT(test::difference(mirror.axes * bitangent(a), bitangent(b)), 1e-6);
    }
}

TEST(ConvertToSceneSpace, IsExactAndReversible)
{
    const Scene scene = test::everything();
    for (const glm::mat3& axes : signed_permutations()) {
        Scene there = scene;
        convert_to_scene_space(there, {.axes = axes, .unit_meters = 0.5});
        convert_to_scene_space(there, {.axes = glm::transpose(axes), .unit_meters = 2.0});
        there.file_space = scene.file_space;
        EXPECT_EQ(there.meshes[0].positions, scene.meshes[0].positions);
        EXPECT_EQ(there.skins[0].inverse_bind, scene.skins[0].inverse_bind);
        EXPECT_EQ(there.clips[0].channels[0].values, scene.clips[0].channels[0].values);
        EXPECT_EQ(there.nodes[3].matrix, scene.nodes[3].matrix);
    }
}

TEST(ToFileSpace, InvertsTheConversion)
{
    const FileSpace space{.axes = {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}}, .unit_meters = 0.5};
    const glm::vec3 a(1, 2, 3), b(-4, 5, 9);
    Aabb file, converted;
    for (const glm::vec3& p : {a, b})
        file.add(p), converted.add(space.axes * p * 0.5f);
    const Aabb back = to_file_space(space, converted);
    EXPECT_EQ(back.min, file.min);
    EXPECT_EQ(back.max, file.max);
    EXPECT_TRUE(to_file_space(space, Aabb{}).empty());
}

std::vector<glm::vec3> positions_at(const Scene& scene, double time)
{
    Pose pose;
    sample_pose(scene, 0, time, pose);
    return Skinner(scene).skinned_positions(pose);
}

Scene bar_of(const FileSpace& space)
{
    auto scene = test::skinned_bar();
    convert_to_scene_space(scene, space);
    return scene;
}

const FileSpace y_up_space{};
const FileSpace z_up_space{.axes = {{1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, -1.0f}, {0.0f, 1.0f, 0.0f}},
                           .unit_meters = 0.01};
const FileSpace mirrored_space{.axes = {{-1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}};

TEST(UpAxis, TurnsTheModelInEachPose)
{
    for (const auto& space : {y_up_space, z_up_space, mirrored_space})
        for (const auto* word : {"x", "y", "z", "-x", "-y", "-z"}) {
            const auto before = bar_of(space);
            auto after = before;
            set_up_axis(after, word);
            ASSERT_TRUE(validate(after)) << word;
            glm::vec3 axis(0.0f);
            axis[std::string_view(word).back() - 'x'] = *word == '-' ? -1.0f : 1.0f;
            EXPECT_EQ(after.file_space.axes * axis, glm::vec3(0.0f, 1.0f, 0.0f)) << word;
            EXPECT_EQ(after.file_space.unit_meters, space.unit_meters);
            EXPECT_EQ(glm::determinant(after.file_space.axes), glm::determinant(space.axes)) << "no mirror";
            EXPECT_NEAR(after.file_space.front.y, 0.0f, 1e-6f);
            const auto turn = after.file_space.axes * glm::transpose(space.axes);
            for (const double time : {0.0, 0.6}) {
                const auto a = positions_at(before, time), b = positions_at(after, time);
                for (std::size_t v = 0; v < a.size(); ++v)
                    EXPECT_LT(test::difference(turn * a[v], b[v]), 1e-5) << word;
            }
            EXPECT_EQ(after.nodes.size(), before.nodes.size());
        }
}

TEST(UpAxis, OfTheFileLeavesTheScene)
{
    auto scene = bar_of(z_up_space);
    const auto before = positions_at(scene, 0.3);
    set_up_axis(scene, "z");
    EXPECT_EQ(positions_at(scene, 0.3), before);
    set_up_axis(scene, "x");
    set_up_axis(scene, "z");
    EXPECT_EQ(scene.file_space.axes[2], glm::vec3(0.0f, 1.0f, 0.0f));
}

TEST(UpAxis, HasSixWords)
{
    for (const auto* word : {"x", "y", "z", "-x", "-y", "-z"})
        EXPECT_TRUE(is_axis_word(word)) << word;
    for (const auto* word : {"", "-", "w", "Y", "--y", "y-", "+y", "yz"})
        EXPECT_FALSE(is_axis_word(word)) << word;
}

} // namespace
} // namespace vitrine::scene
