#include "loaders/scene/skinning/skinning.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/skinning/skinner.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

SkinnedMesh skin_at(const Scene& scene, double time)
{
    Pose pose;
    sample_pose(scene, 0, time, pose);
    return Skinner(scene).skin(pose)[0];
}

TEST(Skinning, MatchesAManualCalculationOfTheBar)
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

TEST(Skinning, AppliesMorphTargetsAndVertexFrames)
{
    const SkinnedMesh quad = skin_at(test::morphing_quad(), 0.5);
    EXPECT_LT(test::difference(quad.positions[0], {-0.5f, -0.5f, 0.5f}), 1e-6);
    EXPECT_LT(test::difference(quad.positions[2], {0.5f, 1.0f, 0.5f}), 1e-6);
    const SkinnedMesh triangle = skin_at(test::vertex_frame_triangle(), 0.125);
    EXPECT_LT(test::difference(triangle.positions[1], {2.25f, 0, 0}), 1e-6);
}

SkinnedMesh skin_rest(const Scene& scene)
{
    Pose pose;
    static_pose(scene, pose);
    return Skinner(scene).skin(pose)[0];
}

TEST(Skinning, NodeOfASkinnedMeshMovesOnlyVerticesWithoutInfluences)
{
    Scene scene = test::skinned_bar();
    scene.nodes[2].local.translation = {10, 0, 0};
    Influences& in = scene.meshes[0].influences;
    in.joints.pop_back(), in.weights.pop_back();
    in.first.back() -= 1; // vertex 11 has no influences
    const SkinnedMesh skinned = skin_rest(scene);
    EXPECT_LT(test::difference(skinned.positions[10], scene.meshes[0].positions[10]), 1e-6);
    EXPECT_LT(test::difference(skinned.positions[11], scene.meshes[0].positions[11] + glm::vec3(10, 0, 0)),
              1e-6);
}

TEST(Skinning, InfluencesCanHaveIndividualPositions)
{
    Scene scene = test::skinned_bar();
    Influences& in = scene.meshes[0].influences;
    in.positions.assign(in.weights.size(), glm::vec3(0.0f));
    in.positions[4] = {2, 4, 6}; // vertex 4: half of lower ...
    in.positions[5] = {0, 2, 0}; // ... and half of upper
    EXPECT_LT(test::difference(skin_rest(scene).positions[4], {1, 3, 3}), 1e-6);
}

TEST(Skinning, NormalsUseTheInverseTranspose)
{
    Scene scene = test::textured_cube();
    Node& node = scene.nodes[0];
    const glm::quat turn = glm::normalize(glm::quat(0.8f, 0.3f, -0.4f, 0.2f));
    for (const glm::vec3 scale :
         {glm::vec3(1, 2, 5), glm::vec3(-1, 2, 5), glm::vec3(1e-12f, 2e-12f, 3e-12f)}) {
        node.local = {{1, 2, 3}, turn, scale};
        const SkinnedMesh skinned = skin_rest(scene);
        const glm::dmat3 inverse_transpose = glm::transpose(glm::inverse(glm::dmat3(to_matrix(node.local))));
        for (std::size_t v = 0; v < 24; ++v) {
            const glm::vec3 expected(
                glm::normalize(inverse_transpose * glm::dvec3(scene.meshes[0].normals[v])));
            EXPECT_LT(test::difference(skinned.normals[v], expected), 1e-5);
        }
    }
}

TEST(Skinning, TangentsFollowTheSurface)
{
    Scene scene = test::skinned_bar();
    Mesh& mesh = scene.meshes[0];
    mesh.tangents.assign(mesh.positions.size(), {1, 0, 0, -1});
    const SkinnedMesh bent = skin_at(scene, 1.0);
    EXPECT_LT(test::difference(glm::vec3(bent.tangents[0]), {1, 0, 0}), 1e-6);
    EXPECT_LT(test::difference(glm::vec3(bent.tangents[8]), {0, 1, 0}), 1e-6);
    EXPECT_EQ(bent.tangents[8].w, -1.0f);
    scene.nodes[0].local.scale = {-2, 2, 2};
    const SkinnedMesh mirrored = skin_rest(scene);
    EXPECT_LT(test::difference(glm::vec3(mirrored.tangents[0]), {-1, 0, 0}), 1e-6);
    EXPECT_EQ(mirrored.tangents[0].w, 1.0f); // the bitangent still follows Y of the texture
    EXPECT_TRUE(skin_rest(test::skinned_bar()).tangents.empty());
}

TEST(Skinning, MorphTargetsMoveTangents)
{
    Scene scene = test::morphing_quad();
    Mesh& mesh = scene.meshes[0];
    mesh.tangents.assign(mesh.positions.size(), {1, 0, 0, 1});
    MorphTarget& target = mesh.morph_targets[0];
    target.tangent_deltas.assign(target.vertices.size(), {-1, 2, 0});
    scene.meshes[0].morph_weights.assign(mesh.morph_targets.size(), 0.0f);
    scene.meshes[0].morph_weights[0] = 1.0f;
    EXPECT_LT(test::difference(glm::vec3(skin_rest(scene).tangents[target.vertices[0]]), {0, 1, 0}), 1e-6);
}

TEST(Skinning, CollapsedMeshesKeepUnitNormals)
{
    Scene scene = test::textured_cube();
    for (const glm::vec3 scale : {glm::vec3(1, 0, 1), glm::vec3(0, 0, 1), glm::vec3(0, 0, 0)}) {
        scene.nodes[0].local.scale = scale;
        for (const glm::vec3& normal : skin_rest(scene).normals)
            EXPECT_NEAR(glm::length(normal), 1.0f, 1e-5f);
    }
    scene.nodes[0].local.scale = {1, 0, 1}; // the plane's own normal
    EXPECT_LT(test::difference(glm::abs(skin_rest(scene).normals[16]), {0, 1, 0}), 1e-6);
}

TEST(Skinning, ZeroAndEmptyWeightSumsGiveFiniteNumbers)
{
    Scene scene = test::skinned_bar();
    for (float& w : scene.meshes[0].influences.weights)
        w = 0.0f;
    const SkinnedMesh skinned = skin_rest(scene);
    for (std::size_t v = 0; v < 12; ++v) {
        EXPECT_EQ(skinned.positions[v], glm::vec3(0.0f));
        EXPECT_NEAR(glm::length(skinned.normals[v]), 1.0f, 1e-5f);
    }
}

TEST(Skinning, VertexFramesClampOutsideTheirRange)
{
    Scene scene = test::vertex_frame_triangle(3);
    Channel& channel = scene.clips[0].channels[0];
    channel.values = {-5.0f, 1.0f, 1e30f};
    EXPECT_EQ(skin_at(scene, 0.0).positions[0].x, 0.0f);
    EXPECT_EQ(skin_at(scene, 0.2).positions[0].x, 2.0f);
}

TEST(Skinning, MorphNormalsAreAddedAndNormalized)
{
    Scene scene = test::morphing_quad();
    scene.meshes[0].morph_targets[0].normal_deltas = {{1, 0, 0}, {0, 0, 0}};
    scene.nodes[0].morph_weights = {1.0f, 0.0f};
    const SkinnedMesh skinned = skin_rest(scene);
    EXPECT_LT(test::difference(skinned.normals[2], glm::normalize(glm::vec3(1, 0, 1))), 1e-6);
    EXPECT_LT(test::difference(skinned.positions[2], {0.5f, 1.5f, 0}), 1e-6);
}

void expect_parts_to_equal(const Scene& scene, const Pose& pose)
{
    Skinner skinner(scene);
    const auto meshes = skinner.skin(pose);
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        SkinnedMesh scratch;
        const PositionSkinner parts(scene, skinner.instances()[i], pose, skinner.palette(), scratch);
        const auto& expected = meshes[i].positions;
        std::vector<glm::vec3> positions(expected.size());
        const std::size_t split = positions.size() / 3;
        parts.skin(split, std::span(positions).subspan(split));
        parts.skin(0, std::span(positions).first(split));
        EXPECT_EQ(positions, expected) << "instance " << i;
    }
}

TEST(PositionSkinner, EqualsTheWholeInstanceInRandomScenes)
{
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        const test::RandomSceneOptions options{.own_positions = seed % 4 == 0,
                                               .skinning =
                                                   static_cast<SkinningMethod>(seed % 4 == 0 ? 0 : seed % 3)};
        const Scene scene = test::random_scene(seed, options);
        Pose pose;
        static_pose(scene, pose);
        expect_parts_to_equal(scene, pose);
        sample_pose(scene, 0, 0.4, pose);
        expect_parts_to_equal(scene, pose);
    }
}

} // namespace
} // namespace vitrine::scene
