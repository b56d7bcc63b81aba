// BVH has no unit: it is guessed from the size of the figure.

#include "loaders/bvh/unit_guess.hpp"

#include "tests/unit/bvh/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

TEST(BvhUnit, MakesTheFigureAsTallAsAHuman)
{
    EXPECT_EQ(bvh::guess_unit(170.0).meters, 0.01);
    EXPECT_EQ(bvh::guess_unit(95.0).meters, 0.01) << "a child";
    EXPECT_EQ(bvh::guess_unit(1.7).meters, 1.0);
    EXPECT_EQ(bvh::guess_unit(67.0).meters, 0.0254);
    EXPECT_NEAR(bvh::guess_unit(30.0).meters, 0.05644, 1e-5) << "CMU's library";
    EXPECT_EQ(bvh::guess_unit(1700.0).meters, 0.001);
    EXPECT_EQ(bvh::guess_unit(0.0).meters, 0.01);
    EXPECT_EQ(bvh::guess_unit(1e9).meters, 0.001);
    EXPECT_EQ(bvh::guess_unit(0.2).meters, 1.0);
}

TEST(BvhUnit, IsAppliedAndReported)
{
    const auto scene = load_bvh_text(arm_hierarchy + arm_motion);
    EXPECT_EQ(scene.file_space.unit_meters, 0.01);
    EXPECT_EQ(scene.nodes[1].local.translation, glm::vec3(0, 1, 0));
    ASSERT_EQ(codes(scene), "bvh_unit_guessed");
    EXPECT_EQ(scene.warnings[0].message,
              "the format has no unit; the figure, 170 units high, is read in centimeters: 1.70 m");
}

TEST(BvhUnit, IsThatOfTheLongestSide)
{
    // Lies along Z in the static pose.
    const auto scene =
        load_bvh_text("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 0 1.8\n}\n}\n");
    EXPECT_EQ(scene.file_space.unit_meters, 1.0);
}
