// The formats in which the sample library is written.

#include "server/samples/samples.hpp"

#include <gtest/gtest.h>

#include "loaders/export/quake/md3_writer.hpp"
#include "loaders/export/quake/md5_writer.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "tests/support/load_sample.hpp"
#include "tests/support/sample_files.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/samples/posed_triangles.hpp"

using namespace vitrine;
using namespace vitrine::test;

// id's formats say that all models look along X, and readers believe it.
TEST(SampleFormats, FaceTheFormatsForwardAxis)
{
    const auto robot = samples::all_samples().front().make();
    const auto wanted = scene::static_bounds(robot).size();
    ASSERT_GT(wanted.x, 1.2f * wanted.z) << "broader than deep";
    for (const auto& sample : formats_of(samples::all_samples().front())) {
        SCOPED_TRACE(sample.folder);
        const auto loaded = test::load_sample(sample);
        ASSERT_TRUE(loaded) << loaded.error().detail;
        const bool is_ids = sample.folder.contains("-md");
        EXPECT_EQ(loaded->file_space.front, is_ids ? glm::vec3(1, 0, 0) : glm::vec3(0, 0, 1));
        const auto size = scene::static_bounds(*loaded).size();
        EXPECT_EQ(size.z > size.x, is_ids);
    }
}

TEST(SampleFormats, OfIdsKeepAModelThatLooksAlongXAlready)
{
    const auto first = test::load_sample(
        {"robot", "robot.md5mesh", exporting::write_md5(samples::all_samples().front().make(), "robot")});
    ASSERT_TRUE(first);
    const auto again = test::load_sample({"robot", "robot.md5mesh", exporting::write_md5(*first, "robot")});
    ASSERT_TRUE(again);
    const auto frames = test::load_sample({"robot", "robot.md3", exporting::write_md3(*first, "robot")});
    ASSERT_TRUE(frames);
    const float size = glm::length(scene::static_bounds(*first).size());
    EXPECT_LT(largest_distance(rest(*first), rest(*again)), 1e-4f * size);
    const auto box = scene::static_bounds(*frames).size();
    EXPECT_GT(box.z, box.x);
}

// Every writer needs a normal for each vertex.
TEST(SampleFormats, OfFlatMeshesAreThoseOfTheirExpansions)
{
    auto flat = test::textured_cube();
    flat.meshes[0].normals.clear();
    flat.meshes[0].tangents.clear();
    const auto expected = samples::write_formats("cube", *scene::with_normals(flat));
    const auto actual = samples::write_formats("cube", flat);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        SCOPED_TRACE(actual[i].folder);
        ASSERT_EQ(actual[i].files.size(), expected[i].files.size());
        for (std::size_t f = 0; f < actual[i].files.size(); ++f)
            EXPECT_EQ(actual[i].files[f].bytes, expected[i].files[f].bytes);
    }
}

TEST(SampleFormats, EveryWritableFormatHasASample)
{
    const auto folders_of = [](const std::string& name) {
        const auto& all = samples::all_samples();
        const auto sample = std::ranges::find(all, name, &samples::Sample::name);
        std::string folders;
        for (const auto& format : formats_of(*sample))
            folders += format.folder + " ";
        return folders;
    };
    EXPECT_EQ(folders_of("robot"),
              "robot-dae robot-glb robot-gltf robot-fbx robot-md2 robot-md3 robot-md5 robot-obj robot-3ds ");
    EXPECT_EQ(folders_of("vase"),
              "vase-dae vase-glb vase-gltf vase-fbx vase-md2 vase-md3 vase-md5 vase-obj vase-3ds ");
    EXPECT_EQ(folders_of("flag"), "flag-dae flag-glb flag-gltf flag-fbx flag-md2 flag-md3 flag-obj flag-3ds ")
        << "MD5 has no morph targets";
}

TEST(SampleFormats, StillModelIsAnMd5OfOneJoint)
{
    const auto& files = formats_of(samples::all_samples().back());
    const auto md5 = std::ranges::find(files, "vase-md5", &samples::SampleFile::folder);
    ASSERT_NE(md5, files.end());
    const auto loaded = test::load_sample(*md5);
    ASSERT_TRUE(loaded) << loaded.error().detail;
    ASSERT_EQ(loaded->skins.size(), 1u);
    EXPECT_EQ(loaded->skins[0].joints.size(), 1u);
    EXPECT_TRUE(loaded->clips.empty());
    EXPECT_TRUE(loaded->warnings.empty());
}
