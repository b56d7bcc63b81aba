// The link with the token, the cookie, and the sign-in page.

#include <gtest/gtest.h>

#include "server/net/url.hpp"
#include "server/routing/sign_in.hpp"

namespace vitrine::server {
namespace {

Request navigation(std::string_view target,
                   std::initializer_list<std::pair<const char*, std::string>> fields = {})
{
    Request request;
    request.method = Method::get;
    request.target = parse_target(target).value();
    request.headers.add("Host", "localhost:8080");
    request.headers.add("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    for (const auto& [name, value] : fields)
        request.headers.add(name, value);
    return request;
}

Guard guard_with(std::string token, TrustedProxies proxies = {})
{
    return Guard({.loopback = true, .token = std::move(token), .proxies = std::move(proxies)});
}

std::optional<Response> answer(const Guard& guard, const Request& request)
{
    auto found = sign_in(guard, request, guard.check(request, *guard.identify(request), Access::read, false));
    if (!found) return std::nullopt;
    return std::move(found->response);
}

std::optional<api::Problem> rejection_with(const Guard& guard, const std::string& cookie)
{
    const auto request = navigation("/", {{"Cookie", cookie}});
    return guard.check(request, *guard.identify(request), Access::read, false);
}

// What a browser sends after Set-Cookie.
std::string cookie_of(const Response& response)
{
    const std::string field(response.headers.find("Set-Cookie").value_or(""));
    return field.substr(0, field.find(';'));
}

} // namespace

TEST(SignIn, LinkLeadsToACookieAndTheSameAddress)
{
    const auto guard = guard_with("sesame-sesame-sesame");
    const auto response = answer(guard, navigation("/assets/a%20b?t=1%2B&token=sesame-sesame-sesame&q=%26"));
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 303);
    EXPECT_EQ(response->headers.find("Location"), "/assets/a%20b?t=1%2B&q=%26");
    EXPECT_EQ(response->headers.find("Cache-Control"), "no-store");
    const std::string field(response->headers.find("Set-Cookie").value_or(""));
    EXPECT_EQ(field.find("sesame"), field.npos) << "the cookie does not reveal the token";
    for (const char* attribute : {"; HttpOnly", "; SameSite=Lax", "; Path=/"})
        EXPECT_NE(field.find(attribute), field.npos) << field;
    EXPECT_EQ(field.find("Secure"), field.npos) << "http";

    const auto signed_in = navigation("/", {{"Cookie", "other=1; " + cookie_of(*response) + "; last=2"}});
    EXPECT_FALSE(guard.check(signed_in, *guard.identify(signed_in), Access::read, false));
    EXPECT_FALSE(answer(guard, signed_in));
}

TEST(SignIn, CookieEndsWithTheToken)
{
    const auto old = answer(guard_with("first-first-first"), navigation("/?token=first-first-first"));
    ASSERT_TRUE(old);
    const auto guard = guard_with("second-second-second");
    const auto cookie = cookie_of(*old);
    EXPECT_EQ(rejection_with(guard, cookie)->status, 401);
    const auto own = answer(guard, navigation("/?token=second-second-second"));
    const auto name = cookie_of(*own).substr(0, cookie_of(*own).find('='));
    for (const std::string& bad : {name + "=", name, name + "=" + cookie.substr(cookie.find('=') + 1),
                                   "x" + cookie_of(*own), cookie_of(*own) + "0", std::string(";;=;")})
        EXPECT_TRUE(rejection_with(guard, bad)) << bad;
}

TEST(SignIn, OnlyABrowserWithoutAnAccessTokenGetsThePage)
{
    const auto guard = guard_with("sesame-sesame-sesame");
    const auto page = answer(guard, navigation("/"));
    ASSERT_TRUE(page);
    EXPECT_EQ(page->status, 401);
    EXPECT_EQ(page->headers.find("Content-Type"), "text/html; charset=utf-8");
    EXPECT_NE(std::get<std::string>(page->body).find("<form"), std::string::npos);
    EXPECT_EQ(std::get<std::string>(page->body).find("role=\"alert\""), std::string::npos);
    const auto deep = answer(guard, navigation("/assets/%22%3Ex?a=%22&b=1&token=x"));
    EXPECT_NE(std::get<std::string>(deep->body).find(R"(value="/assets/%22%3Ex?a=%22&amp;b=1")"),
              std::string::npos)
        << "where the form for users leads";
    EXPECT_NE(std::get<std::string>(deep->body).find(R"(action="/assets/%22%3Ex")"), std::string::npos);
    const auto wrong = answer(guard, navigation("/?token=sesame"));
    ASSERT_TRUE(wrong);
    EXPECT_NE(std::get<std::string>(wrong->body).find("role=\"alert\""), std::string::npos);
    EXPECT_EQ(wrong->headers.find("Set-Cookie"), std::nullopt);

    EXPECT_FALSE(answer(guard, navigation("/v1/assets?token=sesame-sesame-sesame"))) << "links are for pages";
    auto script = navigation("/");
    script.headers.set("Accept", "*/*");
    EXPECT_FALSE(answer(guard, script));
    auto rebinding = navigation("/?token=sesame-sesame-sesame");
    rebinding.headers.set("Host", "evil.example");
    EXPECT_FALSE(answer(guard, rebinding)) << "421 comes first";
    EXPECT_FALSE(answer(guard_with(""), navigation("/?token=x"))) << "--open";
}

TEST(SignIn, NeverLeadsToAnotherHost)
{
    const auto guard = guard_with("sesame-sesame-sesame");
    for (const char* target :
         {"//evil.example/?token=sesame-sesame-sesame", "/%5Cevil.example?token=sesame-sesame-sesame",
          "///?token=sesame-sesame-sesame", "/%2F%2Fevil.example?token=sesame-sesame-sesame"}) {
        const auto response = answer(guard, navigation(target));
        ASSERT_TRUE(response) << target;
        const std::string location(response->headers.find("Location").value_or(""));
        EXPECT_TRUE(location == "/" || (location[0] == '/' && location[1] != '/' && location[1] != '\\'))
            << location;
        EXPECT_EQ(location.find("token"), location.npos);
    }
}

TEST(SignIn, CookiesOfATrustedHttpsProxyAreSecure)
{
    auto request = navigation("/?token=sesame-sesame-sesame",
                              {{"X-Forwarded-Proto", "https"}, {"X-Forwarded-For", "10.0.0.1"}});
    const char* proxy = "192.0.2.7";
    request.peer = std::make_shared<Peer>(Peer{boost::asio::ip::make_address(proxy), proxy});
    const auto cookie = [&](bool trusted) {
        auto proxies = trusted ? TrustedProxies::parse({proxy}).value() : TrustedProxies();
        const auto response = answer(guard_with("sesame-sesame-sesame", std::move(proxies)), request);
        return response ? std::string(response->headers.find("Set-Cookie").value_or("")) : std::string();
    };
    EXPECT_NE(cookie(true).find("; Secure"), std::string::npos);
    EXPECT_EQ(cookie(false).find("; Secure"), std::string::npos);
    EXPECT_NE(cookie(false), "");
}

} // namespace vitrine::server
