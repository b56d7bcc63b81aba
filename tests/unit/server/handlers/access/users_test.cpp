// /v1/users, /v1/sessions, /v1/me of users, and what their cookies open.

#include <gmock/gmock.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr const char* root_secret = "sesame-sesame-sesame";
constexpr const char* first_password = "a long sentence";

class UserRoutes : public HandlerTest {
protected:
    explicit UserRoutes(TrustedProxies proxies = {})
        : HandlerTest(false, {}, {.token = root_secret, .proxies = std::move(proxies)})
    {
    }

    const Fields admin{{"Authorization", std::string("Bearer ") + root_secret}};

    Answered send(Method method, const std::string& path, const std::string& body, const Fields& fields = {})
    {
        return ask(method, path, fields, {body}, body.size());
    }
    boost::json::value add_user(const std::string& name, const std::string& role = "editor")
    {
        const auto made =
            send(Method::post, "/v1/users",
                 R"({"name": ")" + name + R"(", "role": ")" + role + R"(", "password": "a long sentence"})",
                 admin);
        EXPECT_EQ(made.status(), 201);
        return made.json();
    }
    Answered sign_in(const std::string& name, const std::string& password, const Fields& fields = {})
    {
        return send(Method::post, "/v1/sessions",
                    R"({"name": ")" + name + R"(", "password": ")" + password + R"("})", fields);
    }
    static Fields cookie_of(const Answered& answered)
    {
        const auto field = answered.header("Set-Cookie");
        return {{"Cookie", field.substr(0, field.find(';'))}};
    }
    static std::string text(const boost::json::value& object, const char* member)
    {
        return std::string(object.at(member).as_string());
    }
};

TEST_F(UserRoutes, UserIsMadeShownChangedAndRemoved)
{
    const auto user = add_user("maya");
    EXPECT_EQ(text(user, "createdBy"), "token:server");
    EXPECT_TRUE(user.at("hasPassword").as_bool());
    EXPECT_FALSE(user.as_object().contains("password"));
    const auto path = "/v1/users/" + text(user, "id");
    EXPECT_EQ(get(path, admin).json(), user);
    EXPECT_THAT(get("/v1/users", admin).json().at("items").as_array(), SizeIs(1));
    const auto changed =
        send(Method::patch, path, R"({"displayName": "Maya Lopez", "disabled": true})", admin);
    ASSERT_EQ(changed.status(), 200);
    EXPECT_EQ(text(changed.json(), "displayName"), "Maya Lopez");
    EXPECT_TRUE(changed.json().at("disabled").as_bool());
    EXPECT_EQ(send(Method::post, "/v1/users", R"({"name": "MAYA", "role": "viewer"})", admin).code(),
              "name_in_use");
    EXPECT_EQ(ask(Method::delete_, path, admin).status(), 204);
    EXPECT_EQ(get(path, admin).code(), "no_user");
    EXPECT_EQ(ask(Method::delete_, path, admin).code(), "no_user");
    EXPECT_EQ(send(Method::patch, path, "{}", admin).code(), "no_user");
    EXPECT_THAT(get("/v1/users", admin).json().at("items").as_array(), IsEmpty());
}

TEST_F(UserRoutes, BodiesOfUsersAreChecked)
{
    struct {
        const char* body;
        const char* pointer;
    } cases[]{{R"({"role": "viewer"})", "/name"},
              {R"({"name": "a b", "role": "viewer"})", "/name"},
              {R"({"name": "x"})", "/role"},
              {R"({"name": "x", "role": "root"})", "/role"},
              {R"({"name": "x", "role": 3})", "/role"},
              {R"({"name": "x", "role": "viewer", "password": "short"})", "/password"},
              {R"({"name": "x", "role": "viewer", "password": null})", "/password"},
              {R"({"name": "x", "role": "viewer", "disabled": 1})", "/disabled"},
              {R"({"name": "x", "role": "viewer", "displayName": "a\nb"})", "/displayName"},
              {R"({"name": "x", "role": "viewer", "id": "user_1"})", "/id"}};
    for (const auto& [body, pointer] : cases) {
        const auto answered = send(Method::post, "/v1/users", body, admin);
        ASSERT_EQ(answered.status(), 400) << body;
        EXPECT_EQ(answered.json().at_pointer("/errors/0/pointer").as_string(), pointer) << body;
    }
    EXPECT_EQ(get("/v1/users?x=1", admin).code(), "bad_query");
}

TEST_F(UserRoutes, SignInLastsUntilItIsEnded)
{
    const auto user = add_user("maya");
    const auto made = sign_in("Maya", first_password, {{"User-Agent", "Browser/1"}});
    ASSERT_EQ(made.status(), 201);
    EXPECT_EQ(made.header("Cache-Control"), "no-store");
    EXPECT_THAT(made.header("Set-Cookie"), StartsWith("vitrine_session_"));
    EXPECT_THAT(made.header("Set-Cookie"), HasSubstr("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax"));
    EXPECT_THAT(made.header("Set-Cookie"), Not(HasSubstr("Secure")));
    const auto cookie = cookie_of(made);
    const auto me = get("/v1/me", cookie).json();
    EXPECT_EQ(text(me, "kind"), "user");
    EXPECT_EQ(me.at("id"), user.at("id"));
    EXPECT_EQ(text(me, "role"), "editor");
    EXPECT_EQ(me.at("expiresAt"), made.json().at("expiresAt"));
    EXPECT_EQ(get("/v1/users", cookie).code(), "role_required");
    const auto sessions = get("/v1/sessions", cookie).json().at("items").as_array();
    ASSERT_THAT(sessions, SizeIs(1));
    EXPECT_EQ(sessions[0].at("agent").as_string(), "Browser/1");
    EXPECT_TRUE(sessions[0].at("current").as_bool());

    const auto ended = ask(Method::delete_, "/v1/sessions/current", cookie);
    EXPECT_EQ(ended.status(), 204);
    EXPECT_THAT(ended.header("Set-Cookie"), HasSubstr("=; Path=/; Max-Age=0"));
    EXPECT_EQ(get("/v1/me", cookie).code(), "token_required");
}

TEST_F(UserRoutes, SessionsOfOthersAreNotFound)
{
    add_user("maya");
    add_user("other");
    const auto first = sign_in("maya", first_password), second = sign_in("maya", first_password);
    const auto foreign = sign_in("other", first_password);
    const auto path = "/v1/sessions/" + text(second.json(), "id");
    EXPECT_EQ(ask(Method::delete_, path, cookie_of(foreign)).code(), "no_session");
    EXPECT_EQ(ask(Method::delete_, path, admin).code(), "no_session");
    EXPECT_THAT(get("/v1/sessions", cookie_of(first)).json().at("items").as_array(), SizeIs(2));
    EXPECT_THAT(get("/v1/sessions", admin).json().at("items").as_array(), IsEmpty());
    const auto ended = ask(Method::delete_, path, cookie_of(first));
    EXPECT_EQ(ended.status(), 204);
    EXPECT_EQ(ended.header("Set-Cookie"), "") << "of another browser";
    EXPECT_EQ(get("/v1/me", cookie_of(second)).status(), 401);
    EXPECT_EQ(get("/v1/me", cookie_of(first)).status(), 200);
    EXPECT_EQ(ask(Method::delete_, "/v1/sessions/current", admin).status(), 204);
}

TEST_F(UserRoutes, RejectedSignInsAreAlike)
{
    add_user("maya");
    const auto wrong = sign_in("maya", "another sentence"), nobody = sign_in("nobody", "another sentence");
    EXPECT_EQ(wrong.status(), 401);
    EXPECT_EQ(body_bytes(wrong.response.body), body_bytes(nobody.response.body));
    EXPECT_EQ(wrong.header("Set-Cookie"), "");
    for (int i = 0; i < 4; ++i)
        EXPECT_EQ(sign_in("maya", "another sentence").code(), "wrong_password");
    const auto slowed = sign_in("maya", first_password);
    EXPECT_EQ(slowed.status(), 429);
    EXPECT_EQ(slowed.code(), "too_many_attempts");
    EXPECT_EQ(slowed.header("Retry-After"), "1");
    EXPECT_EQ(send(Method::post, "/v1/sessions", R"({"name": "maya"})").code(), "bad_body");
    EXPECT_EQ(send(Method::post, "/v1/sessions", R"({"name": 1, "password": "x"})").code(), "bad_body");
    EXPECT_EQ(send(Method::post, "/v1/sessions", R"({"name": "maya\u0000", "password": "x"})").code(),
              "bad_body");
    EXPECT_EQ(send(Method::post, "/v1/sessions", "name", {{"Content-Type", "text/plain"}}).status(), 415);
}

// Pages of other sites can send the cookie, and could sign a browser in as somebody else.
TEST_F(UserRoutes, ForeignPagesChangeNothing)
{
    add_user("maya", "admin");
    const auto signed_in = sign_in("maya", first_password);
    for (const Fields& origin : {Fields{{"Origin", "http://evil.example"}}, Fields{{"Origin", "null"}},
                                 Fields{{"Sec-Fetch-Site", "cross-site"}}}) {
        auto fields = cookie_of(signed_in);
        fields.insert(fields.end(), origin.begin(), origin.end());
        EXPECT_EQ(send(Method::post, "/v1/users", R"({"name": "x", "role": "admin"})", fields).code(),
                  "foreign_origin");
        EXPECT_EQ(send(Method::patch, "/v1/me", R"({"displayName": "x"})", fields).code(), "foreign_origin");
        EXPECT_EQ(ask(Method::delete_, "/v1/sessions/current", fields).code(), "foreign_origin");
        EXPECT_EQ(sign_in("maya", first_password, origin).code(), "foreign_origin");
    }
    auto own = cookie_of(signed_in);
    own.emplace_back("Origin", "http://localhost");
    EXPECT_EQ(send(Method::patch, "/v1/me", R"({"displayName": "x"})", own).status(), 200);
}

TEST_F(UserRoutes, OwnPasswordIsChangedWithTheOldOne)
{
    add_user("maya");
    const auto here = cookie_of(sign_in("maya", first_password));
    const auto there = cookie_of(sign_in("maya", first_password));
    const auto change = [&](const char* body) { return send(Method::patch, "/v1/me", body, here); };
    EXPECT_EQ(change(R"({"password": "another sentence"})").code(), "bad_body");
    EXPECT_EQ(change(R"({"password": "another sentence", "oldPassword": "no"})").code(), "wrong_password");
    EXPECT_EQ(change(R"({"role": "admin"})").code(), "bad_body");
    EXPECT_EQ(change(R"({"disabled": false})").code(), "bad_body");
    EXPECT_EQ(text(change(R"({"displayName": "Maya"})").json(), "displayName"), "Maya");
    EXPECT_EQ(get("/v1/me", there).status(), 200);
    EXPECT_EQ(change(R"({"password": "another sentence", "oldPassword": "a long sentence"})").status(), 200);
    EXPECT_EQ(get("/v1/me", here).status(), 200);
    EXPECT_EQ(get("/v1/me", there).status(), 401) << "other browsers are signed out";
    EXPECT_EQ(sign_in("maya", first_password).status(), 401);
    EXPECT_EQ(sign_in("maya", "another sentence").status(), 201);
    EXPECT_EQ(send(Method::patch, "/v1/me", "{}", admin).code(), "user_required");
}

TEST_F(UserRoutes, FormOfTheSignInPageLeadsBack)
{
    add_user("maya");
    const Fields form{{"Content-Type", "application/x-www-form-urlencoded"}, {"Origin", "http://localhost"}};
    const auto submit = [&](const std::string& password, const std::string& next) {
        return send(Method::post, "/v1/sessions", "name=maya&password=" + password + "&next=" + next, form);
    };
    const auto in = submit("a+long%20sentence", "%2Fassets%2Fx%3Ft%3D1%26q%3D%2525");
    ASSERT_EQ(in.status(), 303);
    EXPECT_EQ(in.header("Location"), "/assets/x?t=1&q=%25");
    EXPECT_EQ(get("/v1/me", cookie_of(in)).status(), 200);
    for (const char* next : {"//evil.example", "https:%2F%2Fevil.example", "%2F%2Fevil.example", "/%5Cevil",
                             "", "/a%0Ab", "/a%20b"})
        EXPECT_EQ(submit("a+long+sentence", next).header("Location"), "/") << next;
    const auto wrong = submit("wrong+wrong", "%2Fassets%2Fx%3Ft%3D1%26q%3D%22");
    EXPECT_EQ(wrong.status(), 401);
    EXPECT_THAT(std::string(body_bytes(wrong.response.body).value()), HasSubstr("is wrong"));
    for (int i = 0; i < 4; ++i)
        submit("wrong+wrong", "");
    EXPECT_EQ(submit("a+long+sentence", "").status(), 429);
}

// The answers that the I/O thread gives without a handler.
TEST_F(UserRoutes, CachedResponsesNeedTheSession)
{
    const auto path = "/v1/assets/" + imported("bar.obj");
    add_user("maya", "viewer");
    const auto cookie = cookie_of(sign_in("maya", first_password));
    ASSERT_EQ(get(path, cookie).status(), 200);
    const auto is_cached = [&] {
        Request request;
        request.headers.add("Host", "localhost");
        request.headers.add("Cookie", cookie[0].second);
        return dispatcher.find_cached(request, path).response != nullptr;
    };
    EXPECT_TRUE(is_cached());
    ASSERT_EQ(ask(Method::delete_, "/v1/sessions/current", cookie).status(), 204);
    EXPECT_FALSE(is_cached());
}

TEST_F(UserRoutes, UserComesBeforeATokenThatTheBrowserHasShown)
{
    add_user("maya", "viewer");
    const auto session = cookie_of(sign_in("maya", first_password))[0].second;
    const auto link = get("/?token=" + std::string(root_secret), {{"Accept", "text/html"}});
    const auto token = cookie_of(link)[0].second;
    for (const auto& both : {session + "; " + token, token + "; " + session})
        EXPECT_EQ(text(get("/v1/me", {{"Cookie", both}}).json(), "kind"), "user") << both;
    const auto ended = session + "x; " + token;
    EXPECT_EQ(text(get("/v1/me", {{"Cookie", ended}}).json(), "kind"), "token");
}

class UsersByTls : public UserRoutes {
protected:
    UsersByTls() : UserRoutes(TrustedProxies::parse({"loopback"}).value()) { sender = peer_at("127.0.0.1"); }
};

TEST_F(UsersByTls, CookieIsOfThisHostAlone)
{
    add_user("maya");
    const Fields tls{{"X-Forwarded-Proto", "https"}, {"X-Forwarded-For", "192.0.2.1"}};
    const auto made = sign_in("maya", first_password, tls);
    ASSERT_EQ(made.status(), 201);
    EXPECT_THAT(made.header("Set-Cookie"), StartsWith("__Host-vitrine_session_"));
    EXPECT_THAT(made.header("Set-Cookie"), EndsWith("; Secure"));
    auto fields = tls;
    fields.push_back(cookie_of(made)[0]);
    EXPECT_EQ(get("/v1/me", fields).status(), 200);
    EXPECT_EQ(get("/v1/me", cookie_of(made)).status(), 401) << "not without TLS";
    auto plain = tls;
    plain.emplace_back("Cookie", cookie_of(made)[0].second.substr(7));
    EXPECT_EQ(get("/v1/me", plain).status(), 401) << "a cookie that a subdomain can set";
    EXPECT_THAT(ask(Method::delete_, "/v1/sessions/current", fields).header("Set-Cookie"),
                StartsWith("__Host-vitrine_session_"));
}

} // namespace
} // namespace vitrine::server::testing
