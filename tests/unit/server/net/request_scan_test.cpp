// Which requests are recognized as simple. tests/fuzz/request.cpp compares with the parser of all requests.

#include "server/net/request_scan.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

bool scan(std::string_view bytes, ScannedRequest& request)
{
    return scan_request(bytes, 100, 1000, request);
}

bool is_simple(std::string_view bytes)
{
    ScannedRequest request;
    return scan(bytes, request);
}

std::string with_field(std::string_view field)
{
    return "GET / HTTP/1.1\r\nHost: a\r\n" + std::string(field) + "\r\n\r\n";
}

TEST(RequestScan, FindsTargetAndFields)
{
    const std::string first =
        "GET /v1/assets?q=a%20b HTTP/1.1\r\nHost: localhost:80\r\nAccept:\t image/webp \r\nX-Empty:\r\n\r\n";
    ScannedRequest request;
    const std::string received = first + "HEAD /next HTTP/1.1\r\n";
    ASSERT_TRUE(scan(received, request));
    EXPECT_EQ(request.size_bytes, first.size());
    EXPECT_EQ(request.method, Method::get);
    EXPECT_EQ(request.target, "/v1/assets?q=a%20b");
    ASSERT_EQ(request.fields().size(), 3u);
    EXPECT_EQ(request.fields()[1].name, "Accept");
    EXPECT_EQ(request.fields()[1].value, "image/webp");
    EXPECT_EQ(request.fields()[2].value, "");
    ASSERT_TRUE(scan("HEAD /next HTTP/1.1\r\nHost: a\r\n\r\n", request));
    EXPECT_EQ(request.method, Method::head);
    EXPECT_EQ(request.fields().size(), 1u);
}

TEST(RequestScan, LeavesIncompleteRequests)
{
    const std::string whole = with_field("Accept: text/html");
    EXPECT_TRUE(is_simple(whole));
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_FALSE(is_simple(whole.substr(0, size))) << size;
}

TEST(RequestScan, LeavesWhatNeedsMoreThanAnAnswer)
{
    for (const char* field :
         {"Content-Length: 0", "content-length: 3", "Transfer-Encoding: chunked", "Expect: 100-continue",
          "Upgrade: websocket", "Connection: keep-alive, Upgrade", "Proxy-Connection: close", "Host: b"})
        EXPECT_FALSE(is_simple(with_field(field))) << field;
}

TEST(RequestScan, TellsWhetherTheConnectionStaysOpen)
{
    ScannedRequest request;
    EXPECT_TRUE(scan(with_field("Connection: Keep-Alive"), request) && request.keep_alive);
    EXPECT_TRUE(scan(with_field("connection: Close"), request) && !request.keep_alive);
    EXPECT_TRUE(scan(with_field("Connection: close\r\nConnection: keep-alive"), request) &&
                !request.keep_alive);
    EXPECT_TRUE(scan(with_field("Accept: */*"), request) && request.keep_alive);
}

TEST(RequestScan, LeavesOtherMethodsVersionsAndTargets)
{
    for (const char* line :
         {"POST / HTTP/1.1", "get / HTTP/1.1", "GET / HTTP/1.0", "GET / HTTP/1.10", "GET  / HTTP/1.1",
          "GET * HTTP/1.1", "GET http://a/ HTTP/1.1", "GET /\x80 HTTP/1.1", "GET /a b HTTP/1.1", "GET /",
          " GET / HTTP/1.1", "GETT / HTTP/1.1"})
        EXPECT_FALSE(is_simple(std::string(line) + "\r\nHost: a\r\n\r\n")) << line;
    EXPECT_FALSE(is_simple("GET / HTTP/1.1\r\n\r\n")) << "without Host";
}

TEST(RequestScan, LeavesUnusualFields)
{
    for (const char* field : {"Name : value", " folded", ": value", "no colon", "A: \x01", "A: \x7f",
                              "A: \x80", "A: b\rc", "A: b\nB: c", "N\xc3\xa4me: a"})
        EXPECT_FALSE(is_simple(with_field(field))) << field;
    EXPECT_FALSE(is_simple("GET / HTTP/1.1\nHost: a\n\n"));
}

TEST(RequestScan, HasLimits)
{
    EXPECT_TRUE(is_simple("GET /" + std::string(99, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n"));
    EXPECT_FALSE(is_simple("GET /" + std::string(100, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n"));
    EXPECT_FALSE(is_simple(with_field("A: " + std::string(1000, 'a'))));
    std::string many = "GET / HTTP/1.1\r\nHost: a\r\n";
    for (std::size_t i = 1; i < ScannedRequest::max_fields; ++i)
        many += "A: b\r\n";
    EXPECT_TRUE(is_simple(many + "\r\n"));
    EXPECT_FALSE(is_simple(many + "A: b\r\n\r\n"));
}

} // namespace
} // namespace vitrine::server
