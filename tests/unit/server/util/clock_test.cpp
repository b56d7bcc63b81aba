// Times of requests.

#include "server/util/clock.hpp"

#include <gtest/gtest.h>

namespace vitrine::server {

TEST(Clock, TimesAreRead)
{
    constexpr Micros time = 1'795'110'245'000'000; // date -u -d @1795110245: 2026-11-19 17:44:05
    EXPECT_EQ(parse_rfc3339("2026-11-19T17:44:05Z"), time);
    EXPECT_EQ(parse_rfc3339("2026-11-19T17:44:05.123Z"), time + 123'000);
    EXPECT_EQ(parse_rfc3339("2026-11-19T17:44:05.000001Z"), time + 1);
    EXPECT_EQ(parse_rfc3339("2026-11-19T18:44:05+01:00"), time);
    EXPECT_EQ(parse_rfc3339("2026-11-19T12:14:05-05:30"), time);
    EXPECT_EQ(parse_rfc3339("1970-01-01T00:00:00Z"), 0);
    EXPECT_EQ(parse_rfc3339("2024-02-29T00:00:00Z"), 1'709'164'800'000'000);
}

TEST(Clock, OtherTextsAreNoTimes)
{
    for (const char* text :
         {"", "now", "2026", "2026-11-19", "2026-11-19T17:44:05", "2026-11-19 17:44:05Z",
          "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-11-19T24:00:00Z", "2026-11-19T17:60:05Z",
          "2026-11-19T17:44:61Z", "2026-11-19T17:44:05.Z", "2026-11-19T17:44:05.1234567Z",
          "2026-11-19T17:44:05+1:00", "2026-11-19T17:44:05+01:60", "2026-11-19T17:44:05Zx",
          "1969-12-31T23:59:59Z", "-026-11-19T17:44:05Z", "2026-+1-19T17:44:05Z"})
        EXPECT_FALSE(parse_rfc3339(text)) << text;
}

} // namespace vitrine::server
