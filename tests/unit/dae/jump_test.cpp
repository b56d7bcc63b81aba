// Animations with steps, and with several keys at one time.

#include <tuple>

#include "tests/unit/dae/animated.hpp"

namespace vitrine::dae::test {
namespace {

TEST(DaeAnimation, StepsStep)
{
    const scene::Scene scene =
        loaded(document(node, AnimationXml{"a", "n/t.X", "0 1 2", "0 4 8", 3, 1, "STEP STEP STEP"}.text()));
    EXPECT_EQ(scene.clips.at(0).channels.at(0).interpolation, scene::Interpolation::step);
    expect_near(place_at(scene, 0.9), {0, 2, 3});
    expect_near(place_at(scene, 1.0), {4, 2, 3});
}

TEST(DaeAnimation, StepsBesideLinesJump)
{
    const scene::Scene scene =
        loaded(document(node, AnimationXml{"a", "n/t.X", "0 1 2", "0 4 8", 3, 1, "STEP STEP STEP"}.text() +
                                  AnimationXml{"b", "n/t.Y", "0 2", "0 2"}.text()));
    expect_near(place_at(scene, 0.9), {0, 0.9, 3});
    expect_near(place_at(scene, 1.1), {4, 1.1, 3});
}

// Two keys at one time, also when they are not adjacent in the file or more than two.
TEST(DaeAnimation, KeysAtOneTimeAreAJump)
{
    for (const auto& [times, values, keys] :
         {std::tuple{"0 1 1 2", "0 1 5 6", 4}, std::tuple{"1 2 0 1", "1 6 0 5", 4},
          std::tuple{"0 1 1 1 2", "0 1 77 5 6", 5}}) {
        const scene::Scene scene =
            loaded(document(node, AnimationXml{"a", "n/t.X", times, values, keys}.text()));
        expect_near(place_at(scene, 0.5), {0.5, 2, 3});
        expect_near(place_at(scene, 0.99999), {0.99999, 2, 3});
        expect_near(place_at(scene, 1.0), {5, 2, 3});
        expect_near(place_at(scene, 1.5), {5.5, 2, 3});
    }
    const scene::Scene steps =
        loaded(document(node, AnimationXml{"a", "n/t.X", "0 1 1 2", "0 1 5 6", 4, 1, "STEP"}.text()));
    EXPECT_EQ(steps.clips.at(0).channels.at(0).interpolation, scene::Interpolation::step);
    expect_near(place_at(steps, 0.99999), {0, 2, 3});
    expect_near(place_at(steps, 1.0), {5, 2, 3});
}

// The file's times are stored as floats, requested times are not.
TEST(DaeAnimation, JumpsHappenAtTheirKeys)
{
    for (const char* kinds : {"STEP STEP STEP", "STEP LINEAR LINEAR"}) {
        const scene::Scene scene =
            loaded(document(node, AnimationXml{"a", "n/t.X", "2 2.5141 3.1", "0 5 9", 3, 1, kinds}.text()));
        EXPECT_NEAR(place_at(scene, 2.5141 - 2.0).x, 5.0, 1e-5) << kinds;
    }
}

TEST(DaeAnimation, RotationsAndWholeMatricesJump)
{
    const scene::Scene turned =
        loaded(document(node, AnimationXml{"a", "n/r.ANGLE", "0 1 1 2", "0 0 90 90", 4}.text()));
    expect_near(place_at(turned, 0.999, {1, 0, 0}), {2, 2, 3});
    expect_near(place_at(turned, 1.0, {1, 0, 0}), {1, 3, 3});
    const std::string front = "1 0 0 ", back = " 0 1 0 0 0 0 1 0 0 0 0 1 ";
    const scene::Scene moved = loaded(document(
        "<node id='n'><matrix sid='m'>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix></node>",
        AnimationXml{"a", "n/m", "0 1 1 2",
                     front + "0" + back + front + "1" + back + front + "5" + back + front + "6" + back, 4, 16}
            .text()));
    expect_near(place_at(moved, 0.5), {0.5, 0, 0});
    expect_near(place_at(moved, 0.99999), {0.99999, 0, 0});
    expect_near(place_at(moved, 1.0), {5, 0, 0});
}

// A jump is not a frame: the distance of keys gives 10 frames per second.
TEST(DaeAnimation, JumpsAreNotFrames)
{
    const scene::Scene scene =
        loaded(document(node, AnimationXml{"a", "n/t.X", "0 0.1 0.2 0.2 0.3", "0 1 2 8 9", 5}.text()));
    EXPECT_DOUBLE_EQ(scene.clips.at(0).frame_rate, 10.0);
}

} // namespace
} // namespace vitrine::dae::test
