// Baked meshes.

#include <algorithm>
#include <array>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "loaders/export/obj/baked_mesh.hpp"
#include "loaders/export/obj/mesh_files.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/geometry/rendering_origin.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/export/baked_pose.hpp"

using namespace vitrine;
using test::at;
using test::bake;
using test::difference;

namespace {

scene::Aabb box_of(const std::vector<glm::vec3>& points)
{
    scene::Aabb box;
    for (const auto& point : points)
        box.add(point);
    return box;
}

// Six times the signed volume; positive for counter-clockwise front faces.
double volume(const BakedMesh& mesh)
{
    double sum = 0;
    for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3)
        sum += glm::dot(glm::dvec3(mesh.positions[mesh.triangles[i]]),
                        glm::cross(glm::dvec3(mesh.positions[mesh.triangles[i + 1]]),
                                   glm::dvec3(mesh.positions[mesh.triangles[i + 2]])));
    return sum;
}

} // namespace

TEST(BakedMesh, IsTheSkinnedPose)
{
    const auto bar = test::skinned_bar();
    const auto mesh = bake(bar, 1.0);
    scene::Pose pose;
    scene::sample_pose(bar, 0, 1.0, pose);
    const auto exact = scene::pose_bounds(bar, pose);
    EXPECT_LT(difference(box_of(mesh.positions).min, exact.min), 1e-6);
    EXPECT_LT(difference(box_of(mesh.positions).max, exact.max), 1e-6);
    EXPECT_EQ(mesh.normals.size(), mesh.positions.size());
    EXPECT_TRUE(mesh.uvs.empty());
    ASSERT_EQ(mesh.parts.size(), 1u);
    EXPECT_EQ(mesh.parts[0].name, "bar");
    EXPECT_GT(volume(mesh), 0.0);
}

TEST(BakedMesh, FollowsMorphsAndVertexFrames)
{
    const auto quad = bake(test::morphing_quad(), 1.0);
    EXPECT_NEAR(box_of(quad.positions).max.y, 1.5, 1e-6);
    EXPECT_NEAR(box_of(quad.positions).max.z, 1.0, 1e-6);
    const auto triangle = bake(test::vertex_frame_triangle(), 0.15);
    EXPECT_NEAR(box_of(triangle.positions).min.x, 1.5, 1e-5);
}

// Each corner has its triangle's normal, as when vertices were expanded before.
TEST(BakedMesh, ExpandsFlatMeshes)
{
    auto cube = test::textured_cube();
    for (auto& mesh : cube.meshes) {
        mesh.normals.clear();
        mesh.tangents.clear();
    }
    cube.nodes[0].local.scale = {-1.0f, 2.0f, 1.0f};
    const auto flat = bake(cube), expanded = bake(*scene::with_normals(cube));
    EXPECT_EQ(flat.positions, expanded.positions);
    EXPECT_EQ(flat.normals, expanded.normals);
    EXPECT_EQ(flat.uvs, expanded.uvs);
    EXPECT_EQ(flat.triangles, expanded.triangles);
    EXPECT_EQ(flat.positions.size(), flat.triangles.size());
    for (std::size_t i = 0; i + 2 < flat.triangles.size(); i += 3) {
        const auto* t = &flat.triangles[i];
        const auto& p = flat.positions;
        const auto normal = glm::normalize(glm::cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]));
        for (const auto vertex : std::span(t, 3))
            EXPECT_LT(difference(flat.normals[vertex], normal), 1e-5);
    }
}

TEST(BakedMesh, LeavesOutUnusedVertices)
{
    auto cube = test::textured_cube();
    auto& mesh = cube.meshes[0];
    const auto vertices = mesh.positions.size();
    mesh.positions.emplace_back(100.0f);
    mesh.normals.emplace_back(0.0f, 1.0f, 0.0f);
    mesh.uv0.emplace_back(0.0f);
    if (!mesh.tangents.empty()) mesh.tangents.emplace_back(1.0f);
    EXPECT_EQ(bake(cube).positions.size(), vertices);
}

TEST(BakedMesh, HiddenSceneHasNothingToBake)
{
    scene::Pose pose;
    scene::static_pose({}, pose);
    EXPECT_EQ(bake_mesh({}, pose, BakeSpace::scene).error().code, LoadErrc::empty);
}

TEST(BakedMesh, FileSpaceUndoesAxesAndUnit)
{
    const auto original = bake(test::skinned_bar(), 0.5);
    scene::FileSpace space;
    space.axes = glm::mat3(1, 0, 0, 0, 0, -1, 0, 1, 0); // Z up
    space.unit_meters = 0.0254;
    auto inches = test::skinned_bar();
    scene::convert_to_scene_space(inches, space);
    const auto back = bake(inches, 0.5, BakeSpace::file);
    ASSERT_EQ(back.positions.size(), original.positions.size());
    for (std::size_t i = 0; i < back.positions.size(); ++i) {
        EXPECT_LT(difference(back.positions[i], original.positions[i]), 1e-5);
        EXPECT_LT(difference(back.normals[i], original.normals[i]), 1e-5);
    }
}

TEST(BakedMesh, MirroringFileSpaceKeepsFrontsInFront)
{
    auto mirrored = test::textured_cube();
    scene::FileSpace space;
    space.axes = glm::mat3(-1, 0, 0, 0, 1, 0, 0, 0, 1);
    scene::convert_to_scene_space(mirrored, space);
    EXPECT_GT(volume(bake(mirrored, BakeSpace::scene)), 0.0);
    EXPECT_GT(volume(bake(mirrored, BakeSpace::file)), 0.0);
}

TEST(BakedMesh, MirroredNodesAndJointsKeepFrontsInFront)
{
    scene::Scene cube = test::textured_cube();
    const double whole = volume(bake(cube));
    ASSERT_GT(whole, 0.0);
    const auto drawn = std::ranges::find_if(cube.nodes, [](const auto& n) { return n.mesh != scene::none; });
    drawn->local.scale.x *= -1.0f;
    EXPECT_NEAR(volume(bake(cube)), whole, 1e-4 * whole);
    cube.file_space.axes = glm::mat3(glm::vec3(1, 0, 0), glm::vec3(0, 0, 1), glm::vec3(0, 1, 0)); // mirrors
    EXPECT_NEAR(volume(bake(cube, BakeSpace::file)), whole, 1e-4 * whole) << "two mirrors cancel";
    scene::Scene bar = test::skinned_bar();
    const double of_bar = volume(bake(bar));
    for (const auto joint : bar.skins[0].joints)
        if (bar.nodes[joint].parent == scene::none ||
            bar.nodes[bar.nodes[joint].parent].parent == scene::none)
            bar.nodes[joint].local.scale.x *= -1.0f;
    EXPECT_EQ(volume(bake(bar)) > 0.0, of_bar > 0.0);
}

TEST(BakedMesh, RejectsMoreThanItCanHold)
{
    auto cube = test::textured_cube();
    cube.meshes[0].positions.resize(baked_vertices_limit / 100);
    const auto node = *std::ranges::find_if(cube.nodes, [](const auto& n) { return n.mesh != scene::none; });
    for (int i = 0; i < 100; ++i)
        cube.nodes.push_back(node);
    scene::Pose pose;
    const auto baked = bake_mesh(cube, pose, BakeSpace::scene);
    ASSERT_FALSE(baked.has_value());
    EXPECT_EQ(baked.error().code, LoadErrc::limit_exceeded);
}

// With its own origin a distant part keeps its shape, which absolute floats would not.
TEST(BakedMesh, FarOutKeepsItsShape)
{
    auto scene = test::textured_cube();
    scene.nodes.at(0).local.translation = {500000.0f, 4649776.0f, 0.0f};
    scene.meshes.at(0).positions.at(0) = {0.123f, 0.377f, 0.001f};
    scene::Pose pose;
    pose.origin = scene::rendering_origin(scene);
    ASSERT_NE(pose.origin, glm::dvec3(0.0));
    scene::static_pose(scene, pose);
    const auto mesh = bake_mesh(scene, pose, BakeSpace::file).value();
    EXPECT_NEAR(mesh.origin.y + double{mesh.positions.at(0).y}, 4649776.377, 1e-6);
    double x = 0, y = 0, z = 0;
    std::istringstream(write_mesh_obj(mesh).substr(sizeof("# Vitrine\nv ") - 1)) >> x >> y >> z;
    EXPECT_NEAR(x, 500000.123, 1e-6);
    EXPECT_NEAR(y, 4649776.377, 1e-6);
    const auto ply = write_mesh_ply(mesh);
    EXPECT_NE(ply.find("property double y\nproperty double z\nproperty float nx\n"), std::string::npos);
    const auto body = ply.find("end_header\n") + 11;
    EXPECT_NEAR(at<double>(ply, body + 8), 4649776.377, 1e-6);
    EXPECT_EQ(at<glm::vec3>(ply, body + 24), mesh.normals.at(0));
}

// Of vertices times those of nodes; linear ones become those of a screen: 0.5 is 188 of 255.
TEST(BakedMesh, HasColors)
{
    auto cube = test::textured_cube();
    EXPECT_TRUE(bake(cube).colors.empty());
    cube.nodes.at(0).color = {0.5f, 0.0f, 2.0f, 0.25f};
    const auto of_node = bake(cube);
    EXPECT_EQ(of_node.colors, std::vector<glm::vec4>(24, {0.5f, 0.0f, 2.0f, 0.25f}));
    const auto ply = write_mesh_ply(of_node);
    EXPECT_NE(ply.find("property float t\nproperty uchar red\nproperty uchar green\n"), std::string::npos);
    const auto body = ply.find("end_header\n") + 11;
    EXPECT_EQ((at<std::array<std::uint8_t, 4>>(ply, body + 32)),
              (std::array<std::uint8_t, 4>{188, 0, 255, 64}));
    EXPECT_EQ(at<glm::vec3>(ply, body + 36), of_node.positions[1]);
    std::istringstream obj(write_mesh_obj(of_node).substr(sizeof("# Vitrine\nv ") - 1));
    std::array<float, 6> v{};
    for (float& value : v)
        obj >> value;
    EXPECT_NEAR(v[3], 0.7353569f, 1e-6);
    EXPECT_EQ(v[4], 0.0f);
    EXPECT_FLOAT_EQ(v[5], 1.0f);
    cube.meshes[0].colors.assign(24, {0.5f, 1.0f, 0.25f, 1.0f});
    EXPECT_EQ(bake(cube).colors.at(5), glm::vec4(0.25f, 0.0f, 0.5f, 0.25f));
}
