#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/scene/motion/pose.hpp"
#include "tests/unit/3ds/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::test::threeds;

namespace {

constexpr float pi = std::numbers::pi_v<float>;

scene::Scene load_tracks(const std::string& tracks_of_node, int first = 0, int last = 60)
{
    return valid(
        load_3ds_bytes(file(triangle("o"), segment(first, last) + node(0, "o", no_parent, tracks_of_node))));
}

// Returns the position of a node's point, in the file's axes. Frames are relative to the start of the clip.
glm::vec3 at(const scene::Scene& scene, double frame, const glm::vec3& point = glm::vec3(0))
{
    scene::Pose pose;
    scene::sample_pose(scene, 0, frame / 30.0, pose);
    const auto p = glm::vec3(pose.model[0] * glm::vec4(point.x, point.z, -point.y, 1));
    return {p.x, -p.z, p.y};
}

std::string positions(const std::vector<TestKey>& keys, int flags = 0)
{
    return tracks(track(0xB020, keys, flags));
}
std::string rotations(const std::vector<TestKey>& keys)
{
    return tracks(position(0, 0, 0), track(0xB021, keys));
}

// The x axis rotated about z, counter-clockwise seen from above.
glm::vec3 turned(float degrees)
{
    const float angle = degrees * pi / 180.0f;
    return {std::cos(angle), std::sin(angle), 0.0f};
}

const glm::vec3 x_axis(1, 0, 0);

} // namespace

TEST(ThreedsClip, TwoKeysGoStraight)
{
    const auto scene = load_tracks(positions({{0, {0, 0, 0}}, {30, {6, 0, 0}}}));
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(scene.clips[0].name, "model");
    EXPECT_EQ(scene.clips[0].duration, 2.0);
    EXPECT_EQ(scene.clips[0].frame_rate, 30.0);
    EXPECT_EQ(scene.clips[0].frames, 61u);
    ASSERT_EQ(scene.clips[0].channels.size(), 1u);
    EXPECT_EQ(scene.clips[0].channels[0].times.size(), 2u) << "no more keys than needed";
    EXPECT_LT(glm::distance(at(scene, 10), glm::vec3(2, 0, 0)), 1e-5f);
    EXPECT_LT(glm::distance(at(scene, 45), glm::vec3(6, 0, 0)), 1e-5f) << "it stays";
}

TEST(ThreedsClip, StaticAnimationIsNotAClip)
{
    EXPECT_TRUE(load_tracks(positions({{0, {1, 2, 3}}})).clips.empty());
    EXPECT_TRUE(load_tracks(positions({{0, {1, 2, 3}}, {20, {1, 2, 3}}})).clips.empty());
}

TEST(ThreedsClip, SegmentIsPlayed)
{
    const auto moving = positions({{0, {0, 0, 0}}, {90, {9, 0, 0}}});
    const auto scene = load_tracks(moving, 30, 60);
    EXPECT_EQ(scene.clips[0].start_time, 1.0);
    EXPECT_EQ(scene.clips[0].duration, 1.0);
    EXPECT_LT(glm::distance(at(scene, 0), glm::vec3(3, 0, 0)), 1e-5f);
    EXPECT_EQ(load_tracks(moving, 0, 0).clips[0].duration, 3.0) << "no segment: all keys";
}

TEST(ThreedsClip, NegativeLengthGivesOneFrame)
{
    const auto header = chunk(0xB00A, words({5}) + text("MAXSCENE") + raw(-5));
    const auto moving = positions({{-30, {0, 0, 0}}, {-10, {9, 0, 0}}});
    const auto loaded = load_3ds_bytes(file(triangle("o"), header + node(0, "o", no_parent, moving)));
    ASSERT_TRUE(loaded) << loaded.error().detail;
    EXPECT_EQ(loaded->clips.at(0).duration, 0.0);
    EXPECT_EQ(loaded->clips[0].frames, 1u);
}

// Kochanek-Bartels without parameters is Catmull-Rom: the slope at the middle key is that of its neighbors;
// at the ends the curvature is minimal.
TEST(ThreedsClip, ThreeKeysMakeASpline)
{
    const auto scene = load_tracks(positions({{0, {0, 0, 0}}, {30, {10, 0, 0}}, {60, {0, 0, 0}}}));
    for (const double u : {0.1, 0.25, 0.5, 0.8}) {
        // From 0 to 10 with the tangents 1.5 * 10 - 0.25 * 0 = 15 and 0.
        const double expected = 10 * (3 * u * u - 2 * u * u * u) + 15 * (u * u * u - 2 * u * u + u);
        EXPECT_NEAR(at(scene, 30 * u).x, expected, 2e-3) << u;
        EXPECT_NEAR(at(scene, 60 - 30 * u).x, expected, 2e-3) << u;
    }
    EXPECT_LT(scene.clips[0].channels[0].times.size(), 200u);
}

// Differences of 10 and 20 on both sides of the middle key; its tangent is 15 without parameters.
TEST(ThreedsClip, TensionContinuityAndBiasBendIt)
{
    const auto middle = [](int flags, std::vector<float> parameters) {
        return load_tracks(
            positions({{0, {0, 0, 0}}, {30, {10, 0, 0}, flags, std::move(parameters)}, {60, {30, 0, 0}}}));
    };
    const auto slope = [](const scene::Scene& scene, double side) {
        return (at(scene, 30 + side).x - 10.0) / side * 30.0;
    };
    const double near = 1.0; // the slope is taken over a thirtieth of the way
    EXPECT_NEAR(slope(middle(0, {}), 1), 15, near);
    EXPECT_NEAR(slope(middle(0x01, {1.0f}), 1), 0, 2 * near) << "tension 1 stops";
    EXPECT_NEAR(slope(middle(0x01, {-1.0f}), 1), 30, 2 * near);
    EXPECT_NEAR(slope(middle(0x02, {-1.0f}), 1), 20, near) << "continuity -1: a corner";
    EXPECT_NEAR(slope(middle(0x02, {-1.0f}), -1), 10, near);
    EXPECT_NEAR(slope(middle(0x04, {1.0f}), 1), 10, near) << "bias 1: the way before";
    EXPECT_NEAR(slope(middle(0x04, {-1.0f}), 1), 20, near);
}

// With both eases 0 time is linear; "ease from 1" alone is t * t.
TEST(ThreedsClip, EasesBendTheTime)
{
    const auto from = load_tracks(positions({{0, {0, 0, 0}, 0x10, {1.0f}}, {30, {8, 0, 0}}}));
    EXPECT_NEAR(at(from, 15).x, 8 * 0.25, 2e-3);
    const auto to = load_tracks(positions({{0, {0, 0, 0}}, {30, {8, 0, 0}, 0x08, {1.0f}}}));
    EXPECT_NEAR(at(to, 15).x, 8 * 0.75, 2e-3);
    const auto both = load_tracks(positions({{0, {0, 0, 0}, 0x10, {1.0f}}, {30, {8, 0, 0}, 0x08, {1.0f}}}));
    EXPECT_NEAR(at(both, 15).x, 4, 2e-3);
    EXPECT_NEAR(at(both, 7.5).x, 1, 2e-3);
}

TEST(ThreedsClip, FramesOfAnEasedCurveAreExactOverLongDistances)
{
    const auto scene =
        load_tracks(positions({{0, {0, 0, 0}, 0x10, {0.5f}}, {30, {1000, 0, 0}, 0x08, {0.5f}}}));
    for (int frame = 0; frame <= 30; ++frame) { // faster in one half of the time, slower in the other
        const double t = frame / 30.0, way = t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t);
        EXPECT_NEAR(at(scene, frame).x, 1000 * way, 2e-4) << frame;
    }
    EXPECT_NEAR(at(scene, 7.5).x, 125, 0.05) << "and nearly so between frames";
}

// An angle is clockwise about its axis, relative to the previous key.
TEST(ThreedsClip, RotationsAccumulate)
{
    const auto scene =
        load_tracks(rotations({{0, {pi / 2, 0, 0, 1}}, {30, {-pi / 2, 0, 0, 1}}, {60, {-pi / 2, 1, 0, 0}}}));
    EXPECT_LT(glm::distance(at(scene, 0, x_axis), turned(-90)), 1e-5f);
    EXPECT_LT(glm::distance(at(scene, 30, x_axis), turned(0)), 1e-5f) << "back again";
    EXPECT_LT(glm::distance(at(scene, 60, {0, 1, 0}), glm::vec3(0, 0, 1)), 1e-5f) << "about the parent's x";
}

TEST(ThreedsClip, TurnsOfMoreThanHalfACircleKeepTheirWay)
{
    const auto most = load_tracks(rotations({{0, {0, 0, 0, 1}}, {30, {-1.5f * pi, 0, 0, 1}}}));
    EXPECT_LT(glm::distance(at(most, 10, x_axis), turned(90)), 1e-3f);
    EXPECT_LT(glm::distance(at(most, 20, x_axis), turned(180)), 1e-3f);
    const auto circles = load_tracks(rotations({{0, {0, 0, 0, 1}}, {36, {-4 * pi, 0, 0, 1}}}));
    for (const float frame : {3.0f, 9.0f, 15.0f, 27.0f})
        EXPECT_LT(glm::distance(at(circles, frame, x_axis), turned(20 * frame)), 1e-3f) << frame;
}

TEST(ThreedsClip, RotationGoesSmoothlyThroughItsKeys)
{
    const auto scene =
        load_tracks(rotations({{0, {0, 0, 0, 1}}, {30, {-0.2f * pi, 0, 0, 1}}, {60, {-0.6f * pi, 0, 0, 1}}}));
    EXPECT_LT(glm::distance(at(scene, 30, x_axis), turned(36)), 1e-4f);
    const auto way = [&](double from, double to) {
        return glm::distance(at(scene, from, x_axis), at(scene, to, x_axis));
    };
    EXPECT_NEAR(way(29, 30) / way(30, 31), 1.0, 0.1);
    const auto even =
        load_tracks(rotations({{0, {0, 0, 0, 1}}, {30, {-0.4f * pi, 0, 0, 1}}, {60, {-0.4f * pi, 0, 0, 1}}}));
    EXPECT_EQ(even.clips[0].channels[0].times.size(), 3u) << "an even turn needs no more keys";
}

TEST(ThreedsClip, TracksRepeat)
{
    for (const int flags : {1, 2, 3}) {
        const auto scene = load_tracks(positions({{0, {0, 0, 0}}, {20, {2, 0, 0}}}, flags));
        EXPECT_NEAR(at(scene, 10).x, 1, 1e-5) << flags;
        EXPECT_NEAR(at(scene, 30).x, 1, 1e-5) << flags;
        EXPECT_NEAR(at(scene, 55).x, 1.5, 1e-5) << flags;
    }
}

// In a loop the first and last key are the same, and the spline is smooth there.
TEST(ThreedsClip, LoopIsSmoothWhereItCloses)
{
    const std::vector<TestKey> circle{
        {0, {0, 0, 0}}, {10, {5, 5, 0}}, {20, {0, 10, 0}}, {30, {-5, 5, 0}}, {40, {0, 0, 0}}};
    const auto scene = load_tracks(positions(circle, 3));
    const auto before = at(scene, 40) - at(scene, 39.5), after = at(scene, 40.5) - at(scene, 40);
    EXPECT_LT(glm::distance(before, after), 0.06f);
    EXPECT_NEAR(after.y, 0.0f, 0.06f) << "sideways, as on the opposite side";
}

TEST(ThreedsClip, HideKeysTurnItOnAndOff)
{
    const auto scene = load_tracks(tracks() + track(0xB029, {{10, {}}, {20, {}}}));
    ASSERT_EQ(scene.clips.size(), 1u);
    const auto size = [&](double frame) {
        scene::Pose pose;
        scene::sample_pose(scene, 0, frame / 30.0, pose);
        return pose.local.at(1).scale.x;
    };
    EXPECT_EQ(size(0), 1.0f);
    EXPECT_EQ(size(15), 0.0f);
    EXPECT_EQ(size(25), 1.0f);
    EXPECT_EQ(scene.nodes[1].mesh, 0u);
}

TEST(ThreedsClip, BrokenTracksKeepWhatIsThere)
{
    const auto scene = load_tracks(tracks(track(0xB020, {{0, {0, 0, 0}}, {30, {6, 0, 0}}, {60, {7, 0}}})));
    EXPECT_EQ(codes(scene), "invalid_keys");
    EXPECT_EQ(scene.clips[0].channels[0].times.size(), 2u);
    const auto unordered = load_tracks(positions({{30, {6, 0, 0}}, {0, {0, 0, 0}}, {30, {3, 0, 0}}}));
    EXPECT_NEAR(at(unordered, 30).x, 3, 1e-5) << "by frame, the later of two";
    EXPECT_EQ(load_tracks(tracks(track(0xB020, {}))).nodes[0].local.translation, glm::vec3(0));
}

TEST(ThreedsClip, LimitOfKeyValuesHolds)
{
    Limits limits;
    limits.key_values = 10;
    const auto curve = positions({{0, {0, 0, 0}}, {30, {9, 0, 0}}, {60, {0, 0, 0}}});
    const auto loaded = load_3ds_bytes(file(triangle("o"), node(0, "o", no_parent, curve)), {}, limits);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().detail, "the numbers of all keys: more than the limit key_values = 10");
}
