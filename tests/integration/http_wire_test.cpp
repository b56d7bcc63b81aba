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
    EXPECT_EQ(talk("GET http://localhost/healthz HTTP/1.1\r\nHost: other.example\r\n\r\n"), 200);
    EXPECT_EQ(talk("GET http://other.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"), 421);
    EXPECT_EQ(talk("GET /healthz HTTP/1.0\r\n\r\n"), 200);
    EXPECT_EQ(talk("GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n"), 400);
    for (const auto* body : {"zz\r\n", "3\r\nabcd\r\n0\r\n\r\n", "ffffffffffffffffff\r\n", "-1\r\n"}) {
        Socket socket(port());
        socket.send(std::string("POST /v1/assets HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                                "application/zip\r\nTransfer-Encoding: chunked\r\n\r\n") +
                    body);
        const auto reply = read_reply(socket);
        EXPECT_EQ(reply.status, 400) << body;
        EXPECT_EQ(text_at(reply.json(), "/code"), "bad_request") << body;
        EXPECT_EQ(reply.header("connection"), "close") << body;
        EXPECT_EQ(socket.receive_all(), "") << "the end of the body is unknown: " << body;
    }
    EXPECT_EQ(get(port(), "/healthz").status, 200);
}

TEST_F(Http, IfMatchOfReads)
{
    const auto path = asset_path("");
    const auto etag = get(port(), path).header("etag");
    EXPECT_EQ(get(port(), path, {{"If-Match", etag}}).status, 200);
    EXPECT_EQ(get(port(), path, {{"If-Match", "*"}}).status, 200);
    EXPECT_EQ(get(port(), path, {{"If-Match", "\"other\", " + etag}}).status, 200);
    EXPECT_EQ(get(port(), path, {{"If-Match", etag}, {"If-None-Match", etag}}).status, 304);
    for (const auto& other : {std::string("\"other\""), "W/" + etag}) {
        const auto rejected = get(port(), path, {{"If-Match", other}});
        EXPECT_EQ(rejected.status, 412) << other;
        EXPECT_EQ(text_at(rejected.json(), "/code"), "precondition_failed");
        EXPECT_EQ(get(port(), path, {{"If-Match", other}, {"If-None-Match", etag}}).status, 412) << other;
    }
    const auto packed = get(port(), path + "/skeleton", {{"Accept-Encoding", "gzip"}}).header("etag");
    EXPECT_EQ(get(port(), path + "/skeleton", {{"If-Match", packed}}).status, 200) << packed;
    EXPECT_EQ(get(port(), path + "/files", {{"If-Match", "\"other\""}}).status, 412);
}

TEST_F(Http, UnknownPathsAreNotThePage)
{
    for (const auto* path : {"/metricz", "/api", "/v2/assets", "/assets", "/assets/x/y", "/index",
                             "/docs/none", "/assets/x.js", "/assets/x%2fy"}) {
        const auto reply = get(port(), path);
        EXPECT_EQ(reply.status, 404) << path;
        EXPECT_EQ(reply.header("content-type"), "application/problem+json") << path;
    }
    const auto moved = get(port(), "/docs/?q=1");
    EXPECT_EQ(moved.status, 308);
    EXPECT_EQ(moved.header("location"), "/docs?q=1");
    Socket socket(port());
    socket.send("GET /docs/ HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_EQ(socket.receive_until("\r\n"), "HTTP/1.1 308 Permanent Redirect\r\n");
    EXPECT_EQ(get(port(), "/v1/assets/").header("location"), "/v1/assets");
    EXPECT_EQ(get(port(), "//").status, 404);
}

TEST_F(Http, FailedHandshakesOfWebSocketsAreProblems)
{
    const std::vector<std::pair<std::string, std::string>> good{
        {"Connection", "keep-alive, Upgrade"},
        {"Upgrade", "websocket"},
        {"Sec-WebSocket-Version", "13"},
        {"Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="},
        {"Sec-WebSocket-Protocol", "vitrine.preview.v1"}};
    const auto with = [&](const std::string& name, const std::string& value) {
        auto fields = good;
        for (auto& field : fields)
            if (field.first == name) field.second = value;
        const auto reply = get(port(), asset_path("/preview"), fields);
        EXPECT_EQ(reply.header("content-type"), "application/problem+json") << name << value;
        EXPECT_EQ(text_at(reply.json(), "/requestId"), reply.header("x-request-id"));
        EXPECT_FALSE(reply.header("x-request-id").empty());
        return std::to_string(reply.status) + " " + text_at(reply.json(), "/code");
    };
    EXPECT_EQ(with("Upgrade", "h2c"), "426 websocket_required");
    EXPECT_EQ(with("Sec-WebSocket-Version", "12"), "426 websocket_required");
    EXPECT_EQ(with("Connection", "keep-alive"), "400 bad_handshake");
    EXPECT_EQ(with("Sec-WebSocket-Key", "short"), "400 bad_handshake");
    EXPECT_EQ(with("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAA!A=="), "400 bad_handshake");
    EXPECT_EQ(with("Sec-WebSocket-Protocol", "chat"), "400 unknown_protocol");
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
