// Idle WebSockets: a live peer answers pings, a dead one is disconnected.

#include <atomic>
#include <future>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <gtest/gtest.h>

#include "server/net/async.hpp"
#include "server/net/connection.hpp"
#include "tests/unit/server/net/loopback_pair.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

// Sends nothing, or as much as the socket accepts.
class Talk final : public WebSocketSession {
public:
    Talk(bool endless, std::promise<void>& gone) : endless_(endless), gone_(gone) {}
    std::string_view protocol() const override { return "test"; }
    void start(asio::any_io_executor strand) override { bell_.emplace(strand); }
    void receive(std::string_view) override {}
    void receive_binary(std::string_view) override {}
    asio::awaitable<WebSocketMessage> next() override
    {
        if (!ended_ && !endless_) co_await bell_->wait(std::chrono::steady_clock::time_point::max());
        if (ended_) co_return WebSocketClose{};
        co_return WebSocketText{std::string(60'000, 'x')};
    }
    void stop() override { disconnect(); }
    void disconnect() override
    {
        if (std::exchange(ended_, true)) return;
        gone_.set_value();
        if (bell_) bell_->notify();
    }

private:
    bool endless_;
    std::promise<void>& gone_;
    bool ended_ = false;
    std::optional<Signal> bell_;
};

class Upgrade final : public HttpHandler {
public:
    explicit Upgrade(bool endless) : endless_(endless) {}
    asio::awaitable<Response> handle(Request&, BodySource&) override
    {
        Response response{.status = 101};
        response.body = std::unique_ptr<WebSocketSession>(std::make_unique<Talk>(endless_, gone));
        co_return response;
    }
    Response reject(int status, std::string_view) override { return {.status = status}; }

    std::promise<void> gone;

private:
    bool endless_;
};

// A peer and the server's end of its WebSocket.
struct Link {
    Link(bool endless, std::chrono::milliseconds idle_time)
        : handler(endless), limits{.websocket_idle_time = idle_time}
    {
        connection = make_connection(std::move(pair.server), handler, limits, work);
        asio::co_spawn(pair.io, connection->run(), [](const std::exception_ptr&) {});
        thread = std::jthread([this] { pair.io.run_for(test::wait_timeout); });
        pair.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
        std::string head, byte;
        while (!head.ends_with("\r\n\r\n") && !(byte = pair.read(1)).empty())
            head += byte;
        EXPECT_TRUE(head.starts_with("HTTP/1.1 101 ")) << head;
    }

    Upgrade handler;
    std::future<void> gone = handler.gone.get_future();
    LoopbackPair pair;
    NetLimits limits;
    WorkPool work{1, 8};
    std::shared_ptr<Connection> connection;
    std::jthread thread;
};

constexpr char ping = '\x89'; // RFC 6455, 5.2: final, opcode 9

// Returns whether the peer could answer `count` pings before it was disconnected.
bool answer_pings(LoopbackPair& pair, int count)
try {
    for (int i = 0; i < count; ++i) {
        const auto head = pair.read(2);
        if (head.size() < 2) return false;
        EXPECT_EQ(head[0], ping);
        const auto payload = pair.read(static_cast<unsigned char>(head[1]));
        // A pong, masked by zeros, as required of clients by RFC 6455, 5.3.
        pair.send(std::string(1, '\x8a') + static_cast<char>(0x80 | payload.size()) + std::string(4, '\0') +
                  payload);
    }
    return true;
} catch (const boost::system::system_error&) {
    return false;
}

// A ping comes after half of the idle time, the third after a peer without pongs is disconnected. On a busy
// machine a pong may be late; then the idle time is doubled.
TEST(WebSocketTest, PeerThatAnswersPingsStaysConnected)
{
    bool stays = false;
    for (std::chrono::milliseconds idle_time = 500ms; !stays && idle_time <= 16s; idle_time *= 2) {
        Link link(false, idle_time);
        stays = answer_pings(link.pair, 3);
        link.pair.peer.close();
        EXPECT_EQ(link.gone.wait_for(test::wait_timeout), std::future_status::ready);
    }
    EXPECT_TRUE(stays) << "each ping was answered";
}

TEST(WebSocketTest, PeerWithoutPongIsDisconnected)
{
    Link link(false, 200ms);
    EXPECT_EQ(link.pair.read(1), std::string(1, ping));
    EXPECT_EQ(link.gone.wait_for(test::wait_timeout), std::future_status::ready);
}

TEST(WebSocketTest, PeerThatDoesNotReadIsDisconnected)
{
    Link link(true, 200ms);
    EXPECT_EQ(link.gone.wait_for(test::wait_timeout), std::future_status::ready);
}

} // namespace
} // namespace vitrine::server
