// Grants of groups of an identity provider, by their routes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/server/handlers/access/grants_fixture.hpp"

namespace vitrine::server::testing {
namespace {

constexpr const char* issuer = "http://127.0.0.1:1";

class GroupGrants : public Grants {
protected:
    GroupGrants()
        : Grants([](ServicesConfig& config) {
              config.oidc = OidcSettings{.issuer = issuer,
                                         .client_id = "vitrine",
                                         .default_role = Role::member,
                                         .name = "Studio ID",
                                         .state_key = "key"};
          })
    {
    }

    Answered put(const std::string& query, const std::string& role, const std::string& collection)
    {
        return send(Method::put, "/v1/collections/" + collection + "/grants" + query,
                    fmt::format(R"({{"role": "{}"}})", role), {admin, {"Content-Type", "application/json"}});
    }
    Answered remove(const std::string& query)
    {
        return ask(Method::delete_, "/v1/collections/" + mine + "/grants" + query, {admin});
    }
    // Of a user of the provider who has signed in.
    Field sign_on(const std::vector<std::string>& groups)
    {
        const ExternalUser user{.issuer = issuer,
                                .subject = "1",
                                .name = "noor",
                                .display_name = {},
                                .email = {},
                                .role = Role::member,
                                .groups = groups};
        return cookie_of(services.accounts.sign_on(user, {"192.0.2.1"}).value());
    }
};

TEST_F(GroupGrants, ShowTheCollectionToUsersOfTheGroup)
{
    const auto noor = sign_on({"artists"}), elsewhere = sign_on({"artists"});
    EXPECT_EQ(get("/v1/assets/" + walker, {noor}).code(), "no_asset");
    ASSERT_EQ(put("?group=artists", "viewer", mine).status(), 200);
    EXPECT_EQ(get("/v1/assets/" + walker, {noor}).status(), 200) << "at once";
    EXPECT_EQ(get("/v1/assets/" + secret, {noor}).code(), "no_asset");
    EXPECT_EQ(ask(Method::delete_, "/v1/assets/" + walker, {noor}).code(), "role_required");
    const auto me = get("/v1/me", {noor}).json();
    EXPECT_EQ(me.at_pointer("/collections/0/collection").as_string(), mine);
    EXPECT_EQ(me.at_pointer("/collections/0/role").as_string(), "viewer");
    sign_on({"visitors"});
    EXPECT_EQ(get("/v1/assets/" + walker, {elsewhere}).code(), "no_asset") << "also for older sessions";
}

TEST_F(GroupGrants, AreListedBesideThoseOfUsers)
{
    const auto made = put("?group=cn%3Dartists%2Cdc%3Dexample", "editor", mine).json();
    EXPECT_EQ(made.at("group").as_string(), "cn=artists,dc=example");
    EXPECT_EQ(made.at("issuer").as_string(), issuer);
    EXPECT_EQ(made.at("role").as_string(), "editor");
    put("?group=cn%3Dartists%2Cdc%3Dexample", "viewer", mine);
    const auto list = get("/v1/collections/" + mine + "/grants", {admin}).json();
    EXPECT_EQ(list.at("provider").as_string(), "Studio ID");
    EXPECT_EQ(list.at_pointer("/items/0/user/name").as_string(), "maya");
    ASSERT_EQ(list.at("groups").as_array().size(), 1u) << "the second one has replaced the first";
    EXPECT_EQ(list.at_pointer("/groups/0/role").as_string(), "viewer");
    EXPECT_EQ(list.at_pointer("/groups/0/createdBy").as_string(), "token:server");
}

TEST_F(GroupGrants, AreRemovedByTheirGroup)
{
    put("?group=artists", "viewer", mine);
    EXPECT_EQ(remove("?group=Artists").code(), "no_grant");
    EXPECT_EQ(remove("?group=artists&issuer=https%3A%2F%2Fother.example").code(), "no_grant");
    EXPECT_EQ(remove("?group=artists").status(), 204);
    EXPECT_EQ(remove("?group=artists").code(), "no_grant");
    services.tokens.put_group_grant({mine, {"https://old.example", "artists"}, Role::viewer, "test"}).value();
    EXPECT_EQ(remove("?group=artists&issuer=https%3A%2F%2Fold.example").status(), 204);
}

TEST_F(GroupGrants, NeedAGroupAndARole)
{
    for (const auto* query : {"", "?group=", "?group=a&issuer=b", "?group=a&other=b"})
        EXPECT_EQ(put(query, "viewer", mine).code(), "bad_query") << query;
    EXPECT_EQ(put("?group=" + std::string(256, 'a'), "viewer", mine).code(), "bad_query");
    EXPECT_EQ(put("?group=a", "member", mine).code(), "bad_body");
    EXPECT_EQ(put("?group=a", "viewer", "none").code(), "no_collection");
    EXPECT_EQ(remove("").code(), "bad_query");
}

TEST_F(GroupGrants, AreManagedByAdminsOfTheCollection)
{
    const auto path = "/v1/collections/" + mine + "/grants?group=artists";
    EXPECT_EQ(send(Method::put, path, R"({"role": "viewer"})").code(), "role_required");
    give(mine, Role::admin);
    EXPECT_EQ(send(Method::put, path, R"({"role": "viewer"})").status(), 200);
    EXPECT_EQ(ask(Method::delete_, path, {maya}).status(), 204);
    const auto other = "/v1/collections/" + hidden + "/grants?group=artists";
    EXPECT_EQ(send(Method::put, other, R"({"role": "viewer"})").code(), "no_collection");
}

TEST_F(Grants, GroupsNeedAProvider)
{
    const auto path = "/v1/collections/" + mine + "/grants";
    const auto made = send(Method::put, path + "?group=artists", R"({"role": "viewer"})",
                           {admin, {"Content-Type", "application/json"}});
    EXPECT_EQ(made.code(), "no_provider");
    const auto list = get(path, {admin}).json();
    EXPECT_TRUE(list.at("provider").is_null());
    EXPECT_TRUE(list.at("groups").as_array().empty());
}

} // namespace
} // namespace vitrine::server::testing
