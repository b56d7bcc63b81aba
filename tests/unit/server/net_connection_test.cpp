// HTTP connections: bodies that nobody reads, and the answer to Expect: 100-continue.

#include "server/net/connection.hpp"

#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaders/base/ascii.hpp"
#include "tests/unit/server/loopback_pair.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

// Answers 200 with the number of bytes that it has read of the body.
class Count final : public HttpHandler {
public:
    explicit Count(bool reads) : reads_(reads) {}
    asio::awaitable<Response> handle(Request&, BodySource& body) override
    {
        std::size_t bytes = 0;
        while (reads_) {
            const auto piece = co_await body.next();
            if (piece.empty()) break;
            bytes += piece.size();
        }
        Response response{.status = 200};
        response.body = std::to_string(bytes);
        co_return response;
    }
    Response refuse(int status, std::string_view) override { return {.status = status}; }

private:
    bool reads_;
};

class HttpConnectionTest : public ::testing::Test {
protected:
    void open(HttpHandler& handler)
    {
        connection = make_connection(std::move(pair.server), handler, limits, work);
        asio::co_spawn(pair.io, connection->run(), [](const std::exception_ptr&) {});
        thread = std::jthread([this] { pair.io.run_for(20s); });
    }
    void send_head(std::size_t length, std::string_view field = "")
    {
        pair.send(
            fmt::format("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n{}\r\n", length, field));
    }
    // Returns the next status line and fields.
    std::string read_head()
    {
        std::string head;
        while (!head.ends_with("\r\n\r\n")) {
            const auto byte = pair.read(1);
            if (byte.empty()) break;
            head += byte;
        }
        return head;
    }
    static bool closes(std::string_view head)
    {
        return ascii::lower(head).find("connection: close") != std::string::npos;
    }

    LoopbackPair pair;
    NetLimits limits;
    WorkPool work{1, 8};
    std::shared_ptr<Connection> connection;
    std::jthread thread;
};

constexpr std::size_t drained = 256 * 1024;

TEST_F(HttpConnectionTest, ShortUnreadBodyKeepsTheConnection)
{
    Count handler(false);
    open(handler);
    for (int i = 0; i < 2; ++i) {
        send_head(drained);
        pair.send(std::string(drained, 'x'));
        const auto head = read_head();
        EXPECT_TRUE(head.starts_with("HTTP/1.1 200 ")) << head;
        EXPECT_FALSE(closes(head)) << head;
        EXPECT_EQ(pair.read(1), "0");
    }
    pair.peer.close();
}

TEST_F(HttpConnectionTest, LongUnreadBodyEndsTheConnection)
{
    Count handler(false);
    open(handler);
    send_head(drained + 1);
    const auto head = read_head(); // without its body
    EXPECT_TRUE(head.starts_with("HTTP/1.1 200 ")) << head;
    EXPECT_TRUE(closes(head)) << head;
    pair.peer.close();
}

TEST_F(HttpConnectionTest, ContinueIsSentOnce)
{
    Count handler(true);
    open(handler);
    send_head(drained, "Expect: 100-continue\r\n");
    EXPECT_EQ(read_head(), "HTTP/1.1 100 Continue\r\n\r\n");
    pair.send(std::string(drained, 'x')); // four pieces of 64 KiB
    const auto head = read_head();
    EXPECT_TRUE(head.starts_with("HTTP/1.1 200 ")) << head;
    EXPECT_EQ(pair.read(6), "262144");
    pair.peer.close();
}

TEST_F(HttpConnectionTest, UnwantedBodyIsNotAskedFor)
{
    Count handler(false);
    open(handler);
    send_head(10, "Expect: 100-continue\r\n");
    const auto head = read_head();
    EXPECT_TRUE(head.starts_with("HTTP/1.1 200 ")) << head;
    EXPECT_TRUE(closes(head)) << head;
    pair.peer.close();
}

} // namespace
} // namespace vitrine::server
