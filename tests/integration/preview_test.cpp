// The live preview of the real program: frames, credits, invalid messages, close code 1001 on stop.

#include <csignal>
#include <optional>
#include <thread>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaders/images/image.hpp"
#include "tests/integration/http_fixture.hpp"
#include "tests/integration/preview_client.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

class Preview : public Http {
protected:
    static void SetUpTestSuite() { start({"--viewers", "4"}); }
};

// A server of its own, because the test stops it.
class PreviewShutdown : public Http {};

} // namespace

TEST_F(Preview, SendsHelloThenOneFrame)
{
    WebSocket socket(port(), koi);
    ASSERT_EQ(socket.status, 101);
    auto hello = json::parse(socket.next().data);
    EXPECT_EQ(hello.at("type").as_string(), "hello");
    EXPECT_EQ(hello.at("limits").at("unacknowledged").to_number<int>(), 2);
    EXPECT_EQ(hello.at("camera").at("pitch").to_number<int>(), 15);
    socket.say(R"({"type":"view","input":5,"width":200,"height":120})");
    auto frame = parse(socket.next_of(2));
    ASSERT_EQ(frame.sequence, 1u);
    EXPECT_EQ(frame.input, 5u);
    EXPECT_EQ(frame.width, 200);
    EXPECT_EQ(frame.flags, 3);
    auto image = images::decode_image(std::as_bytes(std::span(frame.payload)), "", Limits{});
    ASSERT_TRUE(image);
    EXPECT_EQ(image->width, 200u);
    EXPECT_EQ(image->height, 120u);
    acknowledge(socket, frame);
    EXPECT_EQ(socket.next_of(2, 700ms).opcode, -1) << "no change, no frame";
    socket.say(R"({"type":"view","input":6,"camera":{"yaw":20}})");
    const auto changed = parse(socket.next_of(2));
    EXPECT_EQ(changed.sequence, 2u) << "nor later";
    EXPECT_EQ(changed.input, 6u);
}

TEST_F(Preview, UnchangedViewCausesNoFrame)
{
    WebSocket socket(port(), koi);
    socket.say(R"({"type":"view","input":1,"width":64,"height":64,"camera":{"yaw":10}})");
    acknowledge(socket, parse(socket.next_of(2)));
    socket.say(R"({"type":"view","input":2,"width":64,"camera":{"yaw":10}})");
    socket.say(R"({"type":"view","input":3,"color":"red"})");
    std::string type;
    while (type != "problem") { // the unknown member was read, so earlier messages were too
        auto message = socket.next();
        ASSERT_EQ(message.opcode, 1) << "a frame of an unchanged view";
        type = json::parse(message.data).at("type").as_string();
    }
    EXPECT_EQ(socket.next_of(2, 700ms).opcode, -1);
    socket.say(R"({"type":"view","input":4,"camera":{"yaw":20}})");
    auto frame = parse(socket.next_of(2));
    EXPECT_EQ(frame.sequence, 2u);
    EXPECT_EQ(frame.input, 4u);
}

TEST_F(Preview, PickUsesTheAcknowledgedFrame)
{
    WebSocket socket(port(), koi);
    socket.next(); // hello
    socket.say(R"({"type":"pick","id":1,"x":0.5,"y":0.5})");
    EXPECT_EQ(text_at(json::parse(socket.next_of(1).data), "/code"), "cannot_pick") << "nothing seen yet";
    socket.say(
        R"({"type":"view","width":200,"height":100,"clip":0,"time":0.2,"camera":{"yaw":90,"pitch":0}})");
    acknowledge(socket, parse(socket.next_of(2)));
    socket.say(R"({"type":"pick","id":7,"x":0.5025,"y":0.505})");
    const auto picked = json::parse(socket.next_of(1).data);
    EXPECT_EQ(picked.at("type"), "picked");
    EXPECT_EQ(picked.at("id").to_number<int>(), 7);
    const auto path = "/v1/assets/" + koi + "/pick?w=200&h=100&view=90,0&clip=0&t=0.2&x=100&y=50";
    EXPECT_EQ(picked.at("hit"), get(port(), path).json().at("hit"));
    EXPECT_TRUE(picked.at("hit").is_object());
    socket.say(R"({"type":"pick","x":0,"y":0})");
    EXPECT_TRUE(json::parse(socket.next_of(1).data).at("hit").is_null());
}

TEST_F(Preview, TwoCreditsAndNewestView)
{
    WebSocket socket(port(), koi);
    socket.say(R"({"type":"view","input":1,"width":64,"height":64,"clip":0,"playing":true})");
    auto first = parse(socket.next_of(2));
    auto second = parse(socket.next_of(2));
    EXPECT_EQ(second.sequence, 2u);
    EXPECT_GT(second.time, first.time);
    for (int input = 2; input <= 40; ++input) {
        socket.say(fmt::format(R"({{"type":"view","input":{},"camera":{{"yaw":{}}}}})", input, input));
    }
    EXPECT_EQ(socket.next_of(2, 700ms).opcode, -1); // both credits are used
    acknowledge(socket, first);
    auto third = parse(socket.next_of(2));
    EXPECT_EQ(third.sequence, 3u);
    EXPECT_EQ(third.input, 40u);
    acknowledge(socket, second);
    acknowledge(socket, third);
    for (int i = 0; i < 5; ++i)
        acknowledge(socket, parse(socket.next_of(2)));
}

TEST_F(Preview, TransparentIsPngAndInvalidMessagesAreReported)
{
    WebSocket socket(port(), koi);
    socket.next();
    for (auto text : {"{", "[]", R"({"type":"dance"})", R"({"type":"view","clip":99})",
                      R"({"type":"view","width":-1})"}) {
        socket.say(text);
        EXPECT_EQ(json::parse(socket.next_of(1).data).at("type").as_string(), "problem") << text;
    }
    socket.say(R"({"type":"view","width":32,"height":32,"background":"transparent"})");
    auto frame = parse(socket.next_of(2));
    EXPECT_EQ(frame.codec, 4);
    EXPECT_TRUE(frame.payload.starts_with("\x89PNG"));
    socket.send(2, "binary");
    EXPECT_EQ(socket.next_of(8).close_code(), 1008);
    WebSocket large(port(), koi);
    large.send(1, std::string(70'000, ' '));
    EXPECT_EQ(large.next_of(8).close_code(), 1009);
}

// Orbits until a frame of that codec arrives: on a slow machine, stills arrive in between.
class Turning {
public:
    explicit Turning(WebSocket& socket) : socket_(socket) {}

    PreviewFrame next(int codec, int width = 131, int height = 97)
    {
        for (int tries = 0; tries < 200; ++tries) {
            auto frame = once(width, height);
            if (frame.codec == codec || frame.sequence == 0) return frame;
        }
        return {};
    }
    PreviewFrame once(int width = 131, int height = 97)
    {
        socket_.say(
            fmt::format(R"({{"type":"view","width":{},"height":{},"camera":{{"yaw":{}}},"moving":true}})",
                        width, height, ++yaw_));
        return receive();
    }
    PreviewFrame receive()
    {
        auto frame = parse(socket_.next_of(2));
        acknowledge(socket_, frame);
        return frame;
    }

private:
    WebSocket& socket_;
    int yaw_ = 0;
};

TEST_F(Preview, MotionIsVideoAndRestIsAStill)
{
    WebSocket socket(port(), koi);
    Turning turning(socket);
    auto byte = [](const PreviewFrame& frame, std::size_t at) {
        return static_cast<unsigned char>(frame.payload.at(at));
    };
    socket.say(R"({"type":"decoder","codecs":["vp8","vp9"]})");
    auto frame = turning.next(2);
    ASSERT_EQ(frame.codec, 2);
    EXPECT_EQ(frame.flags, 1);
    // RFC 6386, 9.1: bit 0 of the tag is 0 for a key frame, then a start code, then the size.
    EXPECT_EQ(byte(frame, 0) & 1, 0);
    EXPECT_TRUE(std::string_view(frame.payload).substr(3).starts_with("\x9d\x01\x2a"));
    EXPECT_EQ(byte(frame, 6) + 256 * byte(frame, 7), frame.width);
    EXPECT_EQ(byte(frame, 8) + 256 * byte(frame, 9), frame.height);
    const auto width = frame.width;
    frame = turning.next(2);
    ASSERT_EQ(frame.codec, 2);
    EXPECT_EQ(frame.flags, frame.width == width ? 0 : 1);
    EXPECT_EQ(byte(frame, 0) & 1, frame.width == width ? 1 : 0);
    socket.say(R"({"type":"view","moving":false})");
    do
        frame = turning.receive();
    while (frame.codec == 2);
    EXPECT_EQ(frame.codec, 1);
    EXPECT_EQ(frame.flags, 3);
    EXPECT_EQ(frame.width, 131);
    socket.say(R"({"type":"decoder","codecs":["vp9"]})");
    frame = turning.next(3);
    ASSERT_EQ(frame.codec, 3);
    EXPECT_EQ(frame.flags, 1);
    EXPECT_EQ(byte(frame, 0) >> 6, 2); // VP9's frame marker
    socket.say(R"({"type":"decoder","codecs":[]})");
    turning.once(); // discards frames in flight
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(turning.once().codec, 1);
}

TEST_F(Preview, ChangeOfSizeGivesAKeyFrame)
{
    WebSocket socket(port(), koi);
    Turning turning(socket);
    socket.say(R"({"type":"decoder","codecs":["vp8"]})");
    std::uint16_t last = 0;
    for (int side : {64, 64, 1, 100, 64}) {
        const auto frame = turning.next(2, side, side);
        ASSERT_EQ(frame.codec, 2);
        EXPECT_LE(frame.width, side);
        EXPECT_EQ(frame.flags, frame.width == last ? 0 : 1) << side;
        last = frame.width;
    }
}

TEST_F(Preview, ChecksOriginAndProtocol)
{
    EXPECT_EQ(WebSocket(port(), "as_nobody").status, 404);
    EXPECT_EQ(WebSocket(port(), koi, "", "other").status, 400);
    EXPECT_EQ(WebSocket(port(), koi, "Origin: http://evil.example\r\n").status, 403);
    EXPECT_EQ(WebSocket(port(), koi, fmt::format("Origin: http://localhost:{}\r\n", port())).status, 101);
    const auto no_socket = get(port(), "/v1/assets/" + koi + "/preview");
    EXPECT_EQ(no_socket.status, 426);
    EXPECT_EQ(no_socket.body.find(R"("requestId":"")"), std::string::npos) << no_socket.body;
}

TEST_F(Preview, TooManyViewersAreRejectedUntilOneLeaves)
{
    std::vector<WebSocket> viewers;
    ASSERT_TRUE(eventually([&] {
        WebSocket viewer(port(), koi); // viewers of the previous test may still be connected
        if (viewer.status == 101) viewers.push_back(std::move(viewer));
        return viewers.size() == 4;
    }));
    EXPECT_EQ(WebSocket(port(), koi).status, 503);
    viewers.clear();
    EXPECT_TRUE(eventually([] { return WebSocket(port(), koi).status == 101; }));
}

// Disconnects during rendering and sending; each releases its slot and the device.
TEST_F(Preview, DisconnectedViewersReleaseTheirResources)
{
    const auto open = [] {
        std::optional<WebSocket> viewer;
        eventually([&] {
            viewer.emplace(port(), koi); // the previous one may still be connected
            return viewer->status == 101;
        });
        return *std::move(viewer);
    };
    WebSocket watching = open();
    constexpr int more_than_places = 9;
    for (int i = 0; i < more_than_places; ++i) {
        WebSocket socket = open();
        ASSERT_EQ(socket.status, 101) << "viewer " << i << " found no place";
        socket.say(R"({"type":"view","width":256,"height":256,"clip":0,"playing":true})");
        if (i % 2 == 0) EXPECT_EQ(socket.next_of(2).opcode, 2);
        socket.drop();
    }
    watching.say(R"({"type":"view","width":64,"height":64,"camera":{"yaw":10}})");
    EXPECT_EQ(parse(watching.next_of(2)).width, 64);
    EXPECT_EQ(get(port(), asset_path("/render?w=32&h=32")).status, 200) << "the device draws for others, too";
}

TEST_F(PreviewShutdown, ClosesWith1001)
{
    WebSocket socket(port(), koi);
    socket.say(R"({"type":"view","width":64,"height":64})");
    socket.next_of(2);
    server->signal(SIGTERM);
    auto message = socket.next_of(8);
    EXPECT_EQ(message.close_code(), 1001);
    socket.send(8, message.data);
    socket.drop();
    EXPECT_EQ(server->wait(), 0);
}

} // namespace vitrine::test
