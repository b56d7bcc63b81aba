// Lines of key=value as JSON.

#include "server/log_format.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

std::string json_of(std::string_view text)
{
    const auto line = to_json_line("2026-01-02T03:04:05.678Z", "info", text);
    const std::string begin = "{\"time\":\"2026-01-02T03:04:05.678Z\",\"level\":\"info\",";
    EXPECT_TRUE(line.starts_with(begin)) << line;
    return "{" + line.substr(begin.size());
}

TEST(LogFormat, EachPairIsAMember)
{
    EXPECT_EQ(json_of("id=12 status=404 ms=0.25 n=-3 route=list_assets"),
              "{\"id\":\"12\",\"status\":404,\"ms\":0.25,\"n\":-3,\"route\":\"list_assets\"}");
    EXPECT_EQ(json_of("msg=\"listening\" url=http://127.0.0.1:8080 data=/srv/a=b"),
              "{\"msg\":\"listening\",\"url\":\"http://127.0.0.1:8080\",\"data\":\"/srv/a=b\"}");
    EXPECT_EQ(json_of("a= b=\"\""), "{\"a\":\"\",\"b\":\"\"}");
    EXPECT_EQ(json_of("a=nan b=inf c=1e5 d=0x1 e=1234567890123 f=\"7\""),
              "{\"a\":\"nan\",\"b\":\"inf\",\"c\":\"1e5\",\"d\":\"0x1\",\"e\":1234567890123,\"f\":\"7\"}");
}

TEST(LogFormat, QuotedValuesAreThoseOfFmt)
{
    for (const std::string value : {"plain", "two words", "a \"quote\" and \\ and \t\r\n",
                                    "gr\u00fc\u00dfe \u6f22", "\x01\x7f", "= x=\"y\""})
        EXPECT_EQ(json_of(fmt::format("error={:?} z=1", value)),
                  json_of(fmt::format("error={:?}", value))
                          .substr(0, json_of(fmt::format("error={:?}", value)).size() - 1) +
                      ",\"z\":1}");
    EXPECT_EQ(json_of(fmt::format("a={:?}", "x \"y\"\n\u00e9\x01")),
              "{\"a\":\"x \\\"y\\\"\\n\u00e9\\u0001\"}");
    EXPECT_EQ(json_of(fmt::format("a={:?}", "\xff")), "{\"a\":\"\ufffd\"}");
}

TEST(LogFormat, OtherTextsAreTheMessage)
{
    EXPECT_EQ(json_of("no pairs here"), "{\"msg\":\"no pairs here\"}");
    EXPECT_EQ(json_of("a=1 then text"), "{\"msg\":\"a=1 then text\"}");
    EXPECT_EQ(json_of("a=\"without end"), "{\"msg\":\"a=\\\"without end\"}");
    EXPECT_EQ(json_of("a=\"x\"y"), "{\"msg\":\"a=\\\"x\\\"y\"}");
    EXPECT_EQ(json_of("A=1"), "{\"msg\":\"A=1\"}");
    EXPECT_EQ(json_of(""), "{\"msg\":\"\"}");
    EXPECT_EQ(json_of("path=/\xff\xc3(x) a=1"), "{\"path\":\"/\ufffd\ufffd(x)\",\"a\":1}");
}

} // namespace
} // namespace vitrine::server
