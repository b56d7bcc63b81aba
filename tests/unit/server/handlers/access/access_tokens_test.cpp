// /v1/me and /v1/tokens, and what tokens open.

#include <gmock/gmock.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* owner_token = "sesame-sesame-sesame";

class TokenRoutes : public HandlerTest {
protected:
    TokenRoutes() : HandlerTest(false, {}, {.token = owner_token}) {}

    static Fields with(const std::string& token) { return {{"Authorization", "Bearer " + token}}; }
    const Fields admin = with(owner_token);

    Answered create(const std::string& body, const Fields& fields)
    {
        return ask(Method::post, "/v1/tokens", fields, {body}, body.size());
    }
    boost::json::value created(const std::string& body)
    {
        const auto answered = create(body, admin);
        EXPECT_EQ(answered.status(), 201);
        return answered.json();
    }
    static std::string text(const boost::json::value& object, const char* member)
    {
        return std::string(object.at(member).as_string());
    }
};

TEST_F(TokenRoutes, TokenIsShownOnce)
{
    const auto answered = create(R"({"name": "farm", "role": "viewer", "expiresIn": 60})", admin);
    ASSERT_EQ(answered.status(), 201);
    EXPECT_EQ(answered.header("Cache-Control"), "no-store");
    const auto token = answered.json();
    EXPECT_EQ(text(token, "name"), "farm");
    EXPECT_EQ(text(token, "role"), "viewer");
    EXPECT_EQ(text(token, "createdBy"), "token:server");
    EXPECT_TRUE(token.at("lastUsedAt").is_null());
    const auto listed = get("/v1/tokens", admin);
    ASSERT_THAT(listed.json().at("items").as_array(), SizeIs(1));
    auto expected = token.as_object();
    expected.erase("token");
    EXPECT_EQ(listed.json().at_pointer("/items/0"), boost::json::value(expected));

    const auto me = get("/v1/me", with(text(token, "token"))).json();
    EXPECT_EQ(text(me, "kind"), "token");
    EXPECT_EQ(me.at("id"), token.at("id"));
    EXPECT_EQ(text(me, "role"), "viewer");
    EXPECT_EQ(me.at("expiresAt"), token.at("expiresAt"));
    const auto server = get("/v1/me", admin).json();
    EXPECT_TRUE(server.at("id").is_null());
    EXPECT_EQ(text(server, "name"), "server");
    EXPECT_EQ(text(server, "role"), "admin");
    EXPECT_TRUE(server.at("expiresAt").is_null());
}

TEST_F(TokenRoutes, RevokedTokenIsRejectedAtOnce)
{
    const auto token = created(R"({"name": "x", "role": "admin"})");
    const auto fields = with(text(token, "token"));
    const auto path = "/v1/tokens/" + text(token, "id");
    EXPECT_EQ(get("/v1/tokens", fields).status(), 200);
    EXPECT_EQ(ask(Method::delete_, path, fields).status(), 204) << "also by itself";
    EXPECT_EQ(get("/v1/tokens", fields).code(), "token_required");
    EXPECT_EQ(ask(Method::delete_, path, admin).code(), "no_token");
    EXPECT_THAT(get("/v1/tokens", admin).json().at("items").as_array(), SizeIs(0));
}

TEST_F(TokenRoutes, BodiesAreChecked)
{
    struct {
        const char* body;
        const char* pointer;
    } cases[]{{R"({"role": "viewer"})", "/name"},
              {R"({"name": "", "role": "viewer"})", "/name"},
              {R"({"name": "a\nb", "role": "viewer"})", "/name"},
              {R"({"name": 3, "role": "viewer"})", "/name"},
              {R"({"name": "x"})", "/role"},
              {R"({"name": "x", "role": "none"})", "/role"},
              {R"({"name": "x", "role": "root"})", "/role"},
              {R"({"name": "x", "role": "viewer", "expiresIn": 0})", "/expiresIn"},
              {R"({"name": "x", "role": "viewer", "expiresIn": "1d"})", "/expiresIn"},
              {R"({"name": "x", "role": "viewer", "expiresIn": 99999999999})", "/expiresIn"},
              {R"({"name": "x", "role": "viewer", "scope": "all"})", "/scope"}};
    for (const auto& [body, pointer] : cases) {
        const auto answered = create(body, admin);
        ASSERT_EQ(answered.status(), 400) << body;
        EXPECT_EQ(answered.code(), "bad_body");
        EXPECT_EQ(answered.json().at_pointer("/errors/0/pointer").as_string(), pointer) << body;
    }
    EXPECT_EQ(create("[]", admin).code(), "bad_json");
    auto text = admin;
    text.emplace_back("Content-Type", "text/plain");
    EXPECT_EQ(create(R"({"name": "x", "role": "viewer"})", text).status(), 415);
    EXPECT_EQ(get("/v1/tokens?limit=3", admin).code(), "bad_query");
    EXPECT_EQ(get("/v1/me?x=1", admin).code(), "bad_query");
    EXPECT_THAT(get("/v1/tokens", admin).json().at("items").as_array(), SizeIs(0));
}

// The page of another site cannot use the cookie of a browser.
TEST_F(TokenRoutes, ForeignPagesMakeNone)
{
    auto foreign = admin;
    foreign.emplace_back("Origin", "http://evil.example");
    EXPECT_EQ(create(R"({"name": "x", "role": "admin"})", foreign).code(), "foreign_origin");
    EXPECT_THAT(get("/v1/tokens", admin).json().at("items").as_array(), SizeIs(0));
}

TEST_F(TokenRoutes, BrowserSignsInWithAnyToken)
{
    const auto token = created(R"({"name": "guest", "role": "viewer"})");
    const auto secret = text(token, "token");
    const auto link = get("/?token=" + secret, {{"Accept", "text/html"}});
    ASSERT_EQ(link.status(), 303);
    const auto field = link.header("Set-Cookie");
    EXPECT_EQ(field.find(secret.substr(8)), field.npos);
    const Fields cookie{{"Cookie", field.substr(0, field.find(';'))}};
    EXPECT_EQ(text(get("/v1/me", cookie).json(), "id"), text(token, "id"));
    EXPECT_EQ(ask(Method::delete_, "/v1/assets/nobody", cookie).code(), "role_required");
    ASSERT_EQ(ask(Method::delete_, "/v1/tokens/" + text(token, "id"), admin).status(), 204);
    EXPECT_EQ(get("/v1/me", cookie).status(), 401);
    EXPECT_EQ(get("/?token=" + secret, {{"Accept", "text/html"}}).status(), 401);
}

// The answers that the I/O thread gives without a handler.
TEST_F(TokenRoutes, CachedResponsesNeedAToken)
{
    const auto path = "/v1/assets/" + imported("bar.obj");
    const auto token = created(R"({"name": "x", "role": "viewer"})");
    const auto viewer = with(text(token, "token"));
    ASSERT_EQ(get(path, viewer).status(), 200);
    const auto is_cached_for = [&](const Fields& fields) {
        Request request;
        request.headers.add("Host", "localhost");
        for (const auto& [name, value] : fields)
            request.headers.add(name, value);
        return dispatcher.find_cached(request, path).response != nullptr;
    };
    EXPECT_TRUE(is_cached_for(viewer));
    EXPECT_TRUE(is_cached_for(admin));
    EXPECT_FALSE(is_cached_for({}));
    ASSERT_EQ(ask(Method::delete_, "/v1/tokens/" + text(token, "id"), admin).status(), 204);
    EXPECT_FALSE(is_cached_for(viewer));
    EXPECT_TRUE(is_cached_for(admin)) << "changes of tokens do not empty the cache";
}

} // namespace
} // namespace vitrine::server::testing
