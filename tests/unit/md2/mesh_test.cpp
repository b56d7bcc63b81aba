#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "loaders/base/quake_normals.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/unit/md2/moving_model.hpp"

using namespace vitrine;
using namespace vitrine::test;
using testing::ElementsAre;

namespace {

std::string error_text(const std::string& bytes, const Limits& limits = {})
{
    return test::error_text(load_md2_files({{"tris.md2", bytes}}, limits));
}

} // namespace

TEST(Md2Mesh, LoadsInSceneSpace)
{
    const auto loaded = load_model({});
    ASSERT_TRUE(loaded) << loaded.error().detail;
    ASSERT_TRUE(scene::validate(*loaded));
    expect_source(*loaded, "md2", 4, 2);
    EXPECT_EQ(loaded->file_space.front, glm::vec3(1, 0, 0));
    ASSERT_EQ(loaded->nodes.size(), 1u);
    EXPECT_EQ(loaded->nodes[0].name, "tris");
    const scene::Mesh& mesh = loaded->meshes.at(0);
    // Vertices 0 and 2 have two texture coordinates each.
    EXPECT_THAT(mesh.positions, ElementsAre(glm::vec3(0, 0, 0), glm::vec3(0, 0, 0), glm::vec3(10, 0, 0),
                                            glm::vec3(0, 0, -10), glm::vec3(0, 10, 0)));
    EXPECT_THAT(mesh.uv0, ElementsAre(glm::vec2(0, 0), glm::vec2(1, 1), glm::vec2(0.5, 0), glm::vec2(0, 0.5),
                                      glm::vec2(0.5, 0)));
    // Clockwise in the file.
    EXPECT_THAT(mesh.indices, ElementsAre(0, 3, 2, 1, 4, 3));
    EXPECT_THAT(mesh.normals, ElementsAre(glm::vec3(0, 1, 0), glm::vec3(0, 1, 0), glm::vec3(0, 1, 0),
                                          glm::vec3(0, 0, -1), glm::vec3(1, 0, 0)));
    EXPECT_EQ(mesh.frames.count, 2u);
}

TEST(Md2Mesh, FramesAreScaledMovedAndInterpolated)
{
    const auto loaded = load_model({});
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->clips.size(), 1u);
    const scene::Clip& clip = loaded->clips[0];
    EXPECT_EQ(clip.name, "run");
    EXPECT_EQ(clip.frames, 2u);
    EXPECT_EQ(clip.frame_rate, 10.0);
    EXPECT_NEAR(clip.duration, 0.2, 1e-12);                              // a run goes on with its first frame
    EXPECT_EQ(positions_at(*loaded, 0, 0.1).at(0), glm::vec3(2, 3, -2)); // (2 * 0.5 + 1, 2, 3)
    EXPECT_LT(glm::distance(positions_at(*loaded, 0, 0.05).at(0), glm::vec3(1, 1.5, -1)), 1e-5f);
}

TEST(Md2Mesh, ClipNamesEndWithoutBlanks)
{
    EXPECT_EQ(load_model(moving("stand ", {0, 1}))->clips.at(0).name, "stand");
}

TEST(Md2Mesh, ClipsLieOnOneTimeLine)
{
    Md2Model model;
    model.frames = {model.frames[0], model.frames[1], model.frames[0]};
    model.frames[2].name = "jump1";
    const auto loaded = load_model(model);
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->clips.size(), 2u);
    EXPECT_EQ(loaded->clips[1].name, "jump");
    EXPECT_NEAR(loaded->clips[1].start_time, 0.2, 1e-12);
    EXPECT_EQ(loaded->clips[1].duration, 0.0);
    EXPECT_EQ(positions_at(*loaded, 1, 0.0).at(2), glm::vec3(10, 0, 0));
}

TEST(Md2Mesh, FrameSizeComesFromTheHeader)
{
    Md2Model model;
    model.frame_padding = 12;
    const auto loaded = load_model(model);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(positions_at(*loaded, 0, 0.1).at(0), glm::vec3(2, 3, -2));
}

TEST(Md2Mesh, KeepsVerticesOfNoTriangle)
{
    Md2Model model;
    model.triangles.pop_back();
    const auto loaded = load_model(model);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->meshes[0].positions.size(), 4u);
    EXPECT_EQ(loaded->source_polygons, 1u);
}

TEST(Md2Mesh, EqualCornerCoordinatesDoNotSplit)
{
    Md2Model model;
    model.coords = {{0, 0}, {32, 0}, {0, 16}, {0, 0}, {0, 16}, {5, 5}};
    model.triangles = {{0, 1, 2, 0, 1, 2}, {0, 2, 3, 3, 4, 5}};
    const auto loaded = load_model(model);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->meshes[0].positions.size(), 4u);
}

TEST(Md2Mesh, InvalidNormalsAreComputedForEachFrame)
{
    Md2Model model;
    for (auto& frame : model.frames)
        for (auto& vertex : frame.vertices)
            vertex[3] = 0;
    model.triangles = {{0, 1, 2, 0, 1, 2}};
    model.frames[1].vertices[2] = {0, 0, 10, 0}; // the triangle rotates
    const auto loaded = load_model(model);
    ASSERT_TRUE(loaded);
    ASSERT_TRUE(scene::validate(*loaded));
    const scene::Mesh& mesh = loaded->meshes[0];
    EXPECT_LT(glm::distance(mesh.normals[0], glm::vec3(0, -1, 0)), 1e-6f); // clockwise seen from below
    EXPECT_GT(std::abs(mesh.frames.normals[4].z), 0.5f);
}

TEST(Md2Mesh, TableOfNormalsIsAnEvenSphere)
{
    std::set<std::tuple<float, float, float>> all;
    for (const glm::vec3& n : quake_normals) {
        EXPECT_NEAR(glm::length(n), 1.0f, 1e-5f);
        all.emplace(n.x, n.y, n.z);
    }
    EXPECT_EQ(all.size(), 162u);
    for (const glm::vec3& n : quake_normals) // each has an opposite
        EXPECT_TRUE(all.contains({0.0f - n.x, 0.0f - n.y, 0.0f - n.z}));
}

TEST(Md2Mesh, LoadsFilesThatOtherReadersReject)
{
    Md2Model model;
    EXPECT_EQ(error_text(model.write()), "loaded"); // the last block ends at the end of the file
    model.coords.clear();
    model.skins.clear();
    model.skin_width = model.skin_height = 0;
    const auto plain = load_model(model);
    ASSERT_TRUE(plain) << plain.error().detail;
    EXPECT_TRUE(plain->meshes[0].uv0.empty());
    EXPECT_TRUE(scene::validate(*plain));
    const auto longer = load_md2_files({{"tris.md2", with_header_field(Md2Model().write(), 16, 100'000)}});
    ASSERT_TRUE(longer);
    EXPECT_THAT(codes(*longer), testing::HasSubstr("md2_size_differs"));
    Md2Model wrong;
    wrong.triangles[1][4] = 99;
    const auto repaired = load_model(wrong);
    ASSERT_TRUE(repaired);
    EXPECT_THAT(codes(*repaired), testing::HasSubstr("md2_texture_coordinate"));
    EXPECT_EQ(repaired->warnings.front().where, "triangle 1");
}

TEST(Md2Mesh, ZeroSkinSizeUsesTheImageOrTheCoordinates)
{
    Md2Model model;
    model.skin_width = model.skin_height = 0;
    const auto loaded = load_model(model);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->meshes[0].uv0[1], glm::vec2(1, 1)); // 64, 32 is the largest
}

TEST(Md2Mesh, RejectsWithPlaceAndReason)
{
    const std::string good = Md2Model().write();
    EXPECT_EQ(error_text(good.substr(0, 60)),
              "truncated at byte 60: the file ends within the header of 68 bytes");
    EXPECT_EQ(error_text("IDP3" + good.substr(4)),
              "malformed at byte 0: the MD2 file does not start with IDP2");
    EXPECT_EQ(error_text(with_header_field(good, 1, 15)),
              "unsupported at byte 4: MD2 version 15 is not supported, only 8 is");
    EXPECT_EQ(error_text(with_header_field(good, 10, 0)), "empty at byte 40: the model has no frame");
    EXPECT_EQ(error_text(with_header_field(good, 4, 50)),
              "malformed at byte 16: 4 vertices do not fit into frames of 50 bytes");
    EXPECT_EQ(
        error_text(with_header_field(good, 13, 0xFFFFFFF0)),
        "out_of_range at byte 4294967280: the 2 triangles extend beyond the end of the file of 284 bytes");
    EXPECT_EQ(error_text(good.substr(0, good.size() - 1)),
              "truncated at byte 172: the 2 frames extend beyond the end of the file of 283 bytes");
    Md2Model far;
    far.triangles[1][2] = 4;
    EXPECT_EQ(error_text(far.write()), "out_of_range at triangle 1: vertex 4 is used, but there are 4");
    Md2Model vast;
    vast.frames[1].scale[2] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(error_text(vast.write()), "out_of_range at frame 1: its scale and position are out of range");
    EXPECT_THAT(error_text(good, {.vertices = 9}), testing::StartsWith("limit_exceeded"));
    EXPECT_THAT(error_text(good, {.indices = 5}), testing::StartsWith("limit_exceeded"));
    EXPECT_THAT(error_text(good, {.clips = 0}), testing::StartsWith("limit_exceeded"));
    EXPECT_EQ(error_text(good, {.frames = 2}), "loaded");
    EXPECT_EQ(error_text(good, {.frames = 1}),
              "limit_exceeded at : 2 frames: more than the limit frames = 1");
}

TEST(Md2Mesh, BlocksThatOverlapAreReported)
{
    const std::string good = Md2Model().write();
    const auto codes_of = [](const std::string& bytes) {
        return codes(valid(load_md2_files({{"tris.md2", bytes}})));
    };
    EXPECT_THAT(codes_of(good), testing::Not(testing::HasSubstr("md2_overlap")));
    EXPECT_THAT(codes_of(with_header_field(good, 12, 4)), testing::HasSubstr("md2_overlap"));   // coordinates
    EXPECT_THAT(codes_of(with_header_field(good, 14, 100)), testing::HasSubstr("md2_overlap")); // frames
}

TEST(Md2Weapon, OfAnUploadShowsTheSameFrames)
{
    Md2Model weapon;
    weapon.frames.resize(1);
    weapon.frames[0].translate = {5, 0, 0};
    const std::map<std::string, std::string> files{{"tris.md2", Md2Model().write()},
                                                   {"Weapon.md2", weapon.write()}};
    const auto loaded = load_md2_files(files);
    ASSERT_TRUE(loaded);
    ASSERT_TRUE(scene::validate(*loaded));
    EXPECT_EQ(loaded->meshes.size(), 2u);
    EXPECT_EQ(loaded->source_vertices, 8u);
    EXPECT_EQ(loaded->nodes.at(1).name, "Weapon");
    EXPECT_EQ(loaded->clips.at(0).channels.size(), 2u);
    EXPECT_EQ(positions_at(*loaded, 0, 0.1, 1).at(0), glm::vec3(5, 0, 0));
    EXPECT_THAT(codes(*loaded), testing::HasSubstr("md2_weapon_frames"));
    EXPECT_EQ(load_md2_files(files, {}, false)->meshes.size(), 1u) << "asked for by itself";
}

TEST(Md2Weapon, BrokenOneIsIgnored)
{
    const auto loaded = load_md2_files({{"tris.md2", Md2Model().write()}, {"weapon.md2", "IDP2"}});
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->meshes.size(), 1u);
    EXPECT_THAT(codes(*loaded), testing::HasSubstr("md2_weapon_skipped"));
}
