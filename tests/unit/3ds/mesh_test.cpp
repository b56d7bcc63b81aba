#include <limits>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/work_count.hpp"
#include "tests/unit/3ds/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::test::threeds;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string error_text(const std::string& bytes, const Limits& limits = {})
{
    return test::error_text(load_3ds_bytes(bytes, {}, limits));
}

// Two perpendicular triangles that share points 1 and 2.
std::string folded(std::uint32_t first_groups, std::uint32_t second_groups)
{
    return file(
        object("fold", points({0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1}) +
                           faces({0, 1, 2, 1, 3, 2}, chunk(0x4150, raw(first_groups, second_groups)))));
}

} // namespace

TEST(ThreedsMesh, LoadsInSceneSpace)
{
    const auto scene =
        load_valid(file(triangle("flat", chunk(0x4140, words({3}) + floats({0, 0, 1, 0, 0, 1})))));
    EXPECT_EQ(scene.format, "3ds");
    EXPECT_EQ(scene.source_vertices, 3u);
    EXPECT_EQ(scene.source_polygons, 1u);
    EXPECT_EQ(codes(scene), "");
    ASSERT_EQ(scene.nodes.size(), 1u);
    EXPECT_EQ(scene.nodes[0].name, "flat");
    const scene::Mesh& mesh = scene.meshes.at(0);
    EXPECT_THAT(mesh.positions, ElementsAre(glm::vec3(0, 0, 0), glm::vec3(1, 0, 0), glm::vec3(0, 0, -1)));
    EXPECT_THAT(mesh.uv0, ElementsAre(glm::vec2(0, 1), glm::vec2(1, 1), glm::vec2(0, 0)));
    EXPECT_EQ(mesh.normals[0], glm::vec3(0, 1, 0)) << "z up becomes y up";
    EXPECT_TRUE(scene.clips.empty());
}

TEST(ThreedsMesh, SmoothingGroupsDecideWhereNormalsMeet)
{
    EXPECT_EQ(load_valid(folded(0, 0)).meshes[0].positions.size(), 6u) << "no group: flat";
    EXPECT_EQ(load_valid(folded(1, 2)).meshes[0].positions.size(), 6u) << "other groups";
    EXPECT_EQ(load_valid(folded(0x80000000u, 0x80000000u)).meshes[0].positions.size(), 4u);
    const auto smooth = load_valid(folded(1, 3)).meshes[0];
    ASSERT_EQ(smooth.positions.size(), 4u) << "one group in common";
    EXPECT_LT(glm::distance(smooth.normals[0], glm::vec3(0, 1, 0)), 1e-6f);
    // At point 1 both faces have right angles: their normals (0, 0, 1) and (-1, 0, 0) in the file have equal
    // weights.
    EXPECT_LT(glm::distance(smooth.normals[1], glm::normalize(glm::vec3(-1, 1, 0))), 1e-5f);
}

// a - b - c around one point: b is smooth with both, a and c are not with each other.
TEST(ThreedsMesh, GroupsNeedNotBeTransitive)
{
    const auto scene = load_valid(
        file(object("fan", points({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) +
                               faces({0, 1, 2, 0, 2, 3, 0, 3, 1}, chunk(0x4150, raw(1u, 3u, 2u))))));
    const scene::Mesh& mesh = scene.meshes[0];
    const auto at_center = [&](std::size_t face) { return mesh.normals[mesh.indices[3 * face]]; };
    // In the file the faces' normals are z, x and y, each with a right angle at the center.
    const auto in_scene = [](float x, float y, float z) { return glm::normalize(glm::vec3(x, z, -y)); };
    EXPECT_LT(glm::distance(at_center(0), in_scene(1, 0, 1)), 1e-6f);
    EXPECT_LT(glm::distance(at_center(1), in_scene(1, 1, 1)), 1e-6f);
    EXPECT_LT(glm::distance(at_center(2), in_scene(1, 1, 0)), 1e-6f);
}

TEST(ThreedsMesh, SeamsOfTheTextureStaySmooth)
{
    const auto scene =
        load_valid(file(object("seam", points({0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1}) +
                                           faces({0, 1, 2, 3, 5, 4}, chunk(0x4150, raw(1u, 1u))))));
    const scene::Mesh& mesh = scene.meshes[0];
    EXPECT_EQ(mesh.normals[mesh.indices[1]], mesh.normals[mesh.indices[3]]);
    EXPECT_NE(mesh.normals[mesh.indices[1]], mesh.normals[mesh.indices[0]]);
}

TEST(ThreedsMesh, FacesGoToTheirMaterials)
{
    const std::string grouped =
        faces({0, 1, 2, 0, 2, 3, 0, 3, 1}, chunk(0x4130, text("red") + words({2, 0, 2})) +
                                               chunk(0x4130, text("blue") + words({2, 1, 99})) +
                                               chunk(0x4130, text("lost") + words({0})));
    const auto scene = load_valid(file(chunk(0xAFFF, chunk(0xA000, text("blue"))) +
                                       chunk(0xAFFF, chunk(0xA000, text("red"))) +
                                       object("o", points({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) + grouped)));
    const auto& primitives = scene.meshes[0].primitives;
    ASSERT_EQ(primitives.size(), 2u);
    EXPECT_EQ(primitives[0].material, 1u) << "in the order of their first faces";
    EXPECT_EQ(primitives[0].count, 6u);
    EXPECT_EQ(primitives[1].material, 0u);
    EXPECT_EQ(primitives[1].count, 3u);
    EXPECT_EQ(codes(scene), "invalid_face missing_material");
}

TEST(ThreedsMesh, BrokenFacesAndNumbersAreIgnored)
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto scene = load_valid(file(
        object("o", points({0, 0, 0, 1, 0, 0, 0, 1, 0, nan, 0, 0}) + faces({0, 1, 2, 0, 1, 9, 0, 1, 3}))));
    EXPECT_EQ(scene.meshes[0].indices.size(), 3u);
    EXPECT_EQ(scene.source_polygons, 3u) << "as stored";
    EXPECT_EQ(codes(scene), "invalid_face");
    EXPECT_EQ(codes(load_valid(file(object("empty", points({0, 0, 0}))))), "empty_mesh");
}

TEST(ThreedsMesh, ShortArraysAreReported)
{
    const auto uvs = [](int count) {
        return chunk(0x4140,
                     words({count}) + floats(std::vector<float>(static_cast<std::size_t>(2 * count))));
    };
    const std::string mesh = points(triangle_points) + faces({0, 1, 2});
    EXPECT_EQ(codes(load_valid(file(object("o", mesh + uvs(2))))), "short_texture_points");
    EXPECT_EQ(codes(load_valid(file(object("o", mesh + uvs(3))))), "");
    const auto group = [](const std::vector<int>& count_and_faces) {
        return chunk(0xAFFF, chunk(0xA000, text("m"))) +
               object("o", points(triangle_points) +
                               faces({0, 1, 2}, chunk(0x4130, text("m") + words(count_and_faces))));
    };
    EXPECT_EQ(codes(load_valid(file(group({1, 0})))), "");
    EXPECT_EQ(codes(load_valid(file(group({2, 0, 1})))), "invalid_face") << "there is no face 1";
    EXPECT_EQ(codes(load_valid(file(group({2, 0})))), "invalid_face") << "nor a second number";
}

// As for materials.
TEST(ThreedsMesh, ObjectsAfterTheirSectionAreRead)
{
    const auto scene = load_valid(chunk(0x4D4D, chunk(0x3D3D, triangle("a")) + triangle("b")));
    EXPECT_EQ(scene.meshes.size(), 2u);
}

TEST(ThreedsMesh, SizesThatLieAreCut)
{
    std::string long_editor = file(triangle("t"));
    long_editor[16 + 4] = '\x7F'; // the editor's size
    EXPECT_EQ(codes(load_valid(long_editor)), "chunk_size");
    const std::string too_small = raw(std::uint16_t{0x1234}, 3u);
    EXPECT_EQ(codes(load_valid(file(chunk(0x1100, "abc") + triangle("t") + too_small))), "chunk_size");
    const std::string short_main = chunk(0x4D4D, chunk(0x0002, raw(3u))) + chunk(0x3D3D, triangle("t"));
    EXPECT_EQ(load_valid(short_main).meshes.size(), 1u) << "the main chunk ends too early";
    EXPECT_THAT(error_text(file(chunk(0x4000, text("t") + chunk(0x4100, chunk(0x4110, words({500, 1, 2})))))),
                HasSubstr("the mesh 't' declares 500 points but contains 0"));
}

TEST(ThreedsMesh, SkipsUnknownChunks)
{
    const std::string junk = chunk(0x7777, chunk(0x4110, words({1})));
    const std::string mesh = junk + points(triangle_points) + junk + faces({0, 1, 2}, junk);
    const auto scene = load_valid(file(junk + chunk(0x4000, text("o") + junk + chunk(0x4100, mesh))));
    EXPECT_EQ(scene.meshes.at(0).indices.size(), 3u);
    EXPECT_EQ(codes(scene), "");
}

TEST(ThreedsMesh, OtherFilesAreRejected)
{
    EXPECT_EQ(error_text("hello"), "malformed at byte 0: not a 3DS file: it does not start with a chunk");
    EXPECT_EQ(error_text(chunk(0x1234, "")),
              "malformed at byte 0: not a 3DS file: it starts with 1234 instead of 4D4D");
    const std::string whole = file("");
    EXPECT_TRUE(is_3ds(std::as_bytes(std::span(whole))));
    EXPECT_FALSE(is_3ds(std::as_bytes(std::span(std::string_view("MM\0*aaaaaaaaaaaaa", 17))))) << "a TIFF";
}

TEST(ThreedsMesh, LimitsHold)
{
    const std::string bytes = file(triangle("a") + triangle("b"));
    Limits limits;
    limits.vertices = 5;
    EXPECT_THAT(error_text(bytes, limits), HasSubstr("more than the limit vertices = 5"));
    EXPECT_THAT(error_text(folded(1, 2), limits), HasSubstr("split at their smoothing groups"));
    limits = {};
    limits.indices = 5;
    EXPECT_THAT(error_text(bytes, limits), HasSubstr("more than the limit indices = 5"));
    limits = {};
    limits.meshes = 1;
    EXPECT_THAT(error_text(bytes, limits), HasSubstr("more than the limit meshes = 1"));
}

// 30,000 faces around one point, each with different groups: a quadratic algorithm would take minutes.
TEST(ThreedsMesh, VertexOfManyFacesIsLinear)
{
    expect_nearly_linear("faces of one vertex", 500, [](int count) {
        std::vector<float> coordinates{0, 0, 0};
        std::vector<int> corners;
        std::string groups;
        for (int i = 0; i < count; ++i) {
            coordinates.insert(coordinates.end(),
                               {1.0f + static_cast<float>(i), static_cast<float>(i % 7), 1.0f});
            corners.insert(corners.end(), {0, 1 + i, 1 + (i + 1) % count});
            groups += raw(static_cast<std::uint32_t>(i) * 2654435761u);
        }
        const auto mesh = points(coordinates) + faces(corners, chunk(0x4150, groups));
        EXPECT_EQ(load_valid(file(object("fan", mesh))).meshes.size(), 1u);
    });
}
