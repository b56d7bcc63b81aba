#include "loaders/base/error.hpp"

#include <gtest/gtest.h>

namespace vitrine {

TEST(LoadErrc, HasStableNames)
{
    EXPECT_EQ(to_string(LoadErrc::unknown_format), "unknown_format");
    EXPECT_EQ(to_string(LoadErrc::truncated), "truncated");
    EXPECT_EQ(to_string(LoadErrc::out_of_memory), "out_of_memory");
    EXPECT_EQ(to_string(LoadErrc::killed), "killed");
    EXPECT_EQ(to_string(LoadErrc::internal), "internal");
    for (int i = 0; i <= static_cast<int>(LoadErrc::internal); ++i)
        EXPECT_EQ(to_string(static_cast<LoadErrc>(i)) == "internal",
                  i == static_cast<int>(LoadErrc::internal));
}

} // namespace vitrine
