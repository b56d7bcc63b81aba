// HTTP connections: invalid requests, bodies that nobody reads, Expect: 100-continue, a stop.

#include "tests/unit/server/net/connection_fixture.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

// Stops its connection before it answers.
class Stop final : public HttpHandler {
public:
    explicit Stop(std::shared_ptr<Connection>& connection) : connection_(connection) {}
    asio::awaitable<Response> handle(Request&, BodySource&) override
    {
        connection_->stop();
        co_return Response{.status = 200};
    }
    Response reject(int status, std::string_view) override { return {.status = status}; }

private:
    std::shared_ptr<Connection>& connection_;
};

constexpr std::size_t drained = 256 * 1024;

TEST_F(HttpConnectionTest, ShortUnreadBodyKeepsTheConnection)
{
    BodyCounter handler(false);
    open(handler);
    for (int i = 0; i < 2; ++i) {
        send_head(drained);
        pair.send(std::string(drained, 'x'));
        const auto head = pair.read_head();
        EXPECT_TRUE(head.starts_with("HTTP/1.1 200 ")) << head;
        EXPECT_FALSE(closes(head)) << head;
        EXPECT_EQ(pair.read(1), "0");
    }
    pair.peer.close();
}

// Each turn of the thread that all connections of a context share costs other connections its overhead.
TEST_F(HttpConnectionTest, BodyIsReadInFewTurns)
{
    constexpr std::size_t pieces = 16, piece_bytes = 64 * 1024;
    BodyCounter handler(true);
    connection = make_connection(std::move(pair.server), handler, limits, work);
    asio::co_spawn(pair.io, connection->run(), [](const std::exception_ptr&) {});
    pair.io.poll();
    send_head(pieces * piece_bytes);
    pair.io.poll();
    std::size_t turns = 0;
    for (std::size_t i = 0; i < pieces; ++i) {
        pair.send(std::string(piece_bytes, 'x'));
        turns += pair.io.poll();
    }
    EXPECT_LE(turns, 6 * pieces);
    thread = std::jthread([this] { pair.io.run_for(test::wait_timeout); });
    EXPECT_TRUE(pair.read_head().starts_with("HTTP/1.1 200 "));
    EXPECT_EQ(pair.read(7), std::to_string(pieces * piece_bytes));
    pair.peer.close();
}

TEST_F(HttpConnectionTest, LongUnreadBodyEndsTheConnection)
{
    BodyCounter handler(false);
    open(handler);
    send_head(drained + 1);
    const auto head = pair.read_head(); // without its body
    EXPECT_TRUE(head.starts_with("HTTP/1.1 200 ")) << head;
    EXPECT_TRUE(closes(head)) << head;
    pair.peer.close();
}

TEST_F(HttpConnectionTest, ContinueIsSentOnce)
{
    BodyCounter handler(true);
    open(handler);
    send_head(drained, "Expect: 100-continue\r\n");
    EXPECT_EQ(pair.read_head(), "HTTP/1.1 100 Continue\r\n\r\n");
    pair.send(std::string(drained, 'x')); // four pieces of 64 KiB
    const auto head = pair.read_head();
    EXPECT_TRUE(head.starts_with("HTTP/1.1 200 ")) << head;
    EXPECT_EQ(pair.read(6), "262144");
    pair.peer.close();
}

TEST_F(HttpConnectionTest, UnwantedBodyIsNotAskedFor)
{
    BodyCounter handler(false);
    open(handler);
    send_head(10, "Expect: 100-continue\r\n");
    const auto head = pair.read_head();
    EXPECT_TRUE(head.starts_with("HTTP/1.1 200 ")) << head;
    EXPECT_TRUE(closes(head)) << head;
    pair.peer.close();
}

TEST_F(HttpConnectionTest, EndsAfterTheResponseWhenItIsStopped)
{
    Stop handler(connection);
    open(handler);
    send_head(0);
    const auto head = pair.read_head();
    EXPECT_TRUE(head.starts_with("HTTP/1.1 200 ")) << head;
    EXPECT_TRUE(closes(head)) << head;
    EXPECT_EQ(pair.read(1), "");
    pair.peer.close();
}

TEST_F(InvalidRequests, TargetIsNotUtf8)
{
    EXPECT_EQ(status_of("GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n"), "HTTP/1.1 400");
}

TEST_F(InvalidRequests, NoHost)
{
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\n\r\n"), "HTTP/1.1 400");
}

TEST_F(InvalidRequests, TwoHosts)
{
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"), "HTTP/1.1 400");
}

TEST_F(InvalidRequests, LongTarget)
{
    limits.max_target_bytes = 10;
    EXPECT_EQ(status_of("GET /123456789a HTTP/1.1\r\nHost: a\r\n\r\n"), "HTTP/1.1 414");
}

TEST_F(InvalidRequests, LongHeader)
{
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(limits.max_header_bytes, 'x') +
                        "\r\n\r\n"),
              "HTTP/1.1 431");
}

TEST_F(InvalidRequests, NoHttp)
{
    EXPECT_EQ(status_of("GE T / HTTP/1.1\r\n\r\n"), "HTTP/1.1 400");
}

TEST_F(InvalidRequests, LateHeader)
{
    limits.header_time = 0s;
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost:"), "HTTP/1.1 408");
}

TEST_F(HttpConnectionTest, LongestTargetIsServed)
{
    limits.max_target_bytes = 10;
    BodyCounter handler(true);
    open(handler);
    pair.send("GET /123456789 HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_TRUE(pair.read_head().starts_with("HTTP/1.1 200 "));
    pair.peer.close();
}

} // namespace
} // namespace vitrine::server
