// Baked meshes as OBJ and PLY, read back by a minimal reader.

#include <cstdio>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "loaders/export/obj/baked_mesh.hpp"
#include "loaders/export/obj/distinct_values.hpp"
#include "loaders/export/obj/mesh_files.hpp"
#include "loaders/obj/obj.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/export/baked_pose.hpp"

using namespace vitrine;
using test::at;
using test::bake;

namespace {

struct ReadObj {
    std::vector<glm::vec3> v, vn;
    std::vector<glm::vec2> vt;
    std::vector<std::string> objects, faces, lines, points;
};

ReadObj read_obj(const std::string& text)
{
    ReadObj obj;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string key, rest;
        words >> key;
        glm::vec3 n(0.0f);
        if (key == "v" || key == "vn") words >> n.x >> n.y >> n.z;
        if (key == "vt") words >> n.x >> n.y;
        std::getline(words, rest);
        if (key == "v") obj.v.push_back(n);
        if (key == "vn") obj.vn.push_back(n);
        if (key == "vt") obj.vt.emplace_back(n);
        if (key == "o") obj.objects.push_back(rest.substr(1));
        if (key == "f") obj.faces.push_back(rest);
        if (key == "l") obj.lines.push_back(rest);
        if (key == "p") obj.points.push_back(rest);
    }
    return obj;
}

// Without normals.
scene::Mesh octahedron()
{
    scene::Mesh mesh;
    mesh.name = "octahedron";
    mesh.positions =
        std::vector<glm::vec3>{{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    mesh.uv0 = std::vector<glm::vec2>{{0, 0}, {0.25f, 0}, {0.5f, 0}, {0.75f, 0}, {0.5f, 1}, {0.5f, 0.5f}};
    mesh.indices =
        std::vector<std::uint32_t>{0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4, 1, 0, 5, 2, 1, 5, 3, 2, 5, 0, 3, 5};
    mesh.primitives = {{.first = 0, .count = 12}, {.first = 12, .count = 12}};
    return mesh;
}

scene::Scene flat_and_smooth()
{
    auto scene = test::textured_cube();
    scene.meshes.push_back(octahedron());
    const auto cube = scene.nodes[0];
    scene.nodes.assign(3, cube);
    for (std::size_t i = 0; i < 3; ++i) {
        scene.nodes[i].mesh = i == 1 ? 0 : 1;
        scene.nodes[i].local.translation = {4.0f * static_cast<float>(i), 0.0f, 0.0f};
    }
    scene.nodes[2].local.scale = {-1.0f, 2.0f, 1.0f};
    return scene;
}

struct Corner {
    glm::vec3 position, normal;
    glm::vec2 uv;
};

std::vector<Corner> corners_of(const BakedMesh& mesh)
{
    std::vector<Corner> corners;
    for (const auto vertex : mesh.triangles)
        corners.push_back({mesh.positions[vertex], mesh.normals[vertex], mesh.uvs[vertex]});
    return corners;
}

} // namespace

TEST(MeshObj, ReadsBackExactly)
{
    const auto mesh = bake(test::textured_cube());
    const auto obj = read_obj(write_mesh_obj(mesh));
    EXPECT_EQ(obj.v.size(), 8u);
    EXPECT_EQ(obj.vt.size(), 4u);
    EXPECT_EQ(obj.vn.size(), 6u);
    ASSERT_EQ(obj.faces.size(), 12u);
    for (std::size_t corner = 0; corner < mesh.triangles.size(); ++corner) {
        std::istringstream words(obj.faces[corner / 3]);
        std::string word;
        for (std::size_t i = 0; i <= corner % 3; ++i)
            words >> word;
        std::size_t v = 0, vt = 0, vn = 0;
        ASSERT_EQ(std::sscanf(word.c_str(), "%zu/%zu/%zu", &v, &vt, &vn), 3) << word;
        const auto vertex = mesh.triangles[corner];
        EXPECT_EQ(obj.v.at(v - 1), mesh.positions[vertex]);
        EXPECT_EQ(obj.vn.at(vn - 1), mesh.normals[vertex]);
        EXPECT_NEAR(obj.vt.at(vt - 1).x, mesh.uvs[vertex].x, 1e-7);
        EXPECT_NEAR(obj.vt.at(vt - 1).y, 1.0f - mesh.uvs[vertex].y, 1e-7);
    }
}

// A smooth cube between two flat octahedra, the second of which mirrors.
TEST(MeshObj, SharesEqualValues)
{
    const auto mesh = bake(flat_and_smooth());
    EXPECT_EQ(mesh.positions.size(), 24u + 24u + 24u) << "vertices of corners";
    const auto text = write_mesh_obj(mesh);
    const auto obj = read_obj(text);
    EXPECT_EQ(obj.v.size(), 6u + 8u + 6u);
    EXPECT_EQ(obj.vn.size(), 8u + 6u + 8u) << "one per face";
    EXPECT_EQ(obj.faces.size(), 8u + 12u + 8u);

    test::MemorySource source("baked.obj", {{"baked.obj", text}});
    const auto loaded = load_obj(source, {});
    ASSERT_TRUE(loaded) << loaded.error().detail;
    const auto again = corners_of(bake(*loaded)), before = corners_of(mesh);
    ASSERT_EQ(again.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(again[i].position, before[i].position) << i;
        EXPECT_LT(test::difference(again[i].normal, before[i].normal), 1e-6) << i;
        EXPECT_LT(glm::distance(again[i].uv, before[i].uv), 1e-6f) << i;
    }
}

TEST(MeshObj, KeepsDifferentColorsApart)
{
    BakedMesh mesh;
    mesh.positions.assign(4, glm::vec3(1.0f));
    mesh.normals.assign(4, {0, 1, 0});
    mesh.colors = {{1, 0, 0, 1}, {0, 1, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 0.5f}};
    mesh.points = {0, 1, 2, 3};
    mesh.parts = {{"points", 0, 0, 4}};
    const auto obj = read_obj(write_mesh_obj(mesh));
    EXPECT_EQ(obj.v.size(), 3u);
    EXPECT_EQ(obj.points, (std::vector<std::string>{" 1", " 2", " 1", " 3"}));
}

TEST(DistinctValues, AreFoundInOrderOfFirstOccurrence)
{
    const std::vector<glm::vec2> values{{1, 2}, {0, 0}, {1, 2}, {2, 1}, {0, 0}, {-0.0f, 0}};
    const auto found = find_distinct(std::span(values));
    EXPECT_EQ(found.numbers, (std::vector<std::uint32_t>{0, 1, 0, 2, 1, 3}));
    EXPECT_EQ(found.count, 4u);
    EXPECT_EQ(find_distinct(std::span<const glm::vec2>()).count, 0u);
    std::vector<std::uint32_t> many(100'000);
    for (std::uint32_t i = 0; i < many.size(); ++i)
        many[i] = i * i % 50'021;
    const auto distinct = find_distinct(std::span<const std::uint32_t>(many));
    EXPECT_EQ(distinct.count, std::set<std::uint32_t>(many.begin(), many.end()).size());
    std::map<std::uint32_t, std::uint32_t> number_of;
    for (std::size_t i = 0; i < many.size(); ++i)
        EXPECT_EQ(number_of.emplace(many[i], distinct.numbers[i]).first->second, distinct.numbers[i]);
}

TEST(MeshObj, WritesObjectsLinesAndPoints)
{
    BakedMesh mesh;
    mesh.positions = {{0, 0, 0}, {1e-7f, 0.1f, 1e30f}, {-1, 2, 3}};
    mesh.normals.assign(3, {0, 1, 0});
    mesh.lines = {0, 1};
    mesh.points = {2};
    mesh.parts = {{"two\nlines", 0, 2, 0}, {"", 0, 0, 1}};
    const auto obj = read_obj(write_mesh_obj(mesh));
    EXPECT_EQ(obj.v, mesh.positions);
    EXPECT_EQ(obj.objects, (std::vector<std::string>{"two_lines", "mesh"}));
    EXPECT_EQ(obj.lines, std::vector<std::string>{" 1 2"});
    EXPECT_EQ(obj.points, std::vector<std::string>{" 3"});
}

TEST(MeshPly, HasTheLayoutOfItsHeader)
{
    const auto mesh = bake(test::textured_cube());
    const auto ply = write_mesh_ply(mesh);
    const auto body = ply.find("end_header\n") + 11;
    EXPECT_TRUE(ply.starts_with("ply\nformat binary_little_endian 1.0\n"));
    EXPECT_NE(ply.find("element vertex 24\n"), std::string::npos);
    EXPECT_NE(ply.find("element face 12\n"), std::string::npos);
    EXPECT_EQ(ply.size(), body + 24 * 8 * sizeof(float) + 12 * 13);
    EXPECT_EQ(at<glm::vec3>(ply, body + 32), mesh.positions[1]);
    EXPECT_EQ(at<glm::vec3>(ply, body + 32 + 12), mesh.normals[1]);
    const auto faces = body + 24 * 32;
    EXPECT_EQ(ply[faces], 3);
    EXPECT_EQ(at<std::uint32_t>(ply, faces + 1), mesh.triangles[0]);
    EXPECT_EQ(at<std::uint32_t>(ply, faces + 13 + 9), mesh.triangles[5]);
}

TEST(MeshPly, WritesEdges)
{
    BakedMesh mesh;
    mesh.positions.assign(2, glm::vec3(0.0f));
    mesh.normals.assign(2, glm::vec3(0.0f));
    mesh.lines = {0, 1};
    const auto ply = write_mesh_ply(mesh);
    EXPECT_NE(ply.find("element edge 1\n"), std::string::npos);
    EXPECT_EQ(at<std::int32_t>(ply, ply.size() - 4), 1);
}
