#include "server/services/libraries/path_patterns.hpp"

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

TEST(PathPatterns, StarsStayInTheirFolder)
{
    EXPECT_TRUE(matches_glob("*.obj", "a.obj"));
    EXPECT_FALSE(matches_glob("*.obj", "a/b.obj"));
    EXPECT_TRUE(matches_glob("a?c", "abc"));
    EXPECT_FALSE(matches_glob("a?c", "a/c"));
    EXPECT_TRUE(matches_glob("", ""));
    EXPECT_FALSE(matches_glob("a", ""));
}

TEST(PathPatterns, TwoStarsCrossFolders)
{
    EXPECT_TRUE(matches_glob("a/**/b.obj", "a/b.obj"));
    EXPECT_TRUE(matches_glob("a/**/b.obj", "a/x/y/b.obj"));
    EXPECT_FALSE(matches_glob("a/**/b.obj", "a/xb.obj"));
    EXPECT_TRUE(matches_glob("**/old", "old"));
    EXPECT_TRUE(matches_glob("a/**", "a/b/c"));
}

TEST(PathPatterns, TakesTimeInProportionToTheLengths)
{
    EXPECT_FALSE(matches_glob(std::string(200, '*') + "b", std::string(1000, 'a')));
}

TEST(PathPatterns, NamesMatchAtEveryDepthAndPathsFromTheTop)
{
    const PathPatterns names({"*.OBJ", "backup/"});
    EXPECT_TRUE(names.matches("a/b/c.obj"));
    EXPECT_TRUE(names.matches("x/Backup"));
    const PathPatterns paths({"art/old", "/top.obj"});
    EXPECT_TRUE(paths.matches("art/old"));
    EXPECT_FALSE(paths.matches("x/art/old"));
    EXPECT_TRUE(paths.matches("top.obj"));
    EXPECT_TRUE(paths.matches_below("art/old/x/y.obj"));
    EXPECT_FALSE(paths.matches("art/old/x/y.obj"));
}

TEST(PathPatterns, RejectsWhatCannotBeAPattern)
{
    EXPECT_EQ(pattern_fault("*.obj"), "");
    EXPECT_NE(pattern_fault(""), "");
    EXPECT_NE(pattern_fault("a\nb"), "");
    EXPECT_NE(pattern_fault("\xff"), "");
}

} // namespace
} // namespace vitrine::server
