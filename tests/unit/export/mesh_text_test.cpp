// Baked meshes as OBJ and PLY, read back by a minimal reader.

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "loaders/export/obj/baked_mesh.hpp"
#include "loaders/export/obj/mesh_obj.hpp"
#include "loaders/export/obj/mesh_ply.hpp"
#include "loaders/scene/bounds/bounds.hpp"
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

} // namespace

TEST(MeshObj, ReadsBackExactly)
{
    const auto mesh = bake(test::textured_cube());
    const auto obj = read_obj(write_mesh_obj(mesh));
    EXPECT_EQ(obj.v, mesh.positions);
    EXPECT_EQ(obj.vn, mesh.normals);
    ASSERT_EQ(obj.vt.size(), mesh.uvs.size());
    EXPECT_NEAR(obj.vt[1].y, 1.0f - mesh.uvs[1].y, 1e-7);
    ASSERT_EQ(obj.faces.size(), 12u);
    std::string expected;
    for (std::size_t corner = 0; corner < 3; ++corner) {
        const auto number = std::to_string(mesh.triangles[corner] + 1);
        for (const char* before : {" ", "/", "/"})
            expected.append(before).append(number);
    }
    EXPECT_EQ(obj.faces[0], expected);
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
