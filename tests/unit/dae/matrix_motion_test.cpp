// Animated matrices and skews: TRS transforms and shear.

#include <cmath>

#include <gmock/gmock.h>

#include "loaders/scene/motion/pose.hpp"
#include "tests/unit/dae/animated.hpp"

namespace vitrine::dae::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

// (3)(0) is the x of the translation: column, then row.
TEST(DaeAnimation, SingleNumbersOfAMatrix)
{
    const std::string nodes = "<node id='n'><matrix sid='m'>1 0 0 0 0 1 0 5 0 0 1 0 0 0 0 1</matrix></node>";
    const scene::Scene scene = loaded(document(nodes, AnimationXml{"a", "n/m(3)(0)", "0 1", "0 10"}.text()));
    expect_near(place_at(scene, 0.25), {2.5, 5, 0});
    const scene::Scene last_row =
        loaded(document(nodes, AnimationXml{"a", "n/m(0)(3)", "0 1", "0 10"}.text()));
    expect_near(place_at(last_row, 0.25), {0, 5, 0});
}

// Half a turn between two whole matrices: interpolating their numbers would collapse the box.
TEST(DaeAnimation, WholeMatricesMeetByRotation)
{
    const std::string nodes = "<node id='n'><matrix sid='m'>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix></node>";
    const std::string keys = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1   0 -1 0 4 1 0 0 0 0 0 1 0 0 0 0 1";
    const scene::Scene scene = loaded(document(nodes, AnimationXml{"a", "n/m", "0 1", keys, 2, 16}.text()));
    const float h = std::sqrt(0.5f);
    expect_near(place_at(scene, 0.5, {1, 0, 0}), {2 + h, h, 0});
    for (const scene::Channel& channel : scene.clips.at(0).channels)
        EXPECT_THAT(channel.times, ElementsAre(0, 1));
}

// The local matrix of a child of a parent with non-uniform scale, in programs that write whole matrices. The
// last key mirrors.
TEST(DaeAnimation, ShearedMatricesKeepTheirShear)
{
    const std::string nodes = "<node id='n' name='n'><matrix sid='m'>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>"
                              "<node id='child'/></node>";
    const std::string keys = "1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1   1 0.5 0 4  0 2 0 5  0.25 0 1 6  0 0 0 1   "
                             "-1 0.5 0 4  0 1 0.7 5  0 0 1 6  0 0 0 1";
    const scene::Scene scene = loaded(
        document(nodes, AnimationXml{"a", "n/m", "0 1 2", keys, 3, 16, "LINEAR LINEAR LINEAR"}.text()));
    ASSERT_THAT(scene.nodes, SizeIs(3));
    EXPECT_EQ(scene.nodes[1].name, "n");
    expect_near(place_at(scene, 0, {1, 2, 3}), {1, 2, 3});
    expect_near(place_at(scene, 1, {1, 0, 0}), {5, 5, 6.25f});
    expect_near(place_at(scene, 1, {0, 1, 0}), {4.5f, 7, 6});
    expect_near(place_at(scene, 1, {0, 0, 1}), {4, 5, 7});
    expect_near(place_at(scene, 2, {1, 0, 0}), {3, 5, 6});
    expect_near(place_at(scene, 2, {0, 1, 1}), {4.5f, 6.7f, 7});
}

// A rotation of 90 degrees together with a shear: the box keeps its size in between.
TEST(DaeAnimation, ShearedMatricesMeetByRotation)
{
    const std::string nodes =
        "<node id='n'><matrix sid='m'>1 0.5 0 0 0.5 1 0 0 0 0 1 0 0 0 0 1</matrix></node>";
    const std::string keys = "1 0.5 0 0 0.5 1 0 0 0 0 1 0 0 0 0 1   -0.5 -1 0 4 1 0.5 0 0 0 0 1 0 0 0 0 1";
    const scene::Scene scene = loaded(document(nodes, AnimationXml{"a", "n/m", "0 1", keys, 2, 16}.text()));
    const float h = std::sqrt(0.5f);
    expect_near(place_at(scene, 0.5, {1, 0, 0}), {2 + 0.5f * h, 1.5f * h, 0});
    expect_near(place_at(scene, 0.3, {0, 0, 1}), {1.2f, 0, 1});
    for (const scene::Channel& channel : scene.clips.at(0).channels)
        EXPECT_LE(channel.times.size(), 2u);
}

// A rotation after an animated scale: two nodes, each a TRS at any time.
TEST(DaeAnimation, NonTrsElementsGetHelperNodes)
{
    const std::string nodes =
        "<node id='n' name='n'><scale sid='s'>1 1 1</scale><rotate sid='r'>0 0 1 0</rotate></node>";
    const scene::Scene scene =
        loaded(document(nodes, AnimationXml{"a", "n/s.X", "0 1", "1 3"}.text() +
                                   AnimationXml{"b", "n/r.ANGLE", "0 1", "0 90"}.text()));
    ASSERT_THAT(scene.nodes, SizeIs(2));
    EXPECT_EQ(scene.nodes[1].name, "n");
    const float h = std::sqrt(0.5f);
    expect_near(place_at(scene, 0.5, {1, 0, 0}), {2 * h, h, 0});
}

TEST(DaeAnimation, SkewMoves)
{
    const std::string nodes = "<node id='n'><skew sid='k'>0 0 1 0 1 0 0</skew></node>";
    const scene::Scene scene = loaded(document(nodes, AnimationXml{"a", "n/k.ANGLE", "0 1", "0 45"}.text()));
    for (const double t : {0.0, 0.3, 0.5, 1.0}) {
        const auto k = static_cast<float>(std::tan(glm::radians(45 * t)));
        expect_near(place_at(scene, t, {0, 1, 0}), {k, 1, 0}, 5e-4f);
        expect_near(place_at(scene, t, {1, 0, 0}), {1, 0, 0}, 5e-4f);
    }
}

TEST(DaeAnimation, ObliqueSkewMoves)
{
    const std::string nodes = "<node id='n'><skew sid='k'>0 1 1 0 1 0 0</skew></node>";
    const scene::Scene scene = loaded(document(nodes, AnimationXml{"a", "n/k.ANGLE", "0 1", "0 45"}.text()));
    for (const double t : {0.0, 0.3, 0.5, 1.0}) {
        const auto k = static_cast<float>(std::tan(glm::radians(45 * t)) * std::sqrt(0.5));
        expect_near(place_at(scene, t, {0, 1, 0}), {k, 1, 0}, 5e-4f);
        expect_near(place_at(scene, t, {1, 0, 0}), {1 + k, 0, 0}, 5e-4f);
    }
}

// The matrix is a TRS in the static pose: only the curve's numbers have shear, at a key or in between.
TEST(DaeAnimation, SingleNumbersOfAMatrixShear)
{
    const std::string rest = "<node id='n'><matrix sid='m'>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix></node>";
    const scene::Scene one = loaded(document(rest, AnimationXml{"a", "n/m(1)(0)", "0 1", "0 1"}.text()));
    for (const double t : {0.0, 0.25, 0.5, 1.0}) {
        expect_near(place_at(one, t, {0, 2, 0}), {2 * t, 2, 0}, 5e-4f);
        expect_near(place_at(one, t, {1, 0, 0}), {1, 0, 0}, 5e-4f);
    }
    const scene::Scene two =
        loaded(document(rest, AnimationXml{"a", "n/m(1)(0)", "0 1 2", "0 1 0", 3}.text() +
                                  AnimationXml{"b", "n/m(3)(0)", "0 2", "0 4"}.text()));
    expect_near(place_at(two, 1.0, {0, 2, 0}), {4, 2, 0}, 5e-4f);
    const scene::Scene moved = loaded(document(rest, AnimationXml{"b", "n/m(3)(0)", "0 2", "0 4"}.text()));
    EXPECT_THAT(moved.nodes, SizeIs(1)) << "a translation needs no second node";
}

} // namespace
} // namespace vitrine::dae::test
