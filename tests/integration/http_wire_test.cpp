// HTTP: methods, paths, access checks, framing, pipelining, Expect.

#include "tests/integration/http_fixture.hpp"

namespace vitrine::test {

TEST_F(Http, MethodsAndPaths)
{
    auto options = fetch(port(), "OPTIONS", "/v1/assets");
    EXPECT_EQ(options.status, 204);
    EXPECT_EQ(options.header("allow"), "POST, GET, HEAD, OPTIONS");
    auto rejected = fetch(port(), "DELETE", "/v1/assets");
    EXPECT_EQ(rejected.status, 405);
    EXPECT_EQ(rejected.header("allow"), "POST, GET, HEAD, OPTIONS");
    EXPECT_EQ(text_at(rejected.json(), "/requestId"), rejected.header("x-request-id"));
    EXPECT_FALSE(rejected.header("x-request-id").empty());
    EXPECT_EQ(fetch(port(), "BREW", "/v1/assets").status, 405);
    EXPECT_EQ(get(port(), "/v1/nothing").status, 404);
    for (auto path : {"/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/etc/passwd",
                      "/assets/..%5c..%5cx.js", "//etc/passwd"}) {
        auto reply = get(port(), path);
        EXPECT_TRUE(reply.status == 404 || reply.status == 400) << path << " " << reply.status;
    }
    for (auto path : {"/files/..%2F..%2Fcatalog.sqlite", "/files/../../../etc/passwd", "/files/%00"}) {
        auto reply = get(port(), asset_path(path));
        EXPECT_TRUE(reply.status == 404 || reply.status == 400) << path << " " << reply.status;
    }
}

TEST_F(Http, ChecksHostAndOrigin)
{
    auto with_host = [](std::string_view host) {
        Socket socket(port());
        socket.send(fmt::format("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", host));
        return read_reply(socket).status;
    };
    EXPECT_EQ(with_host("localhost"), 200);
    EXPECT_EQ(with_host("rebound.example"), 421);
    EXPECT_EQ(fetch(port(), "DELETE", asset_path(""), {{"Origin", "http://evil.example"}}).status, 403);
    EXPECT_EQ(get(port(), "/v1/assets", {{"X-Forwarded-For", "1.2.3.4"}}).status, 403);
    auto page = get(port(), "/");
    EXPECT_NE(page.header("content-security-policy").find("default-src 'self'"), std::string::npos);
}

TEST_F(Http, HostileFraming)
{
    auto talk = [](std::string_view bytes) {
        Socket socket(port());
        socket.send(bytes);
        return read_reply(socket).status;
    };
    const std::string get_line = "GET /healthz HTTP/1.1\r\n";
    EXPECT_EQ(talk(get_line + "\r\n"), 400);
    EXPECT_EQ(talk(get_line + "Host: a\r\nHost: localhost\r\n\r\n"), 400);
    EXPECT_EQ(talk(get_line + "Host: localhost\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n"), 431);
    EXPECT_EQ(talk("GET /" + std::string(9'000, 'a') + " HTTP/1.1\r\nHost: localhost\r\n\r\n"), 414);
    EXPECT_EQ(talk("nonsense\r\n\r\n"), 400);
    EXPECT_EQ(talk(get_line +
                   "Host: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
              400);
    EXPECT_EQ(talk(get_line + "Host: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"), 400);
    EXPECT_EQ(talk(get_line + "Host : localhost\r\n\r\n"), 400);
    EXPECT_EQ(talk("GET http://localhost/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"), 400);
    EXPECT_EQ(talk("GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n"), 400);
    Socket bad_chunks(port());
    bad_chunks.send("POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                    "application/zip\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
    EXPECT_EQ(bad_chunks.receive_all(), "") << "the end of the body is unknown";
    EXPECT_EQ(get(port(), "/healthz").status, 200);
}

TEST_F(Http, PipelinedRequestsAreAnsweredInOrder)
{
    Socket socket(port());
    const std::string host = " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    socket.send("GET /healthz" + host + "HEAD /v1/assets" + host + "GET /v1/nothing" + host + "GET /healthz" +
                host);
    EXPECT_EQ(read_reply(socket).body, "ok\n");
    EXPECT_EQ(read_reply(socket, true).status, 200);
    EXPECT_EQ(read_reply(socket).status, 404);
    EXPECT_EQ(read_reply(socket).body, "ok\n");
}

TEST_F(Http, ExpectContinueIsAnswered)
{
    Socket socket(port());
    socket.send("PATCH " + asset_path("") +
                " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_EQ(socket.receive_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    socket.send("{}");
    const auto unchanged = read_reply(socket);
    EXPECT_EQ(unchanged.status, 200) << unchanged.body;
    EXPECT_EQ(text_at(unchanged.json(), "/id"), koi);
}

} // namespace vitrine::test
