// What users have: access tokens, sessions and storage, by their own requests.

#include "tests/unit/server/handlers/access/access_matrix.hpp"

namespace vitrine::server::testing {
namespace {

class Account : public AccessMatrix {
protected:
    explicit Account(const std::function<void(ServicesConfig&)>& adjust = {}) : AccessMatrix(adjust) {}

    const Fields admin{bearer(server_token)};

    std::string user_of(const CreatedSession& session) const { return session.session.user; }
    // As `vitrine login` gets one.
    CreatedAccessToken device_token(const CreatedSession& session, Role role = Role::editor)
    {
        return services.tokens
            .create({.name = "laptop", .role = role, .created_by = "test", .owner = user_of(session)})
            .value();
    }
    std::vector<std::string> ids(const Answered& answered)
    {
        std::vector<std::string> all;
        for (const auto& item : answered.json().at("items").as_array())
            all.emplace_back(item.at("id").as_string());
        return all;
    }
    Answered upload(const Fields& who, const std::string& name, const std::string& content)
    {
        Fields fields{{"Content-Type", "application/octet-stream"}};
        fields.insert(fields.end(), who.begin(), who.end());
        return ask(Method::post, "/v1/assets?name=" + name, fields, {content}, content.size());
    }
};

TEST_F(Account, UsersSeeAndRevokeTheirOwnTokens)
{
    const auto maya = make_session("maya", Role::viewer), ada = make_session("ada", Role::viewer);
    const auto laptop = device_token(maya), other = device_token(ada), of_nobody = make(Role::viewer);
    const auto own = get("/v1/me/tokens", {cookie_of(maya)});
    EXPECT_EQ(ids(own), std::vector{laptop.token.id});
    EXPECT_EQ(own.json().at("items").at(0).at("current"), false);
    EXPECT_EQ(get("/v1/me/tokens", {bearer(laptop.secret)}).json().at("items").at(0).at("current"), true);
    EXPECT_TRUE(ids(get("/v1/me/tokens", {bearer(of_nobody.secret)})).empty());
    EXPECT_TRUE(ids(get("/v1/me/tokens", admin)).empty());
    for (const auto& id : {other.token.id, of_nobody.token.id, std::string("token_none")})
        EXPECT_EQ(ask(Method::delete_, "/v1/me/tokens/" + id, {cookie_of(maya)}).code(), "no_token");
    EXPECT_EQ(get("/v1/me", {bearer(other.secret)}).status(), 200);
    EXPECT_EQ(ask(Method::delete_, "/v1/me/tokens/" + laptop.token.id, {cookie_of(maya)}).status(), 204);
    EXPECT_EQ(get("/v1/me", {bearer(laptop.secret)}).status(), 401);
    EXPECT_TRUE(ids(get("/v1/me/tokens", {cookie_of(maya)})).empty());
}

TEST_F(Account, TokensThatUsersHaveMadeAreTheirs)
{
    const auto maya = make_session("maya", Role::admin);
    const auto made =
        ask(Method::post, "/v1/tokens", {cookie_of(maya)}, {R"({"name":"farm","role":"viewer"})"}).json();
    const std::string id(made.at("id").as_string());
    EXPECT_EQ(ids(get("/v1/me/tokens", {cookie_of(maya)})), std::vector{id});
    EXPECT_EQ(ask(Method::delete_, "/v1/me/tokens/" + id, {cookie_of(maya)}).status(), 204);
}

TEST_F(Account, SessionsAreSeenByTokensOfTheUser)
{
    const auto maya = make_session("maya", Role::viewer), ada = make_session("ada", Role::viewer);
    const Fields laptop{bearer(device_token(maya, Role::viewer).secret)};
    EXPECT_EQ(ids(get("/v1/sessions", laptop)), std::vector{maya.session.id});
    EXPECT_EQ(ask(Method::delete_, "/v1/sessions/" + ada.session.id, laptop).code(), "no_session");
    EXPECT_EQ(ask(Method::delete_, "/v1/sessions/" + maya.session.id, laptop).status(), 204);
    EXPECT_EQ(get("/v1/me", {cookie_of(maya)}).status(), 401);
    EXPECT_EQ(get("/v1/me", laptop).status(), 200);
}

class AccountQuota : public Account {
protected:
    AccountQuota() : Account([](ServicesConfig& config) { config.quota.user_bytes = 20; }) {}
};

TEST_F(AccountQuota, LimitsWhatUsersUpload)
{
    const auto maya = make_session("maya", Role::editor);
    const Fields cookie{cookie_of(maya)}, laptop{bearer(device_token(maya).secret)};
    EXPECT_EQ(upload(cookie, "a.obj", std::string(12, 'a')).status(), 201);
    const auto full = upload(laptop, "b.obj", std::string(9, 'b'));
    EXPECT_EQ(full.status(), 507) << "the token stands for the user";
    EXPECT_EQ(full.code(), "user_quota_exceeded");
    EXPECT_EQ(full.pieces, 0u);
    EXPECT_EQ(upload(admin, "b.obj", std::string(30, 'b')).status(), 201) << "nobody's";
    EXPECT_EQ(
        ask(Method::post, "/v1/uploads", {laptop.front(), {"Tus-Resumable", "1.0.0"}, {"Upload-Length", "9"}})
            .code(),
        "user_quota_exceeded");
    EXPECT_EQ(upload(laptop, "c.obj", std::string(8, 'c')).status(), 201);
    EXPECT_EQ(upload(laptop, "a.obj", std::string(12, 'a')).status(), 507) << "its bytes arrive first";
}

TEST_F(AccountQuota, IsShownAndSetByAdmins)
{
    const auto maya = make_session("maya", Role::editor);
    const auto path = "/v1/users/" + user_of(maya);
    const auto storage = get("/v1/me/storage", {cookie_of(maya)}).json();
    EXPECT_EQ(storage.at("usedBytes"), 0);
    EXPECT_EQ(storage.at("quotaBytes"), 20);
    EXPECT_TRUE(get(path, admin).json().at("quotaBytes").is_null());
    EXPECT_EQ(ask(Method::patch, path, admin, {R"({"quotaBytes":50})"}).json().at("quotaBytes"), 50);
    EXPECT_EQ(upload({cookie_of(maya)}, "a.obj", std::string(40, 'a')).status(), 201);
    const auto users = get("/v1/storage/users", admin).json();
    EXPECT_EQ(users.at("items").at(0).at("user"), user_of(maya).c_str());
    EXPECT_EQ(users.at("items").at(0).at("usedBytes"), 40);
    EXPECT_EQ(users.at("items").at(0).at("quotaBytes"), 50);
    EXPECT_EQ(get("/v1/storage/users", {cookie_of(maya)}).code(), "role_required");
    EXPECT_EQ(ask(Method::patch, "/v1/me", {cookie_of(maya)}, {R"({"quotaBytes":90})"}).status(), 400);
    for (const auto* wrong : {R"({"quotaBytes":-1})", R"({"quotaBytes":"1"})", R"({"quotaBytes":1.5})"})
        EXPECT_EQ(ask(Method::patch, path, admin, {wrong}).code(), "bad_body") << wrong;
    EXPECT_TRUE(
        ask(Method::patch, path, admin, {R"({"quotaBytes":null})"}).json().at("quotaBytes").is_null());
    EXPECT_TRUE(get("/v1/me/storage", admin).json().at("quotaBytes").is_null());
}

} // namespace
} // namespace vitrine::server::testing
