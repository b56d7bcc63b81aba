#include <gmock/gmock.h>

#include "tests/support/crossing_outline.hpp"
#include "tests/support/work_count.hpp"
#include "tests/unit/obj/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;
using testing::ElementsAre;

TEST(ObjElements, EverySpellingOfACorner)
{
    const std::string attributes = square + "vt 0 0\nvt 1 0\nvt 1 1\nvn 0 0 1\n";
    for (const char* face :
         {"f 1 2 3", "f 1/1 2/2 3/3", "f 1//1 2//1 3//1", "f 1/1/1 2/2/1 3/3/1", "f 1/ 2/ 3/",
          "f 1// 2// 3//", "f 1/1/ 2/2/ 3/3/", "f -4 -3 -2", "f -4/-3/-1 -3/-2/-1 -2/-1/-1", "  f\t1  2\t3  ",
          "f 1 2 3 # and words", "f +1 2 3", "fo 1 2 3"}) {
        const auto scene = load_text(attributes + face + "\n");
        ASSERT_EQ(scene.meshes.size(), 1u) << face;
        EXPECT_THAT(triangles(scene.meshes[0]),
                    ElementsAre(glm::vec3(0, 0, 0), glm::vec3(1, 0, 0), glm::vec3(1, 1, 0)))
            << face;
        EXPECT_EQ(scene.meshes[0].normals[0], glm::vec3(0, 0, 1)) << face;
        EXPECT_EQ(codes(scene), "") << face;
    }
    const auto textured = load_text(attributes + "f 1/1 2/2 3/3");
    EXPECT_THAT(textured.meshes[0].uv0, ElementsAre(glm::vec2(0, 1), glm::vec2(1, 1), glm::vec2(1, 0)));
}

TEST(ObjElements, NegativeIndicesAreRelativeToTheirLine)
{
    const auto scene =
        load_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf -3 -2 -1\n");
    EXPECT_EQ(triangles(scene.meshes[0])[3], glm::vec3(5, 0, 0));
    EXPECT_EQ(scene.source_vertices, 6u);
    EXPECT_EQ(scene.source_polygons, 2u);
}

TEST(ObjElements, FacesMayComeBeforeTheirVertices)
{
    const auto scene =
        load_text("# -2 is the only one before\nv 9 9 9\nf 2 3 4\nf -1 2 3\n" + square + "f -4 -3 -2\n");
    const auto corners = triangles(scene.meshes[0]);
    EXPECT_THAT(corners, ElementsAre(glm::vec3(0, 0, 0), glm::vec3(1, 0, 0), glm::vec3(1, 1, 0),
                                     glm::vec3(9, 9, 9), glm::vec3(0, 0, 0), glm::vec3(1, 0, 0),
                                     glm::vec3(0, 0, 0), glm::vec3(1, 0, 0), glm::vec3(1, 1, 0)));
    EXPECT_EQ(scene.source_polygons, 3u);
    EXPECT_EQ(scene.source_vertices, 5u);
    EXPECT_EQ(codes(scene), "");
}

TEST(ObjElements, OutOfRangeIndexDropsOnlyItsFace)
{
    for (const char* bad :
         {"f 0 1 2", "f 1 2 5", "f 1 2 -5", "f 1 2 99999999999999999999", "f 1 x 3", "f 1 2"}) {
        const auto scene = load_text(square + bad + "\nf 1 2 3\n");
        EXPECT_EQ(scene.meshes.at(0).indices.size(), 3u) << bad;
        EXPECT_EQ(scene.source_polygons, 2u) << bad;
        EXPECT_EQ(scene.warnings.size(), 1u) << bad << ": " << codes(scene);
        EXPECT_EQ(scene.warnings[0].where, "line 5") << bad;
    }
    const auto rest = load_text(square + "f 1 2 3 0 /4 4\n");
    EXPECT_EQ(rest.meshes[0].indices.size(), 6u);
    const auto no_uv = load_text(square + "vt 0 0\nf 1/1 2/0 3/9\n");
    EXPECT_EQ(no_uv.meshes[0].indices.size(), 3u);
    EXPECT_EQ(codes(no_uv), "obj_index_out_of_range obj_index_out_of_range");
}

TEST(ObjElements, UnusableArchiveIsRejected)
{
    EXPECT_EQ(try_obj("").error().code, LoadErrc::empty);
    EXPECT_EQ(try_obj("\x4c\x01\x02 an object file of a compiler").error().code, LoadErrc::empty);
    EXPECT_EQ(try_obj("# comments\n\n# alone\n").error().code, LoadErrc::empty);
    EXPECT_EQ(try_obj("mtllib a.mtl\nf 1 2 3\n").error().code, LoadErrc::out_of_range);
    const auto rejected = try_obj(square + "f 5 6 7\n");
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code, LoadErrc::out_of_range);
    EXPECT_EQ(rejected.error().where, "line 5");
}

TEST(ObjElements, EmptySceneWithMaterialsLoads)
{
    const auto scene = load_text("# exported\nmtllib model.mtl\no Nothing\nusemtl Red\n");
    EXPECT_TRUE(scene.meshes.empty());
    EXPECT_EQ(scene.source_vertices, 0u);
    ASSERT_EQ(scene.materials.size(), 1u);
    EXPECT_EQ(scene.materials[0].name, "Red");
}

TEST(ObjElements, ConcavePolygons)
{
    // An arrowhead: the diagonal from corner 0 is outside.
    const auto quad = load_text("v 0 0 0\nv 2 2 0\nv 0 1 0\nv -2 2 0\nf 1 2 3 4\n");
    EXPECT_EQ(quad.meshes[0].indices.size(), 6u);
    const auto turned = load_text("v 0 0 0\nv 2 2 0\nv 0 1 0\nv -2 2 0\nf 2 3 4 1\n");
    for (const auto& scene : {quad, turned}) {
        double area = 0.0;
        const auto corners = triangles(scene.meshes[0]);
        for (std::size_t i = 0; i < corners.size(); i += 3) {
            const auto n = glm::cross(corners[i + 1] - corners[i], corners[i + 2] - corners[i]);
            EXPECT_GT(n.z, 0.0f);
            area += n.z / 2;
        }
        EXPECT_NEAR(area, 2.0, 1e-6);
    }
    const auto ell = load_text("v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\nf 1 2 3 4 5 6\n");
    EXPECT_EQ(ell.meshes[0].indices.size(), 12u);
    EXPECT_EQ(ell.meshes[0].positions.size(), 6u);
}

TEST(ObjElements, LinesAndPoints)
{
    const auto scene = load_text(square + "vt 0 0\nl 1/1 2 3\np 4 1\nf 1 2 3\n");
    const auto& mesh = scene.meshes.at(0);
    ASSERT_EQ(mesh.primitives.size(), 3u);
    EXPECT_EQ(mesh.primitives[0].topology, scene::Topology::lines);
    EXPECT_EQ(mesh.primitives[0].count, 4u);
    EXPECT_EQ(mesh.primitives[1].topology, scene::Topology::points);
    EXPECT_EQ(mesh.primitives[1].count, 2u);
    EXPECT_EQ(scene.source_polygons, 1u);
}

TEST(ObjElements, FileOfPositionsIsAPointCloud)
{
    const auto scene = load_text(square);
    EXPECT_EQ(scene.meshes.at(0).primitives.at(0).topology, scene::Topology::points);
    EXPECT_EQ(scene.meshes[0].positions.size(), 4u);
}

TEST(ObjElements, ObjectsBecomeMeshesAndMaterialsPrimitives)
{
    const auto scene = load_text(
        square + "usemtl red\nf 1 2 3\no  first one \nf 1 2 4\nusemtl blue\nf 2 3 4\nusemtl red\nf 1 3 4\n"
                 "o empty\no last\ng a b c\nf 1 2 3\n");
    ASSERT_EQ(scene.meshes.size(), 3u);
    EXPECT_EQ(scene.meshes[0].name, "part");
    EXPECT_EQ(scene.nodes[1].name, "first one");
    EXPECT_EQ(scene.meshes[2].name, "last");
    const auto& mesh = scene.meshes[1];
    ASSERT_EQ(mesh.primitives.size(), 2u);
    EXPECT_EQ(mesh.primitives[0].count, 6u);
    EXPECT_EQ(scene.materials.at(mesh.primitives[1].material).name, "blue");
    EXPECT_EQ(triangles(mesh)[5], glm::vec3(0, 1, 0));
    EXPECT_EQ(scene.materials.at(scene.meshes[2].primitives[0].material).name, "red");
}

TEST(ObjElements, GroupsNameAMeshWithoutAnObject)
{
    const auto one =
        load_text("g default\n" + square + "g left arm\nf 1 2 3\ng left arm\nf 1 3 4\ng default\n");
    ASSERT_EQ(one.meshes.size(), 1u);
    EXPECT_EQ(one.meshes[0].name, "left arm");
    EXPECT_EQ(one.nodes[0].name, "left arm");
    EXPECT_EQ(codes(one), "");
    EXPECT_EQ(load_text(square + "g\nf 1 2 3\n").meshes.at(0).name, "part");
}

TEST(ObjElements, GroupsThatLoseTheirNamesAreReported)
{
    const auto several = load_text(square + "g a b\nf 1 2 3\ng c\nf 1 3 4\ng d\nf 1 2 4\n");
    ASSERT_EQ(several.meshes.size(), 1u);
    EXPECT_EQ(several.meshes[0].name, "a b");
    EXPECT_EQ(codes(several), "obj_groups_joined");
    EXPECT_EQ(several.warnings[0].where, "line 7");
    const auto within = load_text(square + "o box\ng a\nf 1 2 3\n");
    EXPECT_EQ(within.meshes.at(0).name, "box");
    EXPECT_EQ(codes(within), "") << "most programs write both";
}

TEST(ObjElements, SharedPositionsOfManyUvsStayLinear)
{
    // All corners use three positions with different texture coordinates: chains would be quadratic.
    test::expect_nearly_linear("texture coordinates of three positions", 1'000, [](int count) {
        std::string text = square;
        for (int i = 0; i < count; ++i)
            text += "vt 0." + std::to_string(i) + " 0\n";
        for (int i = 1; i + 2 <= count; ++i) {
            text += "f 1/" + std::to_string(i) + "/ 2/" + std::to_string(i + 1) + " 3/" +
                    std::to_string(i + 2) + "\ns 1\n";
        }
        const auto scene = load_text(text);
        EXPECT_EQ(scene.source_polygons, static_cast<std::uint64_t>(count) - 2u);
    });
}

TEST(ObjElements, KeepsToItsLimits)
{
    Limits limits;
    limits.vertices = 3;
    EXPECT_EQ(try_obj(square, {}, limits).error().code, LoadErrc::limit_exceeded);
    limits = {};
    limits.indices = 5;
    EXPECT_EQ(try_obj(square + "f 1 2 3 4\n", {}, limits).error().where, "line 5");
    limits = {};
    limits.materials = 1;
    EXPECT_FALSE(try_obj(square + "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n", {}, limits));
    limits = {};
    limits.meshes = 1;
    EXPECT_FALSE(try_obj(square + "f 1 2 3\no b\nf 1 2 3\n", {}, limits));
    limits = {};
    limits.file_bytes = 20;
    EXPECT_FALSE(try_obj(square, {}, limits));
    limits = {};
    limits.total_bytes = 20;
    EXPECT_EQ(try_obj(square, {}, limits).error().detail,
              "the bytes of all files: more than the limit total_bytes = 20");
}

TEST(ObjElements, FacesOfFewerThanThreeCornersAreReported)
{
    for (const char* face : {"f 1 2\n", "f 1\n", "f\n"}) {
        const auto scene = load_text(square + face + "f 1 2 3\n");
        EXPECT_EQ(scene.meshes.at(0).indices.size(), 3u) << face;
        EXPECT_EQ(codes(scene), "obj_short_face") << face;
        EXPECT_EQ(scene.warnings.at(0).where, "line 5") << face;
    }
}

TEST(ObjElements, FacesThatCrossThemselvesOftenAreReported)
{
    std::string points, face = "f";
    int corner = 0;
    for (const glm::vec3& at : crossing_outline()) {
        points += "v " + std::to_string(at.x) + " " + std::to_string(at.y) + " 0\n";
        face += " " + std::to_string(++corner);
    }
    const auto scene = load_text(points + face + "\n");
    EXPECT_EQ(codes(scene), "obj_crossing_face");
    EXPECT_EQ(scene.meshes.at(0).indices.size(), 3 * (crossing_corners - 2));
}
