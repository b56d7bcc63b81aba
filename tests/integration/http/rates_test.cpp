// Rate limits and trusted proxies of the real program.

#include <gmock/gmock.h>

#include "tests/integration/http_support.hpp"

namespace vitrine::test {
namespace {

using ::testing::StartsWith;

constexpr const char* token = "sesame-sesame-sesame";
const std::pair<std::string, std::string> bearer{"Authorization", "Bearer sesame-sesame-sesame"};

struct RatedServer {
    explicit RatedServer(std::vector<std::string> options)
        : process(folder.path() / "data", std::move(options))
    {
    }
    int port() const { return process.port(); }

    TempDir folder;
    ServerProcess process;
};

} // namespace

TEST(HttpRates, AddressesWithoutATokenAreLimited)
{
    RatedServer server({"--token", token, "--address-rate-limit", "reads=3/h,writes=1/h"});
    for (int left = 2; left >= 0; --left) {
        const auto reply = get(server.port(), "/v1/assets");
        EXPECT_EQ(reply.status, 401);
        EXPECT_EQ(reply.header("ratelimit-policy"), "\"reads\";q=3;w=3600");
        EXPECT_THAT(reply.header("ratelimit"), StartsWith("\"reads\";r=" + std::to_string(left) + ";t="));
    }
    const auto rejected = get(server.port(), "/v1/assets");
    EXPECT_EQ(rejected.status, 429);
    EXPECT_EQ(rejected.header("content-type"), "application/problem+json");
    EXPECT_EQ(text_at(rejected.json(), "/code"), "rate_limited");
    EXPECT_EQ(rejected.header("retry-after"), "1200");
    EXPECT_THAT(rejected.header("ratelimit"), StartsWith("\"reads\";r=0;t="));
    EXPECT_EQ(get(server.port(), "/").status, 429);

    EXPECT_EQ(fetch(server.port(), "POST", "/v1/assets").status, 401) << "another class";
    EXPECT_EQ(fetch(server.port(), "POST", "/v1/assets").status, 429);
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(get(server.port(), "/healthz").status, 200);
        EXPECT_NE(get(server.port(), "/readyz").status, 429);
        EXPECT_EQ(get(server.port(), "/metrics", {bearer}).status, 200);
    }
    const auto known = get(server.port(), "/v1/assets", {bearer});
    EXPECT_EQ(known.status, 200) << "of the same address with a token";
    EXPECT_EQ(known.header("ratelimit"), "") << "to which no limit applies";
}

TEST(HttpRates, CachedResponsesCount)
{
    RatedServer server({"--token", token, "--rate-limit", "reads=5/h"});
    Socket socket(server.port());
    std::vector<int> statuses;
    std::string etag;
    for (int i = 0; i < 6; ++i) {
        const auto condition = etag.empty() ? "" : "If-None-Match: " + etag + "\r\n";
        socket.send("GET /v1/assets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " +
                    std::string(token) + "\r\n" + condition + "\r\n");
        const auto reply = read_reply(socket);
        statuses.push_back(reply.status);
        const auto left = std::to_string(std::max(4 - i, 0));
        EXPECT_THAT(reply.header("ratelimit"), StartsWith("\"reads\";r=" + left + ";t=")) << i;
        if (i == 2) etag = reply.header("etag");
    }
    EXPECT_EQ(statuses, (std::vector<int>{200, 200, 200, 304, 304, 429}));
}

TEST(HttpRates, TrustedProxiesNameTheAddress)
{
    RatedServer server(
        {"--token", token, "--address-rate-limit", "reads=1/h", "--trusted-proxy", "127.0.0.1"});
    const auto ask = [&](const char* forwarded) {
        return get(server.port(), "/v1/assets", {{"X-Forwarded-For", forwarded}}).status;
    };
    EXPECT_EQ(ask("203.0.113.1"), 401);
    EXPECT_EQ(ask("203.0.113.1"), 429);
    EXPECT_EQ(ask("198.51.100.9, 203.0.113.1"), 429) << "what the client has sent changes nothing";
    EXPECT_EQ(ask("203.0.113.2"), 401);
    EXPECT_EQ(ask("2001:db8::1"), 401);
    EXPECT_EQ(ask("2001:db8::2"), 429) << "one /64";
    EXPECT_EQ(get(server.port(), "/v1/assets", {{"Forwarded", "for=203.0.113.1"}}).status, 429);
    EXPECT_EQ(get(server.port(), "/v1/assets", {{"Forwarded", "for=203.0.113.3"}}).status, 401);
}

TEST(HttpRates, OthersNameNoAddress)
{
    RatedServer server(
        {"--token", token, "--address-rate-limit", "reads=1/h", "--trusted-proxy", "192.0.2.1,unix"});
    EXPECT_EQ(get(server.port(), "/v1/assets", {{"X-Forwarded-For", "203.0.113.1"}}).status, 401);
    EXPECT_EQ(get(server.port(), "/v1/assets", {{"X-Forwarded-For", "203.0.113.2"}}).status, 429);
}

TEST(HttpRates, DefaultIsForAddressesAlone)
{
    RatedServer server({"--token", token});
    EXPECT_EQ(get(server.port(), "/v1/assets").header("ratelimit-policy"), "\"reads\";q=6000;w=60");
    EXPECT_EQ(get(server.port(), "/v1/assets", {bearer}).header("ratelimit-policy"), "");
}

} // namespace vitrine::test
