// Signed URLs of pictures.

#include <gmock/gmock.h>

#include "server/access/signed_url.hpp"
#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class SignedUrls : public HandlerTest {
protected:
    SignedUrls() : HandlerTest(true, {}, {.token = "sesame-sesame-sesame"}) {}

    Answered create(const std::string& asset, const std::string& body)
    {
        return ask(Method::post, "/v1/assets/" + asset + "/signed-urls",
                   {{"Authorization", "Bearer sesame-sesame-sesame"}}, {body});
    }
};

TEST_F(SignedUrls, ShowOnePictureToEverybody)
{
    const auto asset = imported("bar.obj");
    const auto made = create(
        asset, R"({"picture":"render","parameters":{"w":"64","h":"48","format":"png"},"expiresIn":60})");
    ASSERT_EQ(made.status(), 201);
    const auto url = std::string(made.json().at("url").as_string());
    EXPECT_THAT(url, StartsWith("/v1/assets/" + asset + "/render?w=64&h=48&format=png&key=key_"));
    const auto picture = get(url);
    ASSERT_EQ(picture.status(), 200);
    EXPECT_EQ(picture.header("Content-Type"), "image/png");
    EXPECT_THAT(picture.header("Cache-Control"), StartsWith("public, max-age="));
    EXPECT_LE(std::stoi(picture.header("Cache-Control").substr(16)), 60);
    EXPECT_EQ(picture.header("Cross-Origin-Resource-Policy"), "cross-origin");
    EXPECT_EQ(get(url, {{"If-None-Match", picture.header("ETag")}}).status(), 304);
    const auto nobody = get("/v1/assets/none/render");
    const auto altered = get(url + "&t=1");
    EXPECT_EQ(altered.status(), 401);
    EXPECT_EQ(body_bytes(altered.response.body), body_bytes(nobody.response.body));
}

TEST_F(SignedUrls, NameAVersion)
{
    const auto asset = imported("bar.obj");
    const auto made = create(asset, R"({"picture":"thumbnail","version":1,"expiresIn":60})");
    ASSERT_EQ(made.status(), 201);
    const auto url = std::string(made.json().at("url").as_string());
    EXPECT_THAT(url, HasSubstr("/versions/1/thumbnail?key="));
    EXPECT_EQ(get(url).status(), 200);
    EXPECT_EQ(create(asset, R"({"picture":"thumbnail","version":7,"expiresIn":60})").status(), 404);
}

TEST_F(SignedUrls, AreLimited)
{
    const auto asset = imported("bar.obj");
    for (const char* body : {R"({"picture":"files","expiresIn":60})", R"({"picture":"render"})",
                             R"({"picture":"render","expiresIn":7776001})",
                             R"({"picture":"render","expiresIn":60,"parameters":{"w":"2049"}})",
                             R"({"picture":"render","expiresIn":60,"parameters":{"w":64}})",
                             R"({"picture":"sprite","expiresIn":60,"parameters":{"frames":"65"}})",
                             R"({"picture":"render","expiresIn":60,"parameters":{"sig":"0"}})"})
        EXPECT_EQ(create(asset, body).code(), "bad_body") << body;
    EXPECT_EQ(create("none", R"({"picture":"render","expiresIn":60})").status(), 404);
}

TEST(UrlSignatures, AreOfAllParts)
{
    const UrlKey key{"key_1", "secret"};
    const UrlParameters parameters{{"w", "64"}, {"h", "4"}};
    const auto made = sign_url("/v1/a", parameters, 100, key);
    EXPECT_TRUE(matches_url(made, "/v1/a", parameters, "secret"));
    EXPECT_FALSE(matches_url(made, "/v1/b", parameters, "secret"));
    EXPECT_FALSE(matches_url(made, "/v1/a", parameters, "other"));
    EXPECT_FALSE(matches_url(made, "/v1/a", {{"w", "644"}, {"h", ""}}, "secret"));
    EXPECT_FALSE(matches_url(made, "/v1/a", {{"h", "4"}, {"w", "64"}}, "secret"));
    auto later = made;
    ++later.expires;
    EXPECT_FALSE(matches_url(later, "/v1/a", parameters, "secret"));
}

TEST(UrlSignatures, AreTakenFromTheQuery)
{
    UrlParameters query{{"w", "64"}, {"key", "k"}, {"expires", "9"}, {"sig", "ab"}};
    const auto taken = take_url_signature(query);
    ASSERT_TRUE(taken);
    EXPECT_EQ(query, (UrlParameters{{"w", "64"}}));
    EXPECT_EQ(taken->expires, 9);
    for (UrlParameters wrong : {UrlParameters{{"key", "k"}, {"sig", "ab"}},
                                UrlParameters{{"key", "k"}, {"key", "k"}, {"expires", "9"}, {"sig", "ab"}},
                                UrlParameters{{"key", "k"}, {"expires", "09"}, {"sig", "ab"}},
                                UrlParameters{{"key", "k"}, {"expires", "-9"}, {"sig", "ab"}}})
        EXPECT_FALSE(take_url_signature(wrong));
}

} // namespace
} // namespace vitrine::server::testing
