#include <gtest/gtest.h>

#include "server/cli/terminal/progress.hpp"

using vitrine::cli::progress_bar_text;
using vitrine::cli::progress_text;

TEST(ProgressText, IsAFractionAndAName)
{
    EXPECT_EQ(progress_text(3, 12, "robot.fbx", 80), "[3/12] robot.fbx");
    EXPECT_EQ(progress_text(3, 0, "robot.fbx", 80), "reading robot.fbx");
    EXPECT_EQ(progress_text(3, 12, "", 80), "[3/12]");
}

TEST(ProgressText, IsABarOfAFraction)
{
    EXPECT_EQ(progress_bar_text("robot", 0.25, "load"), "robot [######..................]  25% load");
    EXPECT_EQ(progress_bar_text("robot", 7.0, "load"), "robot [########################] 100% load");
    EXPECT_EQ(progress_bar_text("robot", -1.0, ""), "robot [........................]   0% ");
}

TEST(ProgressText, FitsOneLine)
{
    EXPECT_EQ(progress_text(1, 2, "folder/robot.fbx", 15), "[1/2] robot.fbx");
    EXPECT_EQ(progress_text(1, 2, "\xC3\xA9t\xC3\xA9.fbx", 12), "[1/2] t\xC3\xA9.fbx") << "by characters";
    EXPECT_EQ(progress_text(1, 2, "robot.fbx", 6), "[1/2]");
    EXPECT_EQ(progress_text(100, 200, "robot.fbx", 4), "[100");
    EXPECT_EQ(progress_text(1, 2, "robot.fbx", 0), "");
}

TEST(ProgressText, KeepsControlCharactersOut)
{
    EXPECT_EQ(progress_text(1, 2, "a\nb\033[2J", 80).find_first_of("\n\033"), std::string::npos);
}
