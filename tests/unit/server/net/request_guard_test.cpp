// Access checks: host names, origins, tokens.

#include <gtest/gtest.h>

#include "server/net/request_guard.hpp"

namespace vitrine::server {
namespace {

Request request_with(std::initializer_list<std::pair<const char*, const char*>> fields)
{
    Request request;
    for (auto [name, value] : fields)
        request.headers.add(name, value);
    return request;
}

Request from(const char* address, Request request)
{
    request.peer = std::make_shared<Peer>(Peer{boost::asio::ip::make_address(address), address});
    return request;
}

TrustedProxies proxies(const std::vector<std::string>& words)
{
    return TrustedProxies::parse(words).value();
}

int status(const Guard& guard, const Request& request, bool writes = false, Access access = Access::read)
{
    auto rejected = guard.check(request, *guard.identify(request), access, writes);
    return rejected ? rejected->status : 200;
}

} // namespace

TEST(Guard, LoopbackAcceptsOnlyItsOwnNames)
{
    Guard guard({.loopback = true, .token = "", .hosts = {"vitrine.local"}, .origins = {}});
    for (auto good : {"localhost", "LocalHost:8080", "127.0.0.1:1", "[::1]:8080", "vitrine.local:80"}) {
        EXPECT_EQ(status(guard, request_with({{"Host", good}})), 200) << good;
    }
    for (auto bad : {"evil.example", "127.0.0.1.evil.example", "", "[::2]", "localhost.evil:80"}) {
        EXPECT_EQ(status(guard, request_with({{"Host", bad}})), 421) << bad;
    }
}

TEST(Guard, AddressesAreNoNamesOfOthers)
{
    const Guard guard({.loopback = false, .token = "sesame-sesame-sesame", .hosts = {"models.example.com"}});
    for (auto good : {"models.example.com", "10.2.3.4:8080", "[fd00::7]:8080"})
        EXPECT_EQ(status(guard, request_with({{"Host", good}}), false, Access::anyone), 200) << good;
    for (auto bad : {"evil.example", "10.2.3.4.evil.example", "10.2.3", "[fd00::7"})
        EXPECT_EQ(status(guard, request_with({{"Host", bad}}), false, Access::anyone), 421) << bad;
}

TEST(Guard, OriginsAndCookiesFollowTheTransport)
{
    const Guard guard({.loopback = true, .token = "sesame-sesame-sesame"});
    const auto with = [](const char* origin, bool tls) {
        auto request = request_with(
            {{"Host", "localhost:1"}, {"Origin", origin}, {"Authorization", "Bearer sesame-sesame-sesame"}});
        if (tls) request.tls = std::make_shared<TlsFacts>();
        return request;
    };
    EXPECT_EQ(status(guard, with("http://localhost:1", false), true), 200);
    EXPECT_EQ(status(guard, with("https://localhost:1", false), true), 403);
    EXPECT_EQ(status(guard, with("https://localhost:1", true), true), 200);
    EXPECT_EQ(status(guard, with("http://localhost:1", true), true), 403);
    EXPECT_TRUE(guard.session_cookie(with("", true), "t").ends_with("; Secure"));
    EXPECT_FALSE(guard.session_cookie(with("", false), "t").contains("Secure"));
}

TEST(Guard, TellsWhoSendsARequest)
{
    const Guard open({.loopback = true, .token = ""});
    const Guard closed({.loopback = true, .token = "sesame-sesame-sesame", .token_name = "studio"});
    const auto plain = request_with({{"Host", "localhost"}});
    const auto forwarded = request_with({{"Host", "localhost"}, {"X-Forwarded-For", "192.0.2.1"}});
    const auto wrong = request_with({{"Authorization", "Bearer nothing"}});
    const auto right = request_with({{"Authorization", "Bearer sesame-sesame-sesame"}});
    EXPECT_EQ(to_text(*open.identify(plain)), "open");
    EXPECT_EQ(to_text(*open.identify(forwarded)), "anonymous");
    EXPECT_EQ(to_text(*closed.identify(plain)), "anonymous");
    EXPECT_EQ(to_text(*closed.identify(wrong)), "anonymous");
    EXPECT_EQ(to_text(*closed.identify(right)), "token:studio");
    EXPECT_EQ(closed.identify(right), closed.identify(right)) << "not copied for each request";
    EXPECT_EQ(open.identify(plain), open.identify(plain));
}

TEST(Guard, WritesNeedTheOwnOrigin)
{
    Guard guard({.loopback = true, .token = "", .hosts = {}, .origins = {"https://tools.example"}});
    auto with_origin = [](const char* origin) {
        return request_with({{"Host", "localhost:8080"}, {"Origin", origin}});
    };
    EXPECT_EQ(status(guard, with_origin("http://localhost:8080"), true), 200);
    EXPECT_EQ(status(guard, with_origin("https://tools.example"), true), 200);
    EXPECT_EQ(status(guard, with_origin("https://localhost:8080"), true), 403)
        << "another scheme, another page";
    Guard behind({.loopback = true, .token = "", .proxies = proxies({"192.0.2.7"})});
    EXPECT_EQ(status(behind, from("192.0.2.7", with_origin("https://localhost:8080")), true), 200)
        << "a proxy may speak https";
    EXPECT_EQ(status(behind, from("192.0.2.8", with_origin("https://localhost:8080")), true), 403);
    EXPECT_EQ(status(guard, with_origin("http://localhost:9999"), true), 403);
    EXPECT_EQ(status(guard, with_origin("http://evil.example"), true), 403);
    EXPECT_EQ(status(guard, with_origin("null"), true), 403);
    EXPECT_EQ(status(guard, with_origin("http://evil.example"), false), 200);
    EXPECT_EQ(status(guard, request_with({{"Host", "localhost"}}), true), 200);
    EXPECT_EQ(status(guard, request_with({{"Host", "localhost"}, {"Sec-Fetch-Site", "cross-site"}}), true),
              403);
}

TEST(Guard, NonLoopbackNeedsTheToken)
{
    Guard guard({.loopback = false, .token = "s3cret", .hosts = {}, .origins = {}});
    auto with_token = [](const char* field) {
        return request_with({{"Host", "box:8080"}, {"Authorization", field}});
    };
    EXPECT_EQ(status(guard, request_with({{"Host", "box:8080"}})), 401);
    EXPECT_EQ(status(guard, request_with({{"Host", "box:8080"}}), false, Access::anyone), 200);
    EXPECT_EQ(status(guard, with_token("Bearer s3cret")), 200);
    EXPECT_EQ(status(guard, with_token("bearer s3cret")), 200);
    EXPECT_EQ(status(guard, with_token("Basic YW55Om90aGVy")), 401);
    EXPECT_EQ(status(guard, with_token("Basic dml0cmluZTpzM2NyZXQ=")), 200); // vitrine:s3cret
    for (auto bad : {"Bearer s3cre", "Bearer s3cret2", "Bearer ", "s3cret", "Basic !!", ""}) {
        EXPECT_EQ(status(guard, with_token(bad)), 401) << bad;
    }
}

TEST(Guard, ProxiedRequestsAreNotLocal)
{
    const auto forwarded = request_with({{"Host", "localhost"}, {"X-Forwarded-For", "10.0.0.1"}});
    EXPECT_EQ(status(Guard({.loopback = true, .token = ""}), from("127.0.0.1", forwarded)), 403);
    const Guard behind({.loopback = true, .token = "", .proxies = proxies({"127.0.0.1"})});
    EXPECT_EQ(status(behind, from("127.0.0.1", forwarded)), 200);
    EXPECT_EQ(status(behind, from("127.0.0.2", forwarded)), 403) << "another process of this machine";
    EXPECT_EQ(status(behind, forwarded), 403) << "an unknown peer";
}

TEST(Guard, ClientIsTheOneThatTrustedProxiesName)
{
    auto request = from("127.0.0.1", request_with({{"Host", "localhost"},
                                                   {"X-Forwarded-For", "10.0.0.1, 10.0.0.2"},
                                                   {"X-Forwarded-For", "10.0.0.3"},
                                                   {"X-Forwarded-Proto", "https"}}));
    Guard({.proxies = proxies({"loopback"})}).describe_client(request);
    EXPECT_EQ(request.client, "10.0.0.3");
    EXPECT_TRUE(request.https);
    Guard({.proxies = proxies({"loopback", "10.0.0.2/31"})}).describe_client(request);
    EXPECT_EQ(request.client, "10.0.0.1");
    Guard({.proxies = proxies({"192.0.2.1"})}).describe_client(request);
    EXPECT_EQ(request.client, "127.0.0.1");
    EXPECT_FALSE(request.https);
}

TEST(Guard, ForwardedHostIsOneOfThisServer)
{
    const Guard guard(
        {.loopback = true, .token = "", .proxies = proxies({"loopback"}), .hosts = {"models.example"}});
    const auto with_host = [](const char* forwarded, const char* origin) {
        return request_with({{"Host", "127.0.0.1:8080"},
                             {"X-Forwarded-For", "10.0.0.1"},
                             {"X-Forwarded-Host", forwarded},
                             {"Origin", origin}});
    };
    const auto own = with_host("models.example", "https://models.example");
    EXPECT_EQ(status(guard, from("127.0.0.1", own), true), 200);
    EXPECT_EQ(status(Guard({.loopback = true, .token = "", .hosts = {"models.example"}}),
                     from("127.0.0.1", own), true),
              403)
        << "from a proxy that is not trusted";
    EXPECT_EQ(status(guard, from("127.0.0.1", with_host("evil.example", "https://evil.example")), true), 421);
    EXPECT_EQ(status(guard, from("127.0.0.1", with_host("models.example", "https://evil.example")), true),
              403);
    auto rebound = from("127.0.0.1", own);
    rebound.headers.set("Host", "evil.example");
    EXPECT_EQ(status(guard, rebound, true), 421) << "the page has sent X-Forwarded-Host itself";
}

TEST(Guard, RoutesRequireRoles)
{
    EXPECT_TRUE(may(Role::none, Access::anyone));
    EXPECT_FALSE(may(Role::none, Access::read));
    EXPECT_TRUE(may(Role::viewer, Access::read));
    EXPECT_FALSE(may(Role::viewer, Access::write));
    EXPECT_TRUE(may(Role::editor, Access::write));
    EXPECT_FALSE(may(Role::editor, Access::administer));
    EXPECT_TRUE(may(Role::admin, Access::administer));
    EXPECT_FALSE(may(Role::admin, Access::undeclared)) << "a route that declares nothing is closed";
    EXPECT_EQ(parse_role("none"), std::nullopt);
    EXPECT_EQ(parse_role("editor"), Role::editor);

    const auto request = request_with({{"Host", "localhost"}});
    const Guard open({.loopback = true, .token = ""});
    EXPECT_EQ(status(open, request, true, Access::write), 200);
    const auto rejected = open.check(request, *open.identify(request), Access::administer, false);
    ASSERT_TRUE(rejected);
    EXPECT_EQ(rejected->code, "role_required");
    EXPECT_EQ(rejected->status, 403);
    EXPECT_EQ(rejected->bearer_error, R"(error="insufficient_scope", scope="admin")");
}

// RFC 6750, 3.1: only of a token that was sent as one.
TEST(Guard, ATokenThatLetsNobodyInIsInvalid)
{
    const auto error_of = [](const Request& request) {
        const Guard guard({.loopback = true, .token = "sesame"});
        return guard.check(request, *guard.identify(request), Access::read, false)->bearer_error;
    };
    EXPECT_EQ(error_of(request_with({{"Host", "localhost"}, {"Authorization", "bearer x"}})),
              R"(error="invalid_token")");
    EXPECT_EQ(error_of(request_with({{"Host", "localhost"}, {"Authorization", "Basic Og=="}})), "");
    EXPECT_EQ(error_of(request_with({{"Host", "localhost"}})), "");
}

// Pairs of RFC 4648, section 10, as name and password.
TEST(Guard, PasswordsAreReadFromBase64)
{
    const auto token = [](const std::string& base64) {
        return request_token(request_with({{"Authorization", ("Basic " + base64).c_str()}}));
    };
    EXPECT_EQ(token("OmZvb2Jhcg=="), "foobar"); // ":foobar"
    EXPECT_EQ(token("OmZvb2Jhcg"), "foobar") << "without padding";
    EXPECT_EQ(token("OmY="), "f");
    EXPECT_EQ(token("Omb7/w=="), "f\xfb\xff") << "both digits that are no letters";
    EXPECT_EQ(token("Og=="), "");
    EXPECT_EQ(token("OmZv"), "fo");
    for (const char* bad :
         {"OmZvb", "Om Zv", " OmZv", "OmZv\t", "Om=v", "OmZ-", "Om_v", "=", "", "b2s=", "OmZv====OmZv"})
        EXPECT_FALSE(token(bad)) << bad;
}

TEST(Guard, DigestsAreComparedInConstantTime)
{
    EXPECT_TRUE(constant_time_equal(digest_of("abc"), digest_of("abc")));
    for (auto other : {"", "ab", "abd", "abcabc", "xbc"})
        EXPECT_FALSE(constant_time_equal(digest_of("abc"), digest_of(other))) << other;
}

} // namespace vitrine::server
