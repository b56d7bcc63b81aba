// Responses without a handler, on a connection whose peer reads slowly, sends several requests at once, or
// goes.

#include <algorithm>
#include <set>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <gtest/gtest.h>

#include "server/net/connection.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/net/loopback_pair.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

// Has one response, to /ready; a condition is met. Other requests are answered with 404.
class OneCachedResponse final : public HttpHandler {
public:
    asio::awaitable<Response> handle(Request& request, BodySource&) override
    {
        ++handled;
        Response response{.status = 404};
        response.body = request.target.path;
        co_return response;
    }
    Response reject(int status, std::string_view) override { return {.status = status}; }
    CacheHit find_cached(const Request& request, std::string_view target) override
    {
        if (target != "/ready") return {};
        const bool unchanged = request.headers.find("If-None-Match").has_value();
        return {.response = cached, .unchanged = unchanged, .id = make_request_id()};
    }

    std::string body = "body";
    SharedCachedResponse cached = std::make_shared<CachedResponse>(
        CachedResponse{.head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n",
                       .unchanged_head = "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n",
                       .etag = "\"a\"",
                       .content = body});
    int handled = 0;
};

class CachedResponses : public ::testing::Test {
protected:
    void open()
    {
        pair.watch(pair.server.native_handle());
        connection = make_connection(std::move(pair.server), handler, limits, work);
        asio::co_spawn(pair.io, connection->run(), [this](const std::exception_ptr&) { ended = true; });
        thread = std::jthread([this] { pair.io.run_for(test::wait_timeout); });
    }
    void close()
    {
        pair.peer.close();
        thread.join();
        EXPECT_TRUE(ended);
    }
    static std::string request(std::string_view target, std::string_view field = "",
                               std::string_view method = "GET")
    {
        return std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: a\r\n" +
               std::string(field) + "\r\n";
    }

    LoopbackPair pair;
    NetLimits limits;
    WorkPool work{1, 8};
    OneCachedResponse handler;
    std::shared_ptr<Connection> connection;
    std::atomic<bool> ended = false;
    std::jthread thread;
};

TEST_F(CachedResponses, HaveHeadDateIdAndBody)
{
    open();
    pair.send(request("/ready"));
    const auto head = pair.read_head();
    EXPECT_TRUE(head.starts_with(handler.cached->head + "X-Request-Id: ")) << head;
    EXPECT_NE(head.find("\r\nDate: " + std::string(http_date().substr(0, 16))), head.npos) << head;
    EXPECT_TRUE(head.ends_with("\r\nConnection: keep-alive\r\n\r\n")) << head;
    EXPECT_EQ(pair.read(4), "body");
    close();
    EXPECT_EQ(handler.handled, 0);
}

TEST_F(CachedResponses, OfHeadAndOfAConditionHaveNoBody)
{
    open();
    pair.send(request("/ready", "", "HEAD"));
    EXPECT_TRUE(pair.read_head().starts_with("HTTP/1.1 200 "));
    pair.send(request("/ready", "If-None-Match: \"a\"\r\n"));
    EXPECT_TRUE(pair.read_head().starts_with("HTTP/1.1 304 ")) << "the head is not followed by a body";
    close();
}

TEST_F(CachedResponses, EndTheConnectionIfAsked)
{
    open();
    pair.send(request("/ready", "Connection: close\r\n"));
    EXPECT_TRUE(pair.read_head().ends_with("\r\nConnection: close\r\n\r\n"));
    EXPECT_EQ(pair.read(5), "body");
    close();
}

TEST_F(CachedResponses, StayInOrderAmongOthers)
{
    open();
    std::string all;
    for (int i = 0; i < 20; ++i)
        all += request(i % 2 == 0 ? "/ready" : "/other");
    pair.send(all);
    std::set<std::string> heads;
    for (int i = 0; i < 20; ++i) {
        const auto head = pair.read_head();
        EXPECT_TRUE(head.starts_with(i % 2 == 0 ? "HTTP/1.1 200 " : "HTTP/1.1 404 ")) << i;
        EXPECT_EQ(pair.read(i % 2 == 0 ? 4 : 6), i % 2 == 0 ? "body" : "/other") << i;
        heads.insert(head);
    }
    EXPECT_EQ(heads.size(), 11u) << "each has its own id";
    close();
    EXPECT_EQ(handler.handled, 10);
}

TEST_F(CachedResponses, RequestInPiecesIsLeftToTheParser)
{
    open();
    const auto whole = request("/ready");
    pair.send(whole.substr(0, 10));
    ASSERT_TRUE(test::eventually([&] { return pair.is_consumed(); }));
    pair.send(whole.substr(10));
    EXPECT_TRUE(pair.read_head().starts_with("HTTP/1.1 404 "));
    close();
}

TEST_F(CachedResponses, ReachASlowReaderWhole)
{
    std::string body;
    for (int i = 0; body.size() < 300'000; ++i)
        body += std::to_string(i) + " ";
    handler.cached =
        std::make_shared<CachedResponse>(CachedResponse{.head = "HTTP/1.1 200 OK\r\n", .content = body});
    open();
    pair.send(request("/ready") + request("/ready"));
    for (int i = 0; i < 2; ++i) {
        EXPECT_TRUE(pair.read_head().starts_with("HTTP/1.1 200 "));
        EXPECT_TRUE(pair.read(body.size()) == body);
    }
    close();
}

TEST_F(CachedResponses, DoNotWaitForAReaderThatHasStopped)
{
    limits.body_time = 0s;
    handler.cached = std::make_shared<CachedResponse>(
        CachedResponse{.head = "HTTP/1.1 200 OK\r\n", .content = std::string(8'000'000, 'x')});
    open();
    pair.send(request("/ready"));
    thread.join(); // without anything being read
    EXPECT_TRUE(ended);
    EXPECT_EQ(handler.cached.use_count(), 1) << "the response is released";
}

} // namespace
} // namespace vitrine::server
