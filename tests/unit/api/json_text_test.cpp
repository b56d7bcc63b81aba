// The text of JSON values.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "api/json_text.hpp"

using namespace vitrine;
namespace json = boost::json;

namespace {

// Visits floats of every exponent with many fractions, deterministically.
template <class Visit>
void each_float(Visit visit)
{
    for (std::uint32_t bits = 1; bits < 0x7f800000u; bits += 40'013) {
        float value;
        static_assert(sizeof value == sizeof bits);
        std::memcpy(&value, &bits, sizeof value);
        visit(value);
    }
}

} // namespace

TEST(JsonText, NumbersAreShortestAndReadBackExactly)
{
    EXPECT_EQ(api::to_text(api::number(0.1f)), "0.1");
    EXPECT_EQ(api::to_text(api::number(1.0f)), "1");
    EXPECT_EQ(api::to_text(api::number(0.1)), "0.1");
    EXPECT_EQ(api::to_text(api::number(1.0 / 3)), "0.3333333333333333");
    EXPECT_EQ(api::to_text(api::number(std::numeric_limits<float>::infinity())), "null");
    EXPECT_EQ(api::to_text(api::number(std::nan(""))), "null");
    EXPECT_EQ(api::to_text(api::number(-0.0f)), "0");
    EXPECT_EQ(api::to_text(api::number(-0.0)), "0");
    each_float([](float value) {
        ASSERT_EQ(std::strtof(api::to_text(api::number(value)).c_str(), nullptr), value) << value;
    });
}

TEST(JsonText, AppendedNumbersAreThoseOfValues)
{
    const auto expect_equal_text = [](float value) {
        std::string text = "x";
        api::append_number(text, value);
        ASSERT_EQ(text, "x" + api::to_text(api::number(value)));
    };
    each_float(expect_equal_text);
    each_float([&](float value) { expect_equal_text(-value); });
    for (const float value : {0.0f, -0.0f, std::nanf(""), std::numeric_limits<float>::infinity(), 1e15f,
                              1e16f, 123456789.0f, 16777216.0f, 1e-4f, 1e-5f})
        expect_equal_text(value);
}

TEST(JsonText, RoundTripsThroughBoost)
{
    const auto value = json::parse(R"({"a":[1,-2.5,"x\n\u0001\"é",null,true,{"b":[]},[]],"c":{}})");
    EXPECT_EQ(json::parse(api::to_text(value)), value);
    EXPECT_EQ(json::parse(api::to_pretty_text(value)), value);
    EXPECT_EQ(api::to_text(value).find('\n'), std::string::npos);
}

TEST(JsonText, PrettyFormatKeepsNumbersOnALine)
{
    EXPECT_EQ(api::to_pretty_text(json::parse(R"({"a":[1,2],"b":[{"c":0}],"d":{}})")),
              "{\n  \"a\": [1, 2],\n  \"b\": [\n    {\n      \"c\": 0\n    }\n  ],\n  \"d\": {}\n}");
}
