// Live previews of one view by several viewers.

#include <cstdlib>
#include <map>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "tests/integration/http_fixture.hpp"
#include "tests/integration/preview_client.hpp"

namespace vitrine::test {
namespace {

class PreviewSharing : public Http {};

// Frames by pose time, until `count` have arrived.
std::map<double, std::string> play(WebSocket& socket, std::size_t count)
{
    std::map<double, std::string> payloads;
    while (payloads.size() < count) {
        const auto frame = parse(socket.next_of(2));
        if (frame.sequence == 0) break;
        acknowledge(socket, frame);
        payloads[frame.time] = std::to_string(frame.width) + frame.payload;
    }
    return payloads;
}

TEST_F(PreviewSharing, ViewersOfOneViewGetEqualFrames)
{
    const auto shared = [] {
        const auto metrics = get(port(), "/metrics").body;
        const std::string name = "vitrine_preview_shareable_frames_total{origin=\"shared\"} ";
        return std::atof(metrics.c_str() + metrics.find(name) + name.size());
    };
    const double before = shared();
    constexpr const char* view =
        R"({"type":"view","input":1,"width":96,"height":64,"clip":0,"playing":true})";
    WebSocket first(port(), koi);
    first.say(view);
    EXPECT_EQ(play(first, 4).size(), 4u);
    EXPECT_EQ(shared(), before) << "a viewer alone shares nothing";
    auto second = std::make_unique<WebSocket>(port(), koi);
    second->say(view);
    std::map<double, std::string> of_first, of_second;
    std::jthread other([&] { of_second = play(*second, 20); });
    of_first = play(first, 20);
    other.join();
    EXPECT_GT(shared(), before);
    std::size_t common = 0;
    for (const auto& [time, payload] : of_second)
        if (const auto found = of_first.find(time); found != of_first.end() && found->second == payload)
            ++common;
    EXPECT_GE(common, 10u);
    second.reset();
    EXPECT_EQ(play(first, 10).size(), 10u) << "the other goes on";
}

} // namespace
} // namespace vitrine::test
