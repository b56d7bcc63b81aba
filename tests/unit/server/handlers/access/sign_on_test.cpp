// The routes of single sign-on and of the device flow, without a provider.

#include <gmock/gmock.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* owner_secret = "sesame-sesame-sesame";

class SignOnRoutes : public HandlerTest {
protected:
    explicit SignOnRoutes(const std::function<void(ServicesConfig&)>& adjust = {})
        : HandlerTest(false, adjust, {.token = owner_secret})
    {
    }

    static Fields bearer(const std::string& token) { return {{"Authorization", "Bearer " + token}}; }
    Answered send_form(const std::string& path, const std::string& form, Fields fields = {})
    {
        fields.emplace_back("Content-Type", "application/x-www-form-urlencoded");
        return ask(Method::post, path, fields, {form}, form.size());
    }
    // The cookie of a user of this role who has signed in.
    Fields user(const std::string& name, Role role)
    {
        services.accounts.create_user({.name = name, .role = role}, "a long sentence").value();
        const auto made = services.accounts.sign_in({name, "a long sentence", name, ""}).value();
        return {{"Cookie", cookies.session + "=" + made.secret}};
    }
    static std::string text(const boost::json::value& object, const char* member)
    {
        return std::string(object.at(member).as_string());
    }
    static std::string page_of(const Answered& answered)
    {
        return std::string(body_bytes(answered.response.body).value());
    }
};

TEST_F(SignOnRoutes, WithoutAProviderThereIsNoSignIn)
{
    EXPECT_EQ(get("/v1/oidc/sign-in").code(), "no_provider");
    EXPECT_EQ(get("/v1/oidc/callback?code=a&state=b").code(), "no_provider");
    EXPECT_THAT(page_of(get("/", {{"Accept", "text/html"}})), Not(HasSubstr("/v1/oidc/")));
}

TEST_F(SignOnRoutes, WithoutAProviderThereIsNoLogoutByIt)
{
    EXPECT_EQ(send_form("/v1/oidc/backchannel-logout", "logout_token=a").code(), "no_provider");
}

TEST_F(SignOnRoutes, SignOutEndsTheSessionOfAnyUser)
{
    EXPECT_EQ(ask(Method::post, "/v1/oidc/sign-out").code(), "token_required");
    const auto maya = user("maya", Role::viewer);
    const auto answered = ask(Method::post, "/v1/oidc/sign-out", maya, {}, 0);
    EXPECT_EQ(text(answered.json(), "location"), "/");
    EXPECT_EQ(get("/v1/me", maya).status(), 401);
}

TEST_F(SignOnRoutes, TokenRevokesItself)
{
    EXPECT_EQ(ask(Method::delete_, "/v1/device/token").code(), "token_required");
    EXPECT_EQ(ask(Method::delete_, "/v1/device/token", bearer(owner_secret)).code(),
              "token_required_to_revoke");
    EXPECT_EQ(ask(Method::delete_, "/v1/device/token", user("maya", Role::admin)).code(),
              "token_required_to_revoke");
    const auto made = services.tokens.create({.name = "farm", .created_by = "test"}).value();
    EXPECT_EQ(ask(Method::delete_, "/v1/device/token", bearer(made.secret)).status(), 204);
    EXPECT_EQ(get("/v1/me", bearer(made.secret)).status(), 401);
}

TEST_F(SignOnRoutes, DeviceGetsATokenOfTheUser)
{
    const auto codes = send_form("/v1/device/authorization", "client_id=Blender+4&scope=editor").json();
    EXPECT_EQ(text(codes, "verification_uri"), "http://localhost/device");
    EXPECT_THAT(text(codes, "verification_uri_complete"), EndsWith("?user_code=" + text(codes, "user_code")));
    const auto poll =
        "grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=" + text(codes, "device_code");
    const auto maya = user("maya", Role::editor);
    const auto page = get("/device?user_code=" + text(codes, "user_code"), maya);
    EXPECT_EQ(page.header("Cache-Control"), "no-store");
    EXPECT_THAT(page_of(page), HasSubstr("<strong>Blender 4</strong>"));
    EXPECT_EQ(send_form("/device", "user_code=" + text(codes, "user_code"), maya).code(), "bad_body");
    const auto decided = send_form("/device", "decision=approve&user_code=" + text(codes, "user_code"), maya);
    EXPECT_EQ(decided.status(), 200);
    const auto token = send_form("/v1/device/token", poll);
    ASSERT_EQ(token.status(), 200);
    EXPECT_EQ(text(get("/v1/me", bearer(text(token.json(), "access_token"))).json(), "name"), "Blender 4");
    const auto again = send_form("/v1/device/token", poll);
    EXPECT_EQ(again.status(), 400);
    EXPECT_EQ(text(again.json(), "error"), "invalid_grant");
}

TEST_F(SignOnRoutes, AdminApprovesWithoutAUser)
{
    const auto codes = send_form("/v1/device/authorization", "client_id=farm").json();
    const auto decided =
        send_form("/device", "decision=approve&user_code=" + text(codes, "user_code"), bearer(owner_secret));
    EXPECT_EQ(decided.status(), 200);
    const auto editor =
        services.tokens.create({.name = "e", .role = Role::editor, .created_by = "test"}).value();
    EXPECT_EQ(get("/device", bearer(editor.secret)).code(), "user_required");
    EXPECT_EQ(get("/device", bearer(owner_secret)).status(), 200);
}

class SignOnWithProvider : public SignOnRoutes {
protected:
    SignOnWithProvider()
        : SignOnRoutes([](ServicesConfig& config) {
              config.oidc = OidcSettings{.issuer = "http://127.0.0.1:1",
                                         .client_id = "vitrine",
                                         .default_role = Role::viewer,
                                         .name = "A & B",
                                         .state_key = "key"};
          })
    {
    }
};

TEST_F(SignOnWithProvider, SignInPageLeadsToIt)
{
    const auto page = page_of(get("/a?b=1", {{"Accept", "text/html"}}));
    EXPECT_THAT(page, HasSubstr(R"(href="/v1/oidc/sign-in?next=%2Fa%3Fb%3D1">Sign in with A &amp; B<)"));
}

TEST_F(SignOnWithProvider, ProviderThatIsAwayIs503)
{
    const auto answered = get("/v1/oidc/sign-in");
    EXPECT_EQ(answered.status(), 503);
    EXPECT_EQ(answered.code(), "provider_unavailable");
    EXPECT_NE(answered.header("Retry-After"), "");
    const auto page = get("/v1/oidc/sign-in", {{"Accept", "text/html"}});
    EXPECT_EQ(page.status(), 503);
    EXPECT_NE(page.header("Retry-After"), "");
    EXPECT_THAT(page_of(page), HasSubstr("role=\"alert\""));
}

TEST_F(SignOnWithProvider, CallbackNeedsTheCookieOfItsBrowser)
{
    const auto name = cookies.session + "_oidc";
    for (const auto* cookie : {"", "e30.00", "x", ".", "e30"}) {
        const auto answered = get("/v1/oidc/callback?code=a&state=", {{"Cookie", name + "=" + cookie}});
        EXPECT_EQ(answered.status(), 400) << cookie;
        EXPECT_EQ(answered.code(), "sign_in_failed") << cookie;
    }
}

// Nothing of the token is trusted, and the provider whose keys would be needed is away.
TEST_F(SignOnWithProvider, LogoutsThatAreNotVerifiedAre400)
{
    const auto maya = user("maya", Role::viewer);
    const auto unsigned_token = "logout_token=eyJhbGciOiJub25lIn0.e30.";
    const auto signed_token = "logout_token=eyJhbGciOiJSUzI1NiJ9.e30.AAAA";
    for (const auto* form : {"", "logout_token=", "other=a", unsigned_token, signed_token}) {
        const auto answered = send_form("/v1/oidc/backchannel-logout", form);
        EXPECT_EQ(answered.status(), 400) << form;
        EXPECT_EQ(answered.header("Cache-Control"), "no-store") << form;
        EXPECT_EQ(text(answered.json(), "error"), "invalid_request") << form;
    }
    EXPECT_EQ(text(ask(Method::post, "/v1/oidc/backchannel-logout", {{"Content-Type", "application/json"}},
                       {"{}"}, 2)
                       .json(),
                   "error"),
              "invalid_request");
    EXPECT_EQ(get("/v1/me", maya).status(), 200);
}

class OpenSignOn : public HandlerTest {
protected:
    OpenSignOn() : HandlerTest(false) {}
};

TEST_F(OpenSignOn, DevicesNeedNoToken)
{
    const std::string form = "client_id=farm";
    const auto answered = ask(Method::post, "/v1/device/authorization",
                              {{"Content-Type", "application/x-www-form-urlencoded"}}, {form}, form.size());
    EXPECT_EQ(answered.status(), 409);
    EXPECT_EQ(answered.code(), "no_token_required");
}

} // namespace
} // namespace vitrine::server::testing
