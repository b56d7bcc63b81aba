// Every route of the table with every kind of principal.

#include <array>

#include <gmock/gmock.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using Field = std::pair<std::string, std::string>;

constexpr const char* server_token = "sesame-sesame-sesame";

Field bearer(const std::string& token)
{
    return {"Authorization", "Bearer " + token};
}

// The pattern with `id` for {id}, and with words for other parameters.
std::string path_of(const Route& route, const std::string& id)
{
    std::string path;
    std::string_view rest = route.pattern;
    while (!rest.empty()) {
        const auto begin = rest.find('{');
        path += rest.substr(0, begin);
        if (begin == rest.npos) break;
        const auto end = rest.find('}', begin);
        path += rest.substr(begin, end - begin + 1) == "{id}" ? id : "0";
        rest.remove_prefix(end + 1);
    }
    return path;
}

// The code of the guard's rejection; empty: the route has answered.
std::string rejection_of(const Answered& answered)
{
    if (answered.status() != 401 && answered.status() != 403) return {};
    const auto code = answered.code();
    return code == "token_required" || code == "role_required" ? code : std::string();
}

class AccessMatrix : public HandlerTest {
protected:
    AccessMatrix() : HandlerTest(false, {}, {.token = server_token}) {}

    struct Sender {
        std::string name;
        std::vector<Field> fields;
        Role role;
    };

    CreatedAccessToken make(Role role, Micros expires = 0)
    {
        return services.tokens
            .create({.name = "of the matrix", .role = role, .expires = expires, .created_by = "test"})
            .value();
    }

    static Field cookie_of(const std::string& token)
    {
        const auto cookie = Guard({.token = server_token}).session_cookie({}, token);
        return {"Cookie", cookie.substr(0, cookie.find(';'))};
    }

    // A user of the role who has signed in; `name`: nobody else's.
    CreatedSession make_session(const std::string& name, Role role)
    {
        services.accounts.create_user({.name = name, .role = role}, "a long sentence").value();
        return services.accounts.sign_in({name, "a long sentence", name, ""}).value();
    }
    Field cookie_of(const CreatedSession& made) const
    {
        return {"Cookie", cookies.session + "=" + made.secret};
    }

    void expect_matrix(const std::vector<Sender>& senders)
    {
        std::vector<const Route*> routes{&page_route()};
        for (const auto& route : all_routes())
            routes.push_back(&route);
        ASSERT_GT(routes.size(), 70u);
        for (const auto* route : routes)
            for (const auto& sender : senders) {
                const auto rejection =
                    rejection_of(ask(route->method, path_of(*route, "none"), sender.fields, {}, 0));
                const bool allowed = may(sender.role, route->access);
                const auto* expected = allowed                     ? ""
                                       : sender.role == Role::none ? "token_required"
                                                                   : "role_required";
                EXPECT_EQ(rejection, expected) << route->name << ", " << sender.name;
            }
    }
};

TEST_F(AccessMatrix, OfEveryRouteIsAsDeclared)
{
    std::vector<Sender> senders{{"nobody", {}, Role::none},
                                {"a wrong token", {bearer("sesame-sesame-open!")}, Role::none},
                                {"a wrong cookie", {{"Cookie", "vitrine_0=0"}}, Role::none},
                                {"the server's token", {bearer(server_token)}, Role::admin}};
    for (const auto role : {Role::viewer, Role::editor, Role::admin}) {
        const auto word = std::string(to_word(role));
        const auto token = make(role);
        senders.push_back({word, {bearer(token.secret)}, role});
        senders.push_back({"cookie of a " + word, {cookie_of(token.secret)}, role});
        senders.push_back({"expired " + word, {bearer(make(role, now() - 1).secret)}, Role::none});
        const auto revoked = make(role);
        ASSERT_TRUE(services.tokens.remove(revoked.token.id));
        senders.push_back({"revoked " + word, {bearer(revoked.secret)}, Role::none});
        senders.push_back({"revoked cookie of a " + word, {cookie_of(revoked.secret)}, Role::none});
    }
    expect_matrix(senders);
}

TEST_F(AccessMatrix, OfUsersIsAsDeclared)
{
    std::vector<Sender> senders{
        {"a wrong session", {{"Cookie", cookies.session + "=session_x"}}, Role::none}};
    for (const auto role : {Role::viewer, Role::editor, Role::admin}) {
        const auto word = std::string(to_word(role));
        senders.push_back({"user " + word, {cookie_of(make_session(word, role))}, role});
        const auto ended = make_session("ended_" + word, role), disabled = make_session("off_" + word, role);
        ASSERT_TRUE(services.accounts.end_session(ended.session.id, ended.session.user));
        ASSERT_TRUE(services.accounts.change_user(disabled.session.user, {.is_disabled = true}, {}));
        senders.push_back({"ended session of a " + word, {cookie_of(ended)}, Role::none});
        senders.push_back({"disabled " + word, {cookie_of(disabled)}, Role::none});
    }
    expect_matrix(senders);
}

// Whoever has shown no token learns only which routes are public.
TEST_F(AccessMatrix, RejectionsRevealNothing)
{
    const auto known = imported("bar.obj");
    const auto expected = get("/v1/assets/asset_none");
    ASSERT_EQ(expected.status(), 401);
    for (const auto& path : {"/v1/assets/" + known, "/v1/assets/" + known + "/files/bar.obj",
                             "/v1/assets/" + known + "/thumbnail", std::string("/v1/nothing"),
                             std::string("/nothing"), "/v1/assets/" + known + "/"})
        for (const auto method : {Method::get, Method::post, Method::delete_, Method::options}) {
            const auto answered = ask(method, path);
            EXPECT_EQ(answered.status(), 401) << path;
            EXPECT_EQ(body_bytes(answered.response.body), body_bytes(expected.response.body)) << path;
        }
}

class OpenServer : public HandlerTest {
protected:
    OpenServer() : HandlerTest(false) {}
};

TEST_F(OpenServer, MakesEverybodyAnEditor)
{
    for (const auto& route : all_routes())
        EXPECT_EQ(rejection_of(ask(route.method, path_of(route, "none"), {}, {}, 0)),
                  route.access == Access::administer ? "role_required" : "")
            << route.name;
}

} // namespace
} // namespace vitrine::server::testing
