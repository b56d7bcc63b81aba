#include "loaders/scene/flat_meshes.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/preview/decimate.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/compare.hpp"

namespace vitrine::scene {
namespace {

// Two faces of a box that share an edge, in two primitives, and an unused vertex.
Scene folded()
{
    Scene scene;
    auto& mesh = scene.meshes.emplace_back();
    mesh.positions = {{9, 9, 9}, {0, 0, 0}, {2, 0, 0}, {2, 0, 2}, {0, 2, 0}};
    mesh.uv0 = {{9, 9}, {0, 0}, {1, 0}, {1, 1}, {0, 1}};
    mesh.more_uvs = {{}, {{9, 9}, {2, 0}, {3, 0}, {4, 0}, {5, 0}}};
    mesh.colors = {{9, 9, 9, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}, {1, 1, 1, 1}};
    mesh.indices = {1, 2, 4, 1, 3, 2};
    mesh.primitives = {{.first = 3, .count = 3}, {.first = 0, .count = 3}};
    scene.nodes.emplace_back().mesh = 0;
    return scene;
}

TEST(FlatMeshes, EachTriangleGetsVerticesWithItsNormal)
{
    Scene scene = folded();
    EXPECT_TRUE(is_flat(scene.meshes[0]));
    EXPECT_EQ(shaded_vertices(scene.meshes[0]), 6u);
    expand_flat_meshes(scene);
    const Mesh& mesh = scene.meshes[0];
    EXPECT_EQ(mesh.positions,
              (Array<glm::vec3>{{0, 0, 0}, {2, 0, 2}, {2, 0, 0}, {0, 0, 0}, {2, 0, 0}, {0, 2, 0}}));
    EXPECT_EQ(mesh.normals,
              (Array<glm::vec3>{{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}));
    EXPECT_EQ(mesh.uv0, (Array<glm::vec2>{{0, 0}, {1, 1}, {1, 0}, {0, 0}, {1, 0}, {0, 1}}));
    EXPECT_TRUE(mesh.more_uvs.at(0).empty());
    EXPECT_EQ(mesh.more_uvs.at(1), (Array<glm::vec2>{{2, 0}, {4, 0}, {3, 0}, {2, 0}, {3, 0}, {5, 0}}));
    EXPECT_EQ(mesh.colors[5], glm::vec4(1, 1, 1, 1));
    EXPECT_EQ(mesh.indices, (Array<std::uint32_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(mesh.primitives[0].first, 0u);
    EXPECT_EQ(mesh.primitives[1].first, 3u);
    EXPECT_FALSE(is_flat(mesh));
    EXPECT_EQ(shaded_vertices(mesh), 6u);
    EXPECT_TRUE(validate(scene).has_value());
}

TEST(FlatMeshes, TriangleWithoutAreaPointsUp)
{
    Scene scene = folded();
    scene.meshes[0].indices = {1, 1, 2, 3, 4, 2};
    expand_flat_meshes(scene);
    EXPECT_EQ(scene.meshes[0].normals[3], glm::vec3(0, 1, 0));
}

TEST(FlatMeshes, OthersStayAsTheyAre)
{
    Scene scene = folded();
    scene.meshes[0].normals.assign(5, glm::vec3(0, 0, 1));
    expand_flat_meshes(scene);
    EXPECT_EQ(scene.meshes[0].positions.size(), 5u);
    EXPECT_EQ(shaded_vertices(scene.meshes[0]), 5u);
    EXPECT_FALSE(is_flat(Mesh{}));
}

TEST(FlatMeshes, HaveNormalsInACopy)
{
    const Scene flat = folded();
    Scene shaded = folded();
    expand_flat_meshes(shaded);
    const auto copy = with_normals(flat);
    ASSERT_TRUE(copy);
    EXPECT_TRUE(test::same(*copy, shaded));
    EXPECT_TRUE(is_flat(flat.meshes[0]));
    EXPECT_FALSE(with_normals(shaded));
}

// A flat mesh is skinned without normals, its expansion with those of the turned triangles.
TEST(FlatMeshes, AreSkinned)
{
    Scene flat = folded();
    flat.nodes[0].local.rotation = glm::angleAxis(1.57079633f, glm::vec3(1, 0, 0)); // Y to Z, Z to -Y
    Pose pose;
    static_pose(flat, pose);
    Skinner skinner(flat);
    const auto turned = skinner.skin(pose)[0];
    EXPECT_TRUE(turned.normals.empty());
    ASSERT_EQ(turned.positions.size(), 5u);
    EXPECT_LT(test::difference(turned.positions[4], {0, 0, 2}), 1e-6);
    SkinnedMesh shaded;
    skin_instance(flat, expanded(flat.meshes[0]), skinner.instances()[0], pose, skinner.palette(), shaded);
    ASSERT_EQ(shaded.normals.size(), 6u);
    EXPECT_LT(test::difference(shaded.positions[5], {0, 0, 2}), 1e-6);
    EXPECT_LT(test::difference(shaded.normals[0], {0, 0, 1}), 1e-6);
    EXPECT_LT(test::difference(shaded.normals[3], {0, -1, 0}), 1e-6);
}

// Decimated scenes have points beside the triangles, which flat meshes may not have.
TEST(FlatMeshes, AreDecimatedToValidScenes)
{
    Scene flat = folded();
    const Scene reduced = decimated(flat, 1);
    EXPECT_TRUE(validate(reduced).has_value());
    EXPECT_EQ(reduced.meshes[0].primitives.size(), 3u);
}

std::string error_of(const Scene& scene, FlatMeshes flat)
{
    const auto valid = validate(scene, flat);
    return valid ? "none" : valid.error().where;
}

TEST(FlatMeshes, AreValidOnlyWhereAllowed)
{
    EXPECT_EQ(error_of(folded(), FlatMeshes::allowed), "none");
    EXPECT_EQ(error_of(folded(), FlatMeshes::forbidden), "/meshes/0/normals");
    Scene broken = folded();
    broken.meshes[0].indices[2] = 5;
    EXPECT_EQ(error_of(broken, FlatMeshes::allowed), "/meshes/0/indices");
}

// Expansion copies positions, texture coordinates and colors only.
TEST(FlatMeshes, AreInvalidWithWhatExpansionDoesNotCopy)
{
    const auto changed = [](auto change) {
        Scene scene = folded();
        change(scene.meshes[0]);
        return error_of(scene, FlatMeshes::allowed);
    };
    EXPECT_EQ(changed([](Mesh& m) { m.tangents.assign(5, glm::vec4(1, 0, 0, 1)); }), "/meshes/0/normals");
    EXPECT_EQ(changed([](Mesh& m) { m.influences.first.assign(6, 0); }), "/meshes/0/normals");
    EXPECT_EQ(changed([](Mesh& m) { m.influences.dual_quaternion_weights.assign(5, 0.5f); }),
              "/meshes/0/normals");
    EXPECT_EQ(changed([](Mesh& m) { m.morph_targets.emplace_back(), m.morph_weights.push_back(0); }),
              "/meshes/0/normals");
    EXPECT_EQ(
        changed([](Mesh& m) { m.frames.count = 1, m.frames.positions = m.frames.normals = m.positions; }),
        "/meshes/0/normals");
    EXPECT_EQ(changed([](Mesh& m) { m.primitives[0].topology = Topology::points; }), "/meshes/0/normals");
}

} // namespace
} // namespace vitrine::scene
