// Completeness of changes in a watched folder, as sequences of events.

#include <gtest/gtest.h>

#include "server/cli/change_debouncer.hpp"

namespace vitrine::cli {
namespace {

using namespace std::chrono_literals;

class SettlingTest : public ::testing::Test {
protected:
    std::string take()
    {
        std::string text;
        for (const auto& unit : settling.take(now)) {
            text += unit.unit.string() + ":";
            for (const auto& file : unit.files)
                text += " " + file.string();
            text += "\n";
        }
        return text;
    }

    WatchTime now{std::chrono::hours(1)};
    ChangeDebouncer settling{1000ms};
};

TEST_F(SettlingTest, FileIsCompleteWhenClosedAndQuiet)
{
    EXPECT_FALSE(settling.next());
    settling.writing("in", "in/a.glb", now);
    now += 5000ms; // a slow writer has not finished
    EXPECT_EQ(take(), "");
    EXPECT_FALSE(settling.next());
    settling.written("in", "in/a.glb", now);
    EXPECT_EQ(settling.next(), now + 1000ms);
    now += 999ms;
    EXPECT_EQ(take(), "");
    now += 1ms;
    EXPECT_EQ(take(), "in: in/a.glb\n");
    EXPECT_EQ(take(), ""); // only once
    EXPECT_FALSE(settling.next());
}

TEST_F(SettlingTest, LaterFilesJoinTheUnit)
{
    settling.written("in/robot", "in/robot/robot.md5mesh", now);
    settling.written("in", "in/koi.glb", now);
    now += 700ms;
    settling.written("in/robot", "in/robot/walk.md5anim", now);
    settling.writing("in/robot", "in/robot/skin.tga", now);
    now += 400ms;
    EXPECT_EQ(take(), "in: in/koi.glb\n"); // units are independent
    settling.written("in/robot", "in/robot/skin.tga", now);
    now += 1000ms;
    EXPECT_EQ(take(), "in/robot: in/robot/robot.md5mesh in/robot/skin.tga in/robot/walk.md5anim\n");
}

TEST_F(SettlingTest, RemovedFilesAreNotAwaited)
{
    settling.writing("in", "in/a.part", now);
    settling.written("in", "in/b.glb", now);
    settling.removed("in", "in/a.part", now); // renamed
    settling.written("in", "in/a.glb", now);
    settling.removed("in", "in/b.glb", now);
    settling.removed("elsewhere", "elsewhere/x", now);
    now += 1000ms;
    EXPECT_EQ(take(), "in: in/a.glb\n");
    settling.written("in", "in/c.glb", now);
    settling.removed("in", "in/c.glb", now);
    now += 1000ms;
    EXPECT_EQ(take(), "");
    EXPECT_FALSE(settling.next());
}

} // namespace
} // namespace vitrine::cli
