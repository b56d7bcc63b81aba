#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/scene/skinning/skinning.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/unit/md5/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;
using testing::ElementsAre;

namespace {

std::string error_text(const std::string& mesh, const Limits& limits = {})
{
    return test::error_text(load_arm({{"arm.md5mesh", mesh}}, limits));
}

} // namespace

TEST(Md5Mesh, LoadsInSceneSpace)
{
    const auto loaded = load_arm({{"arm.md5mesh", arm_mesh}});
    ASSERT_TRUE(loaded) << loaded.error().detail;
    ASSERT_TRUE(scene::validate(*loaded));
    expect_source(*loaded, "md5", 3, 1);
    EXPECT_EQ(codes(*loaded), "missing_image");
    ASSERT_EQ(loaded->nodes.size(), 3u);
    EXPECT_EQ(loaded->nodes[1].name, "tip");
    EXPECT_EQ(loaded->nodes[1].parent, 0u);
    EXPECT_EQ(loaded->nodes[1].local.translation, glm::vec3(2, 0, 0));
    EXPECT_EQ(loaded->nodes[2].name, "arm");
    EXPECT_EQ(loaded->nodes[2].skin, 0u);
    const scene::Mesh& mesh = loaded->meshes.at(0);
    EXPECT_THAT(mesh.positions, ElementsAre(glm::vec3(0, 0, 0), glm::vec3(3, 0, 0), glm::vec3(2, 0, -1)));
    EXPECT_EQ(mesh.uv0[0], glm::vec2(0.25f, 0.75f));
    // The file's triangle is clockwise seen from -Z: its front faces -Z of the file, -Y of the scene.
    EXPECT_LT(glm::distance(mesh.normals[0], glm::vec3(0, -1, 0)), 1e-6f);
    EXPECT_THAT(mesh.influences.first, ElementsAre(0u, 1u, 2u, 4u));
    EXPECT_THAT(mesh.influences.joints, ElementsAre(0, 1, 0, 1));
    EXPECT_THAT(mesh.influences.weights, ElementsAre(1.0f, 1.0f, 0.5f, 0.5f));
    EXPECT_TRUE(mesh.influences.positions.empty());
    EXPECT_EQ(loaded->file_space.front, glm::vec3(1, 0, 0));
}

TEST(Md5Mesh, KeepsWeightsThatDisagree)
{
    const auto loaded = load_arm({{"arm.md5mesh", replaced(arm_mesh, "0.5 ( 0 1 0 )", "0.5 ( 0 3 0 )")}});
    ASSERT_TRUE(loaded);
    const scene::Mesh& mesh = loaded->meshes.at(0);
    EXPECT_EQ(mesh.positions[2], glm::vec3(2, 0, -2));
    EXPECT_THAT(mesh.influences.positions, ElementsAre(glm::vec3(0, 0, 0), glm::vec3(3, 0, 0),
                                                       glm::vec3(2, 0, -1), glm::vec3(2, 0, -3)));
}

TEST(Md5Mesh, KeepsBiasesThatDoNotSumToOne)
{
    const auto loaded = load_arm({{"arm.md5mesh", replaced(arm_mesh, "1 1.0 ( 1 0 0 )", "1 0.5 ( 1 0 0 )")}});
    ASSERT_TRUE(loaded);
    const scene::Mesh& mesh = loaded->meshes.at(0);
    EXPECT_EQ(mesh.positions[1], glm::vec3(1.5, 0, 0));
    EXPECT_EQ(mesh.influences.weights[1], 0.5f);
    EXPECT_EQ(mesh.influences.positions.at(1), glm::vec3(3, 0, 0));
}

TEST(Md5Mesh, TakesVerticesWithoutWeightsAndDropsEmptyOnes)
{
    auto text = replaced(arm_mesh, "vert 0 ( 0.25 0.75 ) 0 1", "vert 0 ( 0.25 0.75 ) 77 0");
    text = replaced(text, "weight 3 1 0.5 ( 0 1 0 )", "weight 3 1 0 ( 0 1 0 )");
    text = replaced(text, "weight 2 0 0.5", "weight 2 0 1");
    const auto loaded = load_arm({{"arm.md5mesh", text}});
    ASSERT_TRUE(loaded) << loaded.error().detail;
    EXPECT_THAT(loaded->meshes[0].influences.first, ElementsAre(0u, 0u, 1u, 2u));
    EXPECT_EQ(loaded->meshes[0].positions[0], glm::vec3(0));
    EXPECT_TRUE(scene::validate(*loaded));
}

TEST(Md5Mesh, AcceptsAnyWhiteSpaceCommentsAndOrder)
{
    std::string text = replaced(arm_mesh, "tri 0 0 1 2", "tri/**/0 0\r\n1 // one\n 2");
    text =
        replaced(text, "vert 1 ( 1 0 ) 1 1\n\tvert 2 ( 0.5 0.5 ) 2 2", "vert 2(0.5 0.5)2 2 vert 1(1 0)1 1");
    text = replaced(text, "\"base\"", "base");
    text = replaced(text, "MD5Version 10\n", "\n");
    const auto loaded = load_arm({{"arm.md5mesh", text}});
    ASSERT_TRUE(loaded) << loaded.error().where << loaded.error().detail;
    EXPECT_EQ(codes(*loaded), "md5_version_missing missing_image");
    EXPECT_EQ(loaded->meshes[0].positions[1], glm::vec3(3, 0, 0));
}

TEST(Md5Mesh, PassesOverUnknownWordsAndWrongCounts)
{
    auto text = replaced(arm_mesh, "numJoints 2", "numJoints 5\nauthor someone\nextra { a { b } c }");
    const auto loaded = load_arm({{"arm.md5mesh", text}});
    ASSERT_TRUE(loaded) << loaded.error().where << loaded.error().detail;
    EXPECT_EQ(codes(*loaded), "md5_unknown_word md5_unknown_word md5_count_differs missing_image");
    EXPECT_EQ(loaded->warnings[2].where, "line 4");
}

TEST(Md5Mesh, NonFiniteTextureCoordinatesAreZero)
{
    for (const auto* none : {"nan", "-1.#IND00", "inf"}) {
        const auto loaded = load_arm(
            {{"arm.md5mesh", replaced(arm_mesh, "vert 1 ( 1 0 )", fmt::format("vert 1 ( {} 0 )", none))}});
        ASSERT_TRUE(loaded) << loaded.error().where << loaded.error().detail;
        EXPECT_EQ(codes(*loaded), "md5_texture_coordinate missing_image") << none;
        EXPECT_EQ(loaded->meshes[0].uv0[1].x, 0.0f);
    }
    EXPECT_THAT(error_text(replaced(arm_mesh, "vert 1 ( 1 0 )", "vert 1 ( wide 0 )")),
                testing::HasSubstr("line 18"));
}

TEST(Md5Mesh, SmoothsAcrossSeamsButNotThroughSheets)
{
    // Two perpendicular triangles along the edge (0,0,0)-(0,1,0) with split vertices; and the first one
    // again, facing the other way.
    const std::string text = R"(MD5Version 10
joints { "j" -1 ( 0 0 0 ) ( 0 0 0 ) }
mesh { shader "s"
numverts 9
vert 0 (0 0) 0 1 vert 1 (0 0) 1 1 vert 2 (0 0) 2 1
vert 3 (1 0) 0 1 vert 4 (1 0) 1 1 vert 5 (1 0) 3 1
vert 6 (1 0) 0 1 vert 7 (1 0) 1 1 vert 8 (1 0) 2 1
numtris 3 tri 0 0 1 2 tri 1 4 3 5 tri 2 7 6 8
numweights 4
weight 0 0 1 (0 0 0) weight 1 0 1 (0 1 0) weight 2 0 1 (1 0 0) weight 3 0 1 (0 0 1)
})";
    const auto loaded = load_arm({{"arm.md5mesh", text}});
    ASSERT_TRUE(loaded) << loaded.error().detail;
    const auto& normals = loaded->meshes[0].normals;
    EXPECT_LT(glm::distance(normals[0], normals[3]), 1e-6f);
    EXPECT_LT(glm::dot(normals[8], normals[2]), -0.9f);
    EXPECT_GT(glm::dot(normals[0], normals[2]), 0.5f);
}

TEST(Md5Mesh, RejectsWithThePlace)
{
    using testing::HasSubstr;
    EXPECT_THAT(error_text(replaced(arm_mesh, "weight 1 1", "weight 1 9")),
                HasSubstr("line 26: the weight's joint 9 does not exist (2 joints)"));
    EXPECT_THAT(error_text(replaced(arm_mesh, "weight 1 1", "weight 4294967295 1")),
                HasSubstr("line 26: weight 4294967295"));
    EXPECT_THAT(error_text(replaced(arm_mesh, "vert 2 ", "vert 4294967295 ")), HasSubstr("line 19"));
    EXPECT_THAT(error_text(replaced(arm_mesh, "vert 2 ", "vert 1 ")),
                HasSubstr("line 19: vert 1 is given twice"));
    EXPECT_THAT(error_text(replaced(arm_mesh, "tri 0 0 1 2", "tri 0 0 1 3")),
                HasSubstr("line 22: tri uses vertex 3"));
    EXPECT_THAT(error_text(replaced(arm_mesh, "tri 0", "tri 4294967295")), HasSubstr("line 22"));
    EXPECT_THAT(error_text(replaced(arm_mesh, ") 2 2", ") 2 4294967295")),
                HasSubstr("line 19: the vertex uses weights 2 to"));
    EXPECT_THAT(error_text(replaced(arm_mesh, "\"tip\"\t0", "\"tip\"\t2")),
                HasSubstr("line 9: the joint's parent"));
    EXPECT_THAT(error_text(replaced(arm_mesh, "\"tip\"\t0", "\"tip\"\t1")), HasSubstr("cycle"));
    EXPECT_THAT(error_text(replaced(arm_mesh, "MD5Version 10", "MD5Version 6")),
                HasSubstr("line 1: MD5 version 6 is not supported"));
    EXPECT_THAT(error_text(replaced(arm_mesh, "numverts 3", "numverts 4")),
                HasSubstr("numverts is 4, but the mesh gives only 3"));
    EXPECT_THAT(error_text(replaced(arm_mesh, "numverts 3", "numverts 4000000")),
                HasSubstr("line 16: numverts is 4000000, more than the rest"));
    EXPECT_THAT(error_text(replaced(arm_mesh, "( 2 0 0 )", "( nan 0 0 )")), HasSubstr("line 9"));
    EXPECT_THAT(error_text(replaced(arm_mesh, "( 2 0 0 )", "( 2 0 )")), HasSubstr("line 9"));
    EXPECT_THAT(error_text(""), HasSubstr("no joint and no mesh"));
    EXPECT_THAT(error_text("\x7f"
                           "ELF\x01\x02"),
                HasSubstr("no joint and no mesh"));
}

TEST(Md5Mesh, KeepsToItsLimits)
{
    using testing::HasSubstr;
    Limits limits;
    limits.vertices = 2;
    EXPECT_THAT(error_text(arm_mesh, limits),
                HasSubstr("line 16: numverts is 3: more than the limit vertices = 2"));
    limits = {};
    limits.influences = 3;
    EXPECT_THAT(error_text(arm_mesh, limits), HasSubstr("limit influences = 3"));
    limits = {};
    limits.joints = 1;
    EXPECT_THAT(error_text(arm_mesh, limits), HasSubstr("line 9: more than the limit joints = 1"));
    limits = {};
    limits.depth = 1;
    EXPECT_THAT(error_text(arm_mesh, limits),
                HasSubstr("the nesting of joints: more than the limit depth = 1"));
    limits = {};
    limits.file_bytes = 10;
    EXPECT_THAT(error_text(arm_mesh, limits), HasSubstr("limit"));
}

TEST(Md5Mesh, MeshesWithoutTrianglesAreIgnoredWithAWarning)
{
    const std::string empty = "mesh {\n\tshader \"none\"\n\tnumverts 0\n\tnumtris 0\n\tnumweights 0\n}\n";
    const auto scene =
        valid(load_arm({{"arm.md5mesh", replaced(arm_mesh, "numMeshes 1", "numMeshes 2") + empty}}));
    EXPECT_EQ(scene.meshes.size(), 1u);
    EXPECT_EQ(codes(scene), "md5_empty_mesh missing_image");
    EXPECT_EQ(scene.warnings.at(0).where, "mesh 1");
}
