#include "api/user_clips.hpp"

#include <gtest/gtest.h>

namespace vitrine::api {
namespace {

TEST(UserClips, TextsReadBack)
{
    const std::vector<UserClip> clips{{"walk \"loop\" 歩", 3, 1, 25, 23.976}, {"b", 0, 0, 1, 1.0}};
    const auto again = parse_user_clips(user_clips_text(clips));
    ASSERT_EQ(again.size(), 2u);
    EXPECT_EQ(again[0].name, clips[0].name);
    EXPECT_EQ(again[0].clip, 3u);
    EXPECT_EQ(again[0].first_frame, 1u);
    EXPECT_EQ(again[0].last_frame, 25u);
    EXPECT_EQ(again[0].frame_rate, 23.976);
    EXPECT_EQ(user_clips_text({}), "");
    EXPECT_TRUE(parse_user_clips("").empty());
    EXPECT_TRUE(parse_user_clips("[{\"name\":3}]").empty());
}

} // namespace
} // namespace vitrine::api
