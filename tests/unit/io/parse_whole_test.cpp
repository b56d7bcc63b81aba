#include "loaders/base/parse_whole.hpp"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

namespace vitrine {
namespace {

TEST(ParseWhole, ReadsIntegersInTheRangeOfTheType)
{
    EXPECT_EQ(parse_whole<std::uint8_t>("255"), 255);
    EXPECT_EQ(parse_whole<std::uint8_t>("007"), 7);
    EXPECT_EQ(parse_whole<std::uint8_t>("256"), std::nullopt);
    EXPECT_EQ(parse_whole<int>("-12"), -12);
    EXPECT_EQ(parse_whole<std::uint64_t>("18446744073709551615"), UINT64_MAX);
    EXPECT_EQ(parse_whole<std::uint64_t>("18446744073709551616"), std::nullopt);
    EXPECT_EQ(parse_whole<std::uint16_t>("fF", 16), 255);
}

TEST(ParseWhole, RejectsWhatIsNotOnlyTheNumber)
{
    for (const char* text : {"", " 1", "1 ", "+1", "-", "1.0", "0x1", "1a", "one"})
        EXPECT_EQ(parse_whole<int>(text), std::nullopt) << text;
    EXPECT_EQ(parse_whole<unsigned>("-1"), std::nullopt) << "the type has no sign";
    EXPECT_EQ(parse_whole<int>(std::string_view("12;3").substr(0, 2)), 12)
        << "reads no further than the text";
    for (const char* text : {"", " 1.5", "1.5 ", "+1.5", "1.5.2", "1,5", "1e999"})
        EXPECT_EQ(parse_whole<double>(text), std::nullopt) << text;
}

TEST(ParseWhole, ReadsDecimals)
{
    EXPECT_EQ(parse_whole<double>("-2.5e-1"), -0.25);
    EXPECT_EQ(parse_whole<float>(".5"), 0.5f);
    EXPECT_TRUE(std::isinf(parse_whole<double>("inf").value()));
    EXPECT_TRUE(std::isnan(parse_whole<double>("nan").value()));
}

} // namespace
} // namespace vitrine
