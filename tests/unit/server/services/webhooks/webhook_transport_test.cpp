// Signatures, addresses, and what becomes of a delivery after a response.

#include "server/services/webhooks/webhook_transport.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>

#include "server/services/webhooks/webhook_sender.hpp"
#include "server/services/webhooks/webhook_signature.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::MatchesRegex;
using Kind = DeliveryOutcome::Kind;

bool is_public(const std::string& address)
{
    union {
        sockaddr any;
        sockaddr_in v4;
        sockaddr_in6 v6;
    } place{};
    if (::inet_pton(AF_INET, address.c_str(), &place.v4.sin_addr) == 1)
        place.any.sa_family = AF_INET;
    else if (::inet_pton(AF_INET6, address.c_str(), &place.v6.sin6_addr) == 1)
        place.any.sa_family = AF_INET6;
    else
        ADD_FAILURE() << address;
    return is_public_address(place.any);
}

} // namespace

// The example of the specification, and one of its reference libraries.
TEST(WebhookSignature, AreThoseOfTheStandard)
{
    EXPECT_EQ(sign_webhook({"whsec_plJ3nmyCDGBKInavdOK15jsl"}, "msg_loFOjxBNrRLzqYUf", 1731705121,
                           R"({"event_type":"ping","data":{"success":true}})"),
              "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=");
    EXPECT_EQ(sign_webhook({"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_plJ3nmyCDGBKInavdOK15jsl"},
                           "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, R"({"test": 2432232314})")
                  .substr(0, 51),
              "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1,");
}

TEST(WebhookSignature, SecretsDiffer)
{
    const auto secret = make_webhook_secret();
    EXPECT_THAT(secret, MatchesRegex("whsec_[A-Za-z0-9+/]{43}="));
    EXPECT_NE(make_webhook_secret(), secret);
}

TEST(WebhookAddress, PrivateOnesAreKnown)
{
    for (const char* address : {"0.0.0.0",
                                "0.1.2.3",
                                "10.1.2.3",
                                "100.64.0.1",
                                "100.127.255.255",
                                "127.0.0.1",
                                "127.255.255.255",
                                "169.254.169.254",
                                "172.16.0.1",
                                "172.31.255.255",
                                "192.0.0.8",
                                "192.0.2.1",
                                "192.168.0.1",
                                "198.18.0.1",
                                "198.19.255.255",
                                "198.51.100.7",
                                "203.0.113.9",
                                "224.0.0.1",
                                "239.1.1.1",
                                "240.0.0.1",
                                "255.255.255.255",
                                "168.63.129.16",
                                "::",
                                "::1",
                                "::ffff:127.0.0.1",
                                "::ffff:169.254.169.254",
                                "::127.0.0.1",
                                "64:ff9b::7f00:1",
                                "fe80::1",
                                "fc00::1",
                                "fd00:ec2::254",
                                "ff02::1",
                                "2001::1",
                                "2001:db8::1",
                                "2002:7f00:1::",
                                "3fff::1"})
        EXPECT_FALSE(is_public(address)) << address;
}

TEST(WebhookAddress, PublicOnesAreKnown)
{
    for (const char* address :
         {"8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "192.167.1.1",
          "169.253.1.1", "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8"})
        EXPECT_TRUE(is_public(address)) << address;
}

TEST(WebhookAddress, UrlsAreChecked)
{
    for (const char* url : {"https://hooks.example/vitrine?x=1", "http://hooks.example:8080/",
                            "https://8.8.8.8/", "https://[2606:4700::1111]/"})
        EXPECT_EQ(url_fault(url, false), "") << url;
    for (const char* url :
         {"", "hooks.example", "/path", "ftp://hooks.example/", "file:///etc/passwd", "gopher://x/",
          "https://", "https://user:word@hooks.example/", "https://hooks.example/#part",
          "https://hooks.example/ x", "https://hooks.example/\n", "http://127.0.0.1/", "http://127.1/",
          "http://2130706433/", "http://0x7f000001/", "http://[::1]:80/", "http://[::ffff:10.0.0.1]/",
          "http://169.254.169.254/latest/meta-data"})
        EXPECT_NE(url_fault(url, false), "") << url;
    EXPECT_NE(url_fault("https://hooks.example/" + std::string(max_webhook_url, 'x'), false), "");
    EXPECT_EQ(url_fault("http://127.0.0.1:8000/", true), "");
    EXPECT_NE(url_fault("http://user@127.0.0.1:8000/", true), "");
}

// The name is resolved, and then the address is rejected: no connection is made.
TEST(WebhookAddress, NamesOfPrivateAddressesAreNotConnected)
{
    const auto reply =
        send_webhook({.url = "http://localhost:9/", .headers = {}, .body = "{}"}, {}, std::stop_token());
    EXPECT_EQ(reply.status, 0);
    EXPECT_EQ(reply.problem_code, "address_not_allowed");
}

TEST(WebhookRetries, PausesGrowWithJitter)
{
    const WebhookOptions options;
    EXPECT_EQ(retry_pause(options, 1, 0.5), 5s);
    EXPECT_EQ(retry_pause(options, 2, 0.5), 20s);
    EXPECT_EQ(retry_pause(options, 3, 0.5), 80s);
    EXPECT_EQ(retry_pause(options, 9, 0.5), 8h);
    EXPECT_EQ(retry_pause(options, 1000, 0.5), 8h);
    EXPECT_EQ(retry_pause(options, 1, 0.0), 3750ms);
    EXPECT_EQ(retry_pause(options, 1, 1.0), 6250ms);
}

TEST(WebhookRetries, ResponsesDecide)
{
    const WebhookOptions options{.attempts = 3};
    const auto kind = [&](int status, std::uint32_t attempt) {
        return judge_reply(options, attempt, {.status = status}, 0.5).kind;
    };
    for (const int status : {200, 201, 204, 299})
        EXPECT_EQ(kind(status, 1), Kind::delivered) << status;
    for (const int status : {301, 307, 400, 401, 404, 409, 429, 500, 503})
        EXPECT_EQ(kind(status, 2), Kind::failed) << status;
    EXPECT_EQ(kind(500, 3), Kind::dead);
    EXPECT_EQ(kind(410, 1), Kind::gone);
    EXPECT_EQ(kind(200, 3), Kind::delivered);
    const auto redirect = judge_reply(options, 1, {.status = 302}, 0.5);
    EXPECT_EQ(redirect.problem_code, "redirect");
    EXPECT_EQ(redirect.pause, 5s);
    const auto timeout = judge_reply(options, 1, {.problem_code = "timeout", .problem_detail = "late"}, 0.5);
    EXPECT_EQ(timeout.kind, Kind::failed);
    EXPECT_EQ(timeout.problem_code, "timeout");
}

TEST(WebhookRetries, RetryAfterIsHonored)
{
    const WebhookOptions options;
    const auto pause = [&](std::chrono::seconds asked) {
        return judge_reply(options, 1, {.status = 503, .retry_after = asked}, 0.5).pause;
    };
    EXPECT_EQ(pause(90s), 90s);
    EXPECT_EQ(pause(1s), 5s) << "not earlier than without it";
    EXPECT_EQ(pause(100h), 24h) << "bounded";
    EXPECT_EQ(pause(-5s), 5s);
}

} // namespace vitrine::server::testing
