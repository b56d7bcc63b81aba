// The `stats` message of a live preview (api/websocket.md).

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "server/preview/preview_session.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

DrawnFrame frame_of(std::uint32_t render_us, std::uint32_t encode_us, std::size_t bytes)
{
    return {.bounds = {}, .render_us = render_us, .encode_us = encode_us, .payload_bytes = bytes};
}

class PreviewCountersTest : public ::testing::Test {
protected:
    PreviewTime start{1h};
    StatsInterval stats;
};

TEST_F(PreviewCountersTest, AreDueOneSecondAfterTheFirstFrame)
{
    EXPECT_FALSE(stats.due());
    stats.sent(frame_of(1000, 500, 100), start);
    stats.sent(frame_of(1000, 500, 100), start + 400ms);
    EXPECT_EQ(stats.due(), start + 1s);
    EXPECT_FALSE(stats.due_text(start + 999ms, 1.0));
    EXPECT_TRUE(stats.due_text(start + 1s, 1.0));
    EXPECT_FALSE(stats.due()) << "the next interval starts with its first frame";
}

TEST_F(PreviewCountersTest, AreRatesAndMeans)
{
    stats.sent(frame_of(4000, 1000, 300), start);
    stats.sent(frame_of(8000, 2000, 500), start + 1s);
    stats.acknowledged(0.010);
    stats.acknowledged(0.030);
    const auto text = stats.due_text(start + 2s, 0.5);
    ASSERT_TRUE(text);
    const auto message = boost::json::parse(*text);
    const auto number = [&](const char* name) { return message.at(name).to_number<double>(); };
    EXPECT_EQ(message.at("type").as_string(), "stats");
    EXPECT_DOUBLE_EQ(number("framesPerSecond"), 1.0);
    EXPECT_DOUBLE_EQ(number("bytesPerSecond"), 400.0);
    EXPECT_DOUBLE_EQ(number("renderMs"), 6.0);
    EXPECT_DOUBLE_EQ(number("encodeMs"), 1.5);
    EXPECT_DOUBLE_EQ(number("latencyMs"), 20.0);
    EXPECT_DOUBLE_EQ(number("scale"), 0.5);
}

} // namespace
} // namespace vitrine::server
