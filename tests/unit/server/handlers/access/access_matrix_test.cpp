// Every route of the table with every kind of principal that has a role.

#include <array>

#include <gmock/gmock.h>

#include "tests/unit/server/handlers/access/access_matrix.hpp"

namespace vitrine::server::testing {
namespace {

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
