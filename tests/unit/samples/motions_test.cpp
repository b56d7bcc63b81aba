// BVH holds the joints of the description at each frame of its clip.

#include <algorithm>

#include <gtest/gtest.h>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/load_sample.hpp"
#include "tests/support/sample_files.hpp"

using namespace vitrine;

namespace {

glm::vec3 place_of(const scene::Scene& scene, const scene::Pose& pose, std::string_view name)
{
    const auto node = std::ranges::find(scene.nodes, name, &scene::Node::name);
    EXPECT_NE(node, scene.nodes.end()) << name;
    return glm::vec3(pose.model[static_cast<std::size_t>(node - scene.nodes.begin())][3]);
}

} // namespace

TEST(SampleMotions, AreThoseOfTheRobotInBvh)
{
    const auto robot = samples::all_samples().front().make();
    const auto motions = samples::write_partial_formats();
    ASSERT_EQ(motions.size(), robot.clips.size());
    for (std::uint32_t clip = 0; clip < robot.clips.size(); ++clip) {
        SCOPED_TRACE(motions[clip].main_name);
        const auto loaded = test::load_sample(motions[clip]);
        ASSERT_TRUE(loaded) << loaded.error().where << ": " << loaded.error().detail;
        EXPECT_TRUE(scene::validate(*loaded));
        ASSERT_EQ(loaded->warnings.size(), 1u) << "only about the unit";
        EXPECT_EQ(loaded->file_space.unit_meters, 0.01);
        ASSERT_EQ(loaded->clips.size(), 1u);
        const auto &wanted = robot.clips[clip], &found = loaded->clips[0];
        EXPECT_EQ(found.name, wanted.name);
        EXPECT_EQ(found.frames, wanted.frames);
        EXPECT_NEAR(found.duration, wanted.duration, 1e-9);
        EXPECT_NEAR(found.frame_rate, wanted.frame_rate, 1e-9);
        for (std::uint32_t f = 0; f < wanted.frames; f += 3) {
            scene::Pose a, b;
            scene::sample_pose(robot, clip, f / wanted.frame_rate, a);
            scene::sample_pose(*loaded, 0, f / found.frame_rate, b);
            for (const std::uint32_t joint : robot.skins[0].joints) {
                const std::string& name = robot.nodes[joint].name;
                EXPECT_LT(glm::distance(glm::vec3(a.model[joint][3]), place_of(*loaded, b, name)), 2e-5f)
                    << name << " in frame " << f;
            }
        }
    }
}

TEST(SampleMotions, AreTheSameAtEveryRun)
{
    const auto first = samples::write_partial_formats(), second = samples::write_partial_formats();
    ASSERT_EQ(first.size(), 3u);
    for (std::size_t i = 0; i < first.size(); ++i)
        EXPECT_EQ(first[i].files.at(0).bytes, second[i].files.at(0).bytes);
}
