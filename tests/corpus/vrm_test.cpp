// The VRMA of the corpus: three-vrm's test motion. tests/e2e/suites/vrm.test.mjs compares its joints.

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"
#include "loaders/scene/preview/check_visibility.hpp"
#include "loaders/vrm/vrm.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

using namespace vitrine;

namespace {

glm::vec3 position_of(const scene::Scene& scene, const scene::Pose& pose, scene::HumanBone bone)
{
    const auto node = std::ranges::find(scene.nodes, bone, &scene::Node::human_bone);
    EXPECT_NE(node, scene.nodes.end()) << scene::name_of(bone);
    return node == scene.nodes.end()
               ? glm::vec3(0.0f)
               : glm::vec3(pose.model[static_cast<std::size_t>(node - scene.nodes.begin())][3]);
}

} // namespace

TEST(CorpusVrm, MotionOfThreeVrm)
{
    using enum scene::HumanBone;
    const auto corpus = test::corpus_dir();
    if (!corpus) GTEST_SKIP() << "no corpus: set VITRINE_CORPUS";
    auto source = test::MemorySource::folder_of(*corpus / "three-vrm/test.vrma");
    const auto scene = test::valid(load_vrm(source, {}));
    EXPECT_EQ(scene.format, "vrma");
    EXPECT_EQ(std::ranges::count(scene.nodes, none, &scene::Node::human_bone), std::ssize(scene.nodes) - 51);
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_DOUBLE_EQ(scene.clips[0].duration, 3.0);
    // A T pose that faces +Z; the right upper arm moves.
    scene::Pose rest, later;
    scene::static_pose(scene, rest);
    scene::sample_pose(scene, 0, 0.5, later);
    EXPECT_GT(position_of(scene, rest, head).y, 1.3f);
    EXPECT_GT(position_of(scene, rest, left_hand).x, 0.5f);
    EXPECT_LT(position_of(scene, rest, right_hand).x, -0.5f);
    EXPECT_GT(position_of(scene, rest, left_toes).z, position_of(scene, rest, left_foot).z);
    EXPECT_GT(glm::distance(position_of(scene, rest, right_hand), position_of(scene, later, right_hand)),
              0.1f);
    const auto bones = scene::with_bone_geometry(scene);
    ASSERT_TRUE(bones);
    EXPECT_EQ(scene::check_visibility(*bones), scene::SceneVisibility::something);
}
