// Matching of paths to routes.

#include <array>

#include <gtest/gtest.h>

#include "server/net/url.hpp"
#include "server/routing/route.hpp"

namespace vitrine::server {
namespace {

constexpr std::array table{
    Route{.method = Method::post, .pattern = "/v1/assets", .name = "create"},
    Route{.method = Method::get, .pattern = "/v1/assets", .name = "list"},
    Route{.method = Method::get, .pattern = "/v1/assets/{id}", .name = "get"},
    Route{.method = Method::patch, .pattern = "/v1/assets/{id}", .name = "change"},
    Route{.method = Method::get, .pattern = "/v1/assets/{id}/files/{path...}", .name = "file"},
    Route{.method = Method::get, .pattern = "/v1/assets/{id}/clips/{clip}/pose", .name = "pose"},
};

std::string find(Method method, std::string_view path)
{
    auto match = match_route(table, method, parse_target(path)->segments);
    if (match.has_extra_slash) return "without the last slash";
    if (!match.route) return match.allowed.empty() ? "404" : "405 " + allow_field(match.allowed);
    std::string text(match.route->name);
    for (const auto& [name, value] : match.params)
        text.append(" ").append(name).append("=").append(value);
    return text;
}

} // namespace

TEST(Routing, FindsRoutesAndTheirParameters)
{
    EXPECT_EQ(find(Method::get, "/v1/assets"), "list");
    EXPECT_EQ(find(Method::head, "/v1/assets"), "list");
    EXPECT_EQ(find(Method::get, "/v1/assets/a%2Fb"), "get id=a/b");
    EXPECT_EQ(find(Method::get, "/v1/assets/x/files/tex/a%20b.png"), "file id=x path=tex/a b.png");
    EXPECT_EQ(find(Method::get, "/v1/assets/x/clips/walk%2Frun/pose"), "pose id=x clip=walk/run");
}

TEST(Routing, VersionsAliasEveryRead)
{
    EXPECT_EQ(find(Method::get, "/v1/assets/x/versions/2/clips/c0/pose"), "pose id=x clip=c0 n=2");
    EXPECT_EQ(find(Method::get, "/v1/assets/x/versions/2/files/a/b"), "file id=x path=a/b n=2");
}

TEST(Routing, OneSlashMayFollowThePathOfARead)
{
    EXPECT_EQ(find(Method::get, "/v1/assets/"), "without the last slash");
    EXPECT_EQ(find(Method::head, "/v1/assets/x/versions/2/clips/c0/pose/"), "without the last slash");
    EXPECT_EQ(find(Method::get, "/v1/assets/x/files/a/"), "file id=x path=a/") << "part of the path";
    EXPECT_EQ(find(Method::get, "/"), "404");
}

TEST(Routing, RejectsUnknownPaths)
{
    EXPECT_EQ(find(Method::post, "/v1/assets/"), "404");
    EXPECT_EQ(find(Method::get, "/v1/assets//"), "404");
    EXPECT_EQ(find(Method::get, "/v1/asset"), "404");
    EXPECT_EQ(find(Method::get, "/v1/assets/x/files"), "404");
    EXPECT_EQ(find(Method::get, "//v1/assets"), "404");
    EXPECT_EQ(find(Method::delete_, "/v1/assets"), "405 POST, GET, HEAD, OPTIONS");
    EXPECT_EQ(find(Method::other, "/v1/assets/x"), "405 GET, HEAD, PATCH, OPTIONS");
}

} // namespace vitrine::server
