// HTTP by RFC 9110 and 9112: the target and the field Host, HTTP/1.0, Transfer-Encoding.

#include <utility>

#include "tests/unit/server/net/connection_fixture.hpp"

namespace vitrine::server {
namespace {

TEST_F(InvalidRequests, HostIsNoName)
{
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: user@a\r\n\r\n"), "HTTP/1.1 400");
}

TEST_F(InvalidRequests, TwoHostsOfHttp10)
{
    EXPECT_EQ(status_of("GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n"), "HTTP/1.1 400");
}

TEST_F(InvalidRequests, AbsoluteTargetWithoutAuthority)
{
    EXPECT_EQ(status_of("GET http:///path HTTP/1.1\r\nHost: a\r\n\r\n"), "HTTP/1.1 400");
}

TEST_F(InvalidRequests, AsteriskOfOtherMethodsThanOptions)
{
    EXPECT_EQ(status_of("GET * HTTP/1.1\r\nHost: a\r\n\r\n"), "HTTP/1.1 400");
}

TEST_F(InvalidRequests, AuthorityAsTarget)
{
    EXPECT_EQ(status_of("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"), "HTTP/1.1 400");
}

TEST_F(InvalidRequests, OtherTransferCoding)
{
    EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n"), "HTTP/1.1 400");
}

TEST_F(InvalidRequests, CodingsBeforeChunked)
{
    EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
              "HTTP/1.1 400");
}

TEST_F(InvalidRequests, ChunkedTwice)
{
    EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
                        "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
              "HTTP/1.1 400");
}

TEST_F(InvalidRequests, ChunksOfHttp10)
{
    EXPECT_EQ(status_of("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
              "HTTP/1.1 400");
}

// Answers with Host and path; to "/stream" with a stream of "one" and "two".
class Echo final : public HttpHandler {
public:
    asio::awaitable<Response> handle(Request& request, BodySource&) override
    {
        Response response{.status = 200};
        if (request.target.path == "/stream")
            response.body = std::unique_ptr<EventStreamBody>(std::make_unique<TwoPieces>());
        else
            response.body =
                std::string(request.headers.find("Host").value_or("none")) + request.target.path + "\n";
        co_return response;
    }
    Response reject(int status, std::string_view) override { return {.status = status}; }

private:
    class TwoPieces final : public EventStreamBody {
    public:
        asio::awaitable<std::string> next() override
        {
            co_return std::exchange(next_, next_ == "one" ? "two" : "");
        }
        void stop() override {}

    private:
        std::string next_ = "one";
    };
};

TEST_F(HttpConnectionTest, AbsoluteTargetReplacesHost)
{
    Echo handler;
    open(handler);
    pair.send("GET http://other.example:81/path?q HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_TRUE(pair.read_head().starts_with("HTTP/1.1 200 "));
    EXPECT_EQ(pair.read(22), "other.example:81/path\n");
    pair.send("GET http://b HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_TRUE(pair.read_head().starts_with("HTTP/1.1 200 "));
    EXPECT_EQ(pair.read(3), "b/\n");
    pair.peer.close();
}

TEST_F(HttpConnectionTest, Http10NeedsNoHostAndEndsWithTheResponse)
{
    Echo handler;
    open(handler);
    pair.send("GET /x HTTP/1.0\r\n\r\n");
    const auto head = pair.read_head();
    EXPECT_TRUE(head.starts_with("HTTP/1.1 200 ")) << head;
    EXPECT_TRUE(closes(head)) << head;
    EXPECT_EQ(pair.read(100), "none/x\n");
    pair.peer.close();
}

TEST_F(HttpConnectionTest, Http10StaysOpenIfItAsks)
{
    Echo handler;
    open(handler);
    for (int i = 0; i < 2; ++i) {
        pair.send("GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        EXPECT_FALSE(closes(pair.read_head()));
        EXPECT_EQ(pair.read(7), "none/x\n");
    }
    pair.peer.close();
}

TEST_F(HttpConnectionTest, Http10HasNoChunks)
{
    Echo handler;
    open(handler);
    pair.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    const auto head = ascii::lower(pair.read_head());
    EXPECT_EQ(head.find("transfer-encoding"), std::string::npos) << head;
    EXPECT_EQ(pair.read(100), "onetwo");
    pair.peer.close();
}

TEST_F(HttpConnectionTest, Http11HasChunks)
{
    Echo handler;
    open(handler);
    pair.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_NE(ascii::lower(pair.read_head()).find("transfer-encoding: chunked\r\n"), std::string::npos);
    EXPECT_EQ(pair.read(100), "3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n");
    pair.peer.close();
}

TEST_F(HttpConnectionTest, Http10GetsNoContinue)
{
    BodyCounter handler(true);
    open(handler);
    pair.send("POST / HTTP/1.0\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nxy");
    EXPECT_TRUE(pair.read_head().starts_with("HTTP/1.1 200 "));
    EXPECT_EQ(pair.read(100), "2");
    pair.peer.close();
}

} // namespace
} // namespace vitrine::server
