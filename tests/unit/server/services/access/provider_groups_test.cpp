// Groups of an identity provider, their grants, and logouts that it tells.

#include <algorithm>

#include "server/services/organization/collection_table.hpp"
#include "tests/unit/server/services/access/external_users_fixture.hpp"

namespace vitrine::server::testing {
namespace {

class CatalogProviderGroups : public CatalogExternalUsers {
protected:
    std::string make_collection(const std::string& name)
    {
        Collection wanted;
        wanted.name = name;
        return CollectionTable(catalog.connections()).create(wanted).value().id;
    }
    void grant_to_group(const std::string& collection, const std::string& group, Role role)
    {
        tokens.put_group_grant({collection, {"https://id.example", group}, role, "test"}).value();
    }
    Role role_for(const CreatedSession& made, const std::string& collection) const
    {
        auto highest = Role::none;
        for (const auto& grant : grants_with(*find(made), Role::none))
            if (grant.collection == collection) highest = std::max(highest, grant.role);
        return highest;
    }
    long long count(const std::string& table)
    {
        return catalog.connections().read([&](DatabaseConnection& sql) {
            long long rows = 0;
            sql << "SELECT COUNT(*) FROM " + table, soci::into(rows);
            return rows;
        });
    }
    static Micros later() { return now() + 60'000'000; }
};

// The groups are those of the last sign-in, also for sessions that began before.
TEST_F(CatalogProviderGroups, GrantsOfGroupsAreThoseOfTheLastSignIn)
{
    const auto scenes = make_collection("scenes");
    grant_to_group(scenes, "artists", Role::editor);
    grant_to_group(scenes, "staff", Role::viewer);
    auto maya = external(Role::member);
    const auto first = sign_on(maya).value();
    EXPECT_EQ(role_for(first, scenes), Role::none);
    maya.groups = {"staff", "artists", "artists", "", "a\nb", std::string(256, 'x')};
    const auto second = sign_on(maya).value();
    EXPECT_EQ(role_for(first, scenes), Role::editor) << "the highest of two";
    EXPECT_EQ(role_for(second, scenes), Role::editor);
    maya.groups = {"staff", "Artists"};
    sign_on(maya).value();
    EXPECT_EQ(role_for(second, scenes), Role::viewer);
    maya.groups = {};
    sign_on(maya).value();
    EXPECT_EQ(role_for(second, scenes), Role::none);
}

TEST_F(CatalogProviderGroups, HighestOfOwnGrantAndThatOfTheGroupHolds)
{
    const auto scenes = make_collection("scenes");
    auto maya = external(Role::member);
    maya.groups = {"staff"};
    const auto session = sign_on(maya).value();
    const auto put_own = [&](Role role) {
        tokens.put_grant({.collection = scenes, .user = "maya", .role = role, .created_by = "test"}).value();
    };
    put_own(Role::viewer);
    grant_to_group(scenes, "staff", Role::admin);
    EXPECT_EQ(role_for(session, scenes), Role::admin);
    grant_to_group(scenes, "staff", Role::viewer);
    put_own(Role::editor);
    EXPECT_EQ(role_for(session, scenes), Role::editor);
    EXPECT_EQ(find(session)->grants->size(), 1u);
}

TEST_F(CatalogProviderGroups, GroupsOfOtherProvidersAreOtherGroups)
{
    const auto scenes = make_collection("scenes");
    auto maya = external(Role::member);
    maya.groups = {"staff"};
    const auto session = sign_on(maya).value();
    tokens.put_group_grant({.collection = scenes, .name = {"https://other.example", "staff"}}).value();
    EXPECT_EQ(role_for(session, scenes), Role::none);
    EXPECT_EQ(tokens.remove_group_grant(scenes, {"https://id.example", "staff"}).error().code, "no_grant");
    EXPECT_EQ(
        tokens.put_group_grant({.collection = "none", .name = {"https://id.example", "staff"}}).error().code,
        "no_collection");
}

TEST_F(CatalogProviderGroups, GroupsAndTheirGrantsAreRemovedWithWhatTheyAreAbout)
{
    const auto scenes = make_collection("scenes");
    grant_to_group(scenes, "staff", Role::viewer);
    auto maya = external(Role::member);
    maya.groups = {"staff"};
    sign_on(maya).value();
    ASSERT_EQ(count("user_groups"), 1);
    accounts.remove_user(only_user().id).value();
    EXPECT_EQ(count("user_groups"), 0);
    ASSERT_EQ(count("group_grants"), 1);
    CollectionTable(catalog.connections()).remove(scenes, {}, false).value();
    EXPECT_EQ(count("group_grants"), 0);
}

TEST_F(CatalogProviderGroups, LogoutEndsTheSessionOfTheProviderOrAllOfTheSubject)
{
    const auto of_sid = [this](const std::string& sid, const std::string& subject = "1") {
        return accounts.sign_on(external(Role::viewer, subject), {home, "Browser/1", sid}).value();
    };
    const auto first = of_sid("a"), same = of_sid("a"), other = of_sid("b"), without = of_sid("");
    const auto of_another_user = of_sid("b", "2");
    ProviderLogout logout{.issuer = "https://id.example", .sid = "a", .token_id = "1", .expires = later()};
    EXPECT_TRUE(accounts.end_sessions(logout, home));
    EXPECT_FALSE(find(first));
    EXPECT_FALSE(find(same));
    EXPECT_TRUE(find(other));
    logout = {
        .issuer = "https://id.example", .subject = "1", .sid = "b", .token_id = "2", .expires = later()};
    EXPECT_TRUE(accounts.end_sessions(logout, home));
    EXPECT_FALSE(find(other));
    EXPECT_TRUE(find(of_another_user)) << "another subject";
    EXPECT_TRUE(find(without));
    logout = {.issuer = "https://other.example", .subject = "1", .token_id = "3", .expires = later()};
    EXPECT_TRUE(accounts.end_sessions(logout, home));
    EXPECT_TRUE(find(without)) << "another issuer";
    logout = {.issuer = "https://id.example", .subject = "1", .token_id = "4", .expires = later()};
    EXPECT_TRUE(accounts.end_sessions(logout, home));
    EXPECT_FALSE(find(without));
    EXPECT_TRUE(find(of_another_user));
}

TEST_F(CatalogProviderGroups, LogoutTokensAreUsedOnceInAllProcesses)
{
    const ProviderLogout logout{
        .issuer = "https://id.example", .subject = "1", .token_id = "same", .expires = later()};
    EXPECT_TRUE(accounts.end_sessions(logout, home));
    const auto session = sign_on(external(Role::viewer)).value();
    Catalog elsewhere(location());
    EXPECT_EQ(SessionTable(elsewhere.connections(), {}).end(logout).error().code, "logout_token_used");
    EXPECT_EQ(accounts.end_sessions(logout, home).error().code, "logout_token_used");
    EXPECT_TRUE(find(session));
    ASSERT_EQ(count("logout_tokens"), 1);
    auto expired = logout;
    expired.token_id = "expired";
    expired.expires = 1;
    EXPECT_TRUE(accounts.end_sessions(expired, home));
    auto next = logout;
    next.token_id = "next";
    EXPECT_TRUE(accounts.end_sessions(next, home));
    EXPECT_EQ(count("logout_tokens"), 2) << "without the expired one";
}

} // namespace
} // namespace vitrine::server::testing
