// BVH holds the joints of the description at each frame of its clip, PLY and STL its triangles at rest.

#include <algorithm>

#include <gtest/gtest.h>

#include "loaders/bvh/document.hpp"
#include "loaders/export/bvh/bvh_writer.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/load_sample.hpp"
#include "tests/support/sample_files.hpp"
#include "tests/support/sliding_arm.hpp"
#include "tests/unit/samples/posed_triangles.hpp"

using namespace vitrine;

namespace {

glm::vec3 joint_position(const scene::Scene& scene, const scene::Pose& pose, std::string_view name)
{
    const auto node = std::ranges::find(scene.nodes, name, &scene::Node::name);
    EXPECT_NE(node, scene.nodes.end()) << name;
    return glm::vec3(pose.model[static_cast<std::size_t>(node - scene.nodes.begin())][3]);
}

// The file of this name; an empty scene where it does not load.
scene::Scene load_partial(const std::string& name)
{
    const auto all = samples::write_partial_formats();
    const auto file = std::ranges::find(all, name, &samples::SampleFile::main_name);
    EXPECT_NE(file, all.end()) << name;
    if (file == all.end()) return {};
    const auto loaded = test::load_sample(*file);
    EXPECT_TRUE(loaded) << name << ": " << loaded.error().where << ": " << loaded.error().detail;
    if (!loaded) return {};
    EXPECT_TRUE(scene::validate(*loaded)) << name;
    return *loaded;
}

} // namespace

TEST(PartialFormats, AreTheRobotsMotionsInBvh)
{
    const auto robot = samples::all_samples().front().make();
    ASSERT_EQ(robot.clips.size(), 3u);
    for (std::uint32_t clip = 0; clip < robot.clips.size(); ++clip) {
        const auto& wanted = robot.clips[clip];
        SCOPED_TRACE(wanted.name);
        const auto loaded = load_partial(wanted.name + ".bvh");
        ASSERT_EQ(loaded.warnings.size(), 1u) << "only about the unit";
        EXPECT_EQ(loaded.file_space.unit_meters, 0.01);
        ASSERT_EQ(loaded.clips.size(), 1u);
        const auto& found = loaded.clips[0];
        EXPECT_EQ(found.name, wanted.name);
        EXPECT_EQ(found.frames, wanted.frames);
        EXPECT_NEAR(found.duration, wanted.duration, 1e-9);
        EXPECT_NEAR(found.frame_rate, wanted.frame_rate, 1e-9);
        for (std::uint32_t f = 0; f < wanted.frames; f += 3) {
            scene::Pose a, b;
            scene::sample_pose(robot, clip, f / wanted.frame_rate, a);
            scene::sample_pose(loaded, 0, f / found.frame_rate, b);
            for (const std::uint32_t joint : robot.skins[0].joints) {
                const std::string& name = robot.nodes[joint].name;
                if (name == "root") continue; // never moves
                EXPECT_LT(glm::distance(glm::vec3(a.model[joint][3]), joint_position(loaded, b, name)), 2e-5f)
                    << name << " in frame " << f;
            }
        }
    }
}

// Readers that add positions to the OFFSET and those that replace it place all joints alike.
TEST(BvhWriter, JointsWithPositionsHaveNoOffset)
{
    const auto arm = test::sliding_arm();
    const auto text = exporting::write_bvh(arm, 0);
    io::WarningLog warnings;
    const auto document = bvh::parse(text, Limits{}, warnings);
    ASSERT_TRUE(document);
    std::string moving;
    for (const auto& joint : document->joints) {
        if (joint.channel_count != 6) continue;
        moving += joint.name + " ";
        EXPECT_EQ(joint.offset, glm::dvec3(0.0)) << joint.name;
    }
    EXPECT_EQ(moving, "base slider hook ") << "the mast is in one place";

    const auto loaded = test::load_sample(
        {.folder = "", .main_name = "slide.bvh", .files = {{"slide.bvh", exporting::to_bytes(text)}}});
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->file_space.unit_meters, 0.01) << "bones are those of the first frame";
    for (std::uint32_t f = 0; f < arm.clips[0].frames; ++f) {
        scene::Pose a, b;
        scene::sample_pose(arm, 0, f / arm.clips[0].frame_rate, a);
        scene::sample_pose(*loaded, 0, f / arm.clips[0].frame_rate, b);
        for (std::uint32_t node = 0; node < arm.nodes.size(); ++node)
            EXPECT_LT(
                glm::distance(glm::vec3(a.model[node][3]), joint_position(*loaded, b, arm.nodes[node].name)),
                2e-5f)
                << arm.nodes[node].name << " in frame " << f;
    }
}

TEST(PartialFormats, AreTheVasesShape)
{
    const auto vase = samples::all_samples().back().make();
    const float size = glm::length(scene::static_bounds(vase).size());
    for (const std::string name : {"vase.ply", "vase.stl"}) {
        SCOPED_TRACE(name);
        const auto loaded = load_partial(name);
        EXPECT_TRUE(loaded.warnings.empty());
        EXPECT_EQ(loaded.generator, "Vitrine");
        EXPECT_LT(test::largest_distance(test::rest(vase), test::rest(loaded)), 1e-6f * size);
    }
    // PLY holds texture coordinates and normals, too.
    const auto baked = load_partial("vase.ply");
    ASSERT_EQ(baked.meshes.size(), 1u);
    EXPECT_EQ(baked.meshes[0].uv0.size(), baked.meshes[0].positions.size());
    EXPECT_EQ(baked.meshes[0].positions.size(), baked.source_vertices);
}

TEST(PartialFormats, AreTheSameAtEveryRun)
{
    const auto first = samples::write_partial_formats(), second = samples::write_partial_formats();
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size(); ++i)
        EXPECT_EQ(first[i].files.at(0).bytes, second[i].files.at(0).bytes) << first[i].main_name;
}
