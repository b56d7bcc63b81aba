// Clips that loop: their last frame runs into the first.

#include <gtest/gtest.h>

#include "loaders/scene/validation/validate.hpp"
#include "tests/unit/md2/moving_model.hpp"

using namespace vitrine;
using namespace vitrine::test;

TEST(Md2Loops, LastFrameRunsIntoTheFirst)
{
    for (const char* name : {"run", "stand", "walk", "swim", "crwalk", "crstand", "crstnd", "idle_a"}) {
        const auto loaded = load_model(moving(name, {0, 1, 2, 3, 4, 8}));
        ASSERT_TRUE(loaded);
        const scene::Clip& clip = loaded->clips.at(0);
        EXPECT_EQ(clip.frames, 6u) << name;
        EXPECT_NEAR(clip.duration, 0.6, 1e-12) << name;
        EXPECT_EQ(clip.channels.at(0).times.size(), 7u) << name;
        EXPECT_EQ(positions_at(*loaded, 0, 0.5).at(0).x, 8.0f) << name;
        EXPECT_NEAR(positions_at(*loaded, 0, 0.55).at(0).x, 4.0f, 1e-5f) << name << ": no other frame shows";
        EXPECT_EQ(positions_at(*loaded, 0, 0.6).at(0).x, 0.0f) << name;
        ASSERT_TRUE(scene::validate(*loaded));
    }
}

TEST(Md2Loops, OneShotClipsDoNotLoop)
{
    for (const char* name : {"death", "jump", "pain1_", "attack", "crdeath", "run_attack", "taunt"}) {
        const auto loaded = load_model(moving(name, {0, 1, 2, 3, 2, 1}));
        ASSERT_TRUE(loaded);
        EXPECT_NEAR(loaded->clips.at(0).duration, 0.5, 1e-12) << name;
        EXPECT_EQ(positions_at(*loaded, 0, 0.5).at(0).x, 1.0f) << name;
    }
}

TEST(Md2Loops, OtherNamesLoopWhereTheJumpIsNoLargerThanTheStepsBesideIt)
{
    const auto duration = [](std::initializer_list<std::uint8_t> xs) {
        return load_model(moving("frame", xs))->clips.at(0).duration;
    };
    EXPECT_NEAR(duration({0, 2, 4, 4, 2, 1}), 0.6, 1e-12);
    EXPECT_NEAR(duration({0, 2, 4, 6, 4, 2}), 0.6, 1e-12) << "as large as the steps beside it";
    EXPECT_NEAR(duration({0, 1, 2, 3, 4, 5}), 0.5, 1e-12) << "a jump back";
    EXPECT_NEAR(duration({0, 2, 4, 4, 2, 0}), 0.5, 1e-12) << "the first frame is there again";
    EXPECT_NEAR(duration({0, 5}), 0.1, 1e-12);
    EXPECT_EQ(load_model(moving("run", {0}))->clips.at(0).duration, 0.0);
}

TEST(Md2Loops, RepeatedFirstFrameAtTheEndIsDropped)
{
    EXPECT_NEAR(load_model(moving("run", {0, 2, 4, 2, 0}))->clips.at(0).duration, 0.4, 1e-12);
    EXPECT_NEAR(load_model(moving("run", {3, 3, 3, 3, 3}))->clips.at(0).duration, 0.5, 1e-12) << "all alike";
}

// VertexFrameRecord 7 of the file shows between run's last and first frames nowhere.
TEST(Md2Loops, LoopInTheMiddleOfTheFileShowsItsOwnFramesOnly)
{
    Md2Model model = moving("run", {10, 20, 30});
    const Md2Model next = moving("jump", {200, 201});
    model.frames.insert(model.frames.end(), next.frames.begin(), next.frames.end());
    const auto loaded = load_model(model);
    ASSERT_TRUE(loaded);
    for (int i = 20; i <= 30; ++i) {
        const float expected = 30.0f - 2.0f * static_cast<float>(i - 20);
        EXPECT_NEAR(positions_at(*loaded, 0, i * 0.01).at(0).x, expected, 1e-4f) << i;
    }
    EXPECT_NEAR(loaded->clips.at(1).start_time, 0.3, 1e-12);
}
