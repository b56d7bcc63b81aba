#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/scene/validation/validate.hpp"
#include "tests/support/frame_reference.hpp"
#include "tests/unit/md3/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string error_text(const std::string& bytes, const Limits& limits = {})
{
    return test::error_text(load_md3_files("model.md3", {{"model.md3", bytes}}, limits));
}

bool near(const glm::vec3& a, const glm::vec3& b)
{
    return glm::distance(a, b) < 1e-6f;
}

} // namespace

TEST(Md3Mesh, LoadsInSceneSpace)
{
    const auto loaded = load_model({});
    ASSERT_TRUE(loaded) << loaded.error().detail;
    ASSERT_TRUE(scene::validate(*loaded));
    expect_source(*loaded, "md3", 3, 1);
    EXPECT_EQ(loaded->file_space.front, glm::vec3(1, 0, 0));
    ASSERT_EQ(loaded->nodes.size(), 2u);
    EXPECT_EQ(loaded->nodes[0].name, "model");
    EXPECT_EQ(loaded->nodes[1].name, "body");
    EXPECT_EQ(loaded->nodes[1].parent, 0u);
    const scene::Mesh& mesh = loaded->meshes.at(0);
    EXPECT_THAT(mesh.positions, ElementsAre(glm::vec3(0, 0, 0), glm::vec3(10, 0, 0), glm::vec3(0, 0, -10)));
    EXPECT_THAT(mesh.uv0, ElementsAre(glm::vec2(0, 0), glm::vec2(1, 0), glm::vec2(0, 0.5)));
    EXPECT_THAT(mesh.indices, ElementsAre(0, 2, 1)); // clockwise in the file
    // Up, along X, along Y of the file: a quarter turn from the Z axis, then about it.
    EXPECT_TRUE(near(mesh.normals[0], {0, 1, 0}));
    EXPECT_TRUE(near(mesh.normals[1], {1, 0, 0}));
    EXPECT_TRUE(near(mesh.normals[2], {0, 0, -1}));
}

TEST(Md3Mesh, HasOneClipOfAllFrames)
{
    const auto loaded = load_model({});
    ASSERT_EQ(loaded->clips.size(), 1u);
    const scene::Clip& clip = loaded->clips[0];
    EXPECT_EQ(clip.name, "model");
    EXPECT_EQ(clip.frames, 2u);
    EXPECT_EQ(clip.frame_rate, 15.0);
    EXPECT_TRUE(near(skin_at(*loaded, 0, 1.0 / 15.0)[0].positions[0], {0, 1, 0}));
    EXPECT_TRUE(near(skin_at(*loaded, 0, 0.5 / 15.0)[0].positions[0], {0, 0.5, 0}));
}

TEST(Md3Mesh, SurfacesHaveCountsOfTheirOwn)
{
    Md3Model model;
    Md3Surface still;
    still.name = "still";
    still.frames.resize(1);
    still.coords.resize(2);
    still.frames[0].resize(2);
    still.triangles.clear();
    Md3Surface empty;
    empty.name = "empty";
    empty.coords.clear();
    empty.frames = {{}, {}};
    empty.triangles.clear();
    model.surfaces = {{}, still, empty};
    const auto loaded = load_model(model);
    ASSERT_TRUE(loaded) << loaded.error().detail;
    ASSERT_TRUE(scene::validate(*loaded));
    EXPECT_EQ(loaded->source_vertices, 5u);
    EXPECT_EQ(loaded->meshes.size(), 2u);
    EXPECT_EQ(loaded->meshes[1].frames.count, 1u);
    EXPECT_THAT(codes(*loaded), HasSubstr("md3_frames_differ"));
    EXPECT_THAT(codes(*loaded), HasSubstr("md3_empty_surface"));
    EXPECT_EQ(skin_at(*loaded, 0, 1.0 / 15.0)[1].positions[0], glm::vec3(0, 0, 0));
}

TEST(Md3Mesh, InvalidNormalsAreComputed)
{
    Md3Model model;
    for (auto& frame : model.surfaces[0].frames)
        for (auto& vertex : frame)
            vertex.normal = {0, 0};
    const auto loaded = load_model(model);
    EXPECT_TRUE(near(loaded->meshes[0].normals[0], {0, -1, 0})); // clockwise seen from below
    EXPECT_TRUE(near(loaded->meshes[0].frames.normals[5], {0, -1, 0}));
}

TEST(Md3Mesh, OfTagsAloneIsValid)
{
    Md3Model model;
    model.surfaces.clear();
    model.tags = {{{"tag_weapon", {1, 2, 3}}}, {{"tag_weapon", {4, 5, 6}}}};
    const auto loaded = load_model(model);
    ASSERT_TRUE(loaded) << loaded.error().detail;
    ASSERT_TRUE(scene::validate(*loaded));
    ASSERT_EQ(loaded->nodes.size(), 2u);
    EXPECT_EQ(loaded->nodes[1].name, "tag_weapon");
    EXPECT_EQ(loaded->nodes[1].local.translation, glm::vec3(1, 3, -2));
    EXPECT_EQ(loaded->clips.at(0).channels.size(), 2u);
    scene::Pose pose;
    scene::sample_pose(*loaded, 0, 1.0 / 15.0, pose);
    EXPECT_TRUE(near(pose.local[1].translation, {4, 6, -5}));
}

TEST(Md3Mesh, OfAnEmptySceneIsValid)
{
    Md3Model model;
    model.surfaces.clear();
    const auto scene = valid(load_model(model));
    EXPECT_TRUE(scene.meshes.empty());
    EXPECT_EQ(scene.nodes.size(), 1u);
    EXPECT_EQ(codes(scene), "");
}

TEST(Md3Mesh, RejectsWithPlaceAndReason)
{
    const std::string good = Md3Model().write();
    EXPECT_EQ(error_text(good), "loaded"); // the last block ends at the end of the file
    EXPECT_EQ(error_text(good.substr(0, 99)),
              "truncated at byte 99: the file ends within the header of 108 bytes");
    EXPECT_EQ(error_text("IDP2" + good.substr(4)),
              "malformed at byte 0: the MD3 file does not start with IDP3");
    EXPECT_EQ(error_text(with_word(good, 4, 16)),
              "unsupported at byte 4: MD3 version 16 is not supported, only 15 is");
    EXPECT_EQ(error_text(with_word(good, 76, 0)), "empty at byte 76: the model has no frame");
    EXPECT_EQ(error_text(with_word(good, 84, 0)),
              "empty at byte 80: the model has neither a surface nor a tag");
    EXPECT_EQ(
        error_text(good.substr(0, good.size() - 1)),
        "truncated at byte 432: the 6 vertices of all frames extend beyond the end of the file of 479 bytes");
    EXPECT_EQ(error_text(with_word(good, 84, 2)),
              "out_of_range at byte 480: the 1 surfaces left extend beyond the end of the file of 480 bytes");
    EXPECT_EQ(error_text(with_word(with_word(good, 84, 2), 220 + 104, 8)),
              "malformed at byte 220: the surface ends after 8 bytes, within its header");
    EXPECT_EQ(error_text(with_word(good, 100, 219)),
              "malformed at byte 219: surface 0 does not start with IDP3");
    Md3Model far;
    far.surfaces[0].triangles[0][1] = 3;
    EXPECT_EQ(error_text(far.write()),
              "out_of_range at surface 'body', triangle 0: vertex 3 is used, but there are 3");
    EXPECT_THAT(error_text(good, {.vertices = 5}), testing::StartsWith("limit_exceeded"));
    EXPECT_THAT(error_text(good, {.indices = 2}), testing::StartsWith("limit_exceeded"));
    EXPECT_THAT(error_text(good, {.nodes = 1}), testing::StartsWith("limit_exceeded"));
    EXPECT_THAT(error_text(good, {.materials = 0}), testing::StartsWith("limit_exceeded"));
    EXPECT_THAT(error_text(good, {.clips = 0}), testing::StartsWith("limit_exceeded"));
    EXPECT_EQ(error_text(good, {.frames = 2}), "loaded");
    EXPECT_EQ(error_text(good, {.frames = 1}),
              "limit_exceeded at : 2 frames: more than the limit frames = 1");
}

TEST(Md3Mesh, BlocksThatOverlapAreReported)
{
    const std::string good = Md3Model().write();
    const auto codes_of = [](const std::string& bytes) {
        return codes(valid(load_md3_files("model.md3", {{"model.md3", bytes}})));
    };
    EXPECT_THAT(codes_of(good), testing::Not(HasSubstr("md3_overlap")));
    for (const std::size_t place : {92u, 96u, 100u}) // of its shaders, coordinates, vertices
        EXPECT_THAT(codes_of(with_word(good, 220 + place, 4)), HasSubstr("md3_overlap")) << place;
}

TEST(Md3Mesh, NonFiniteNumbersAreRepaired)
{
    Md3Model model;
    model.surfaces[0].coords[1][0] = std::numeric_limits<float>::quiet_NaN();
    model.tags = {{{"tag_a", {std::numeric_limits<float>::infinity(), 0, 0}}}, {{"tag_a", {}}}};
    const auto loaded = load_model(model);
    ASSERT_TRUE(loaded) << loaded.error().detail;
    EXPECT_TRUE(scene::validate(*loaded));
    EXPECT_THAT(codes(*loaded), HasSubstr("md3_texture_coordinate"));
    EXPECT_THAT(codes(*loaded), HasSubstr("md3_tag"));
}

// Surfaces may share one table, which counts for each of them.
TEST(Md3Mesh, ShadersOfAllSurfacesAreLimited)
{
    Md3Model model;
    model.surfaces[0].shaders.assign(40, "skin");
    model.surfaces.resize(3, model.surfaces[0]);
    Limits limits;
    limits.materials = 119;
    EXPECT_THAT(error_text(model.write(), limits),
                HasSubstr("120 shaders: more than the limit materials = 119"));
    limits.materials = 120;
    EXPECT_EQ(error_text(model.write(), limits), "loaded");
}

TEST(Md3Mesh, DeclaredSizeBeyondTheFileIsReported)
{
    const std::string good = Md3Model().write();
    const auto codes_of = [&](std::size_t declared) {
        const auto bytes = with_word(good, 104, static_cast<std::uint32_t>(declared));
        return codes(valid(load_md3_files("model.md3", {{"model.md3", bytes}})));
    };
    EXPECT_THAT(codes_of(good.size() + 1), HasSubstr("md3_size_differs"));
    EXPECT_THAT(codes_of(good.size()), testing::Not(HasSubstr("md3_size_differs")));
}
