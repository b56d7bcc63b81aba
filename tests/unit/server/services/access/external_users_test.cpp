// Users of an identity provider, and the device flow, in the database.

#include <gmock/gmock.h>

#include "tests/unit/server/services/access/external_users_fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(CatalogExternalUsers, IsMadeOnceAndChangedAtEachSignIn)
{
    const auto first = sign_on(external(Role::viewer)).value();
    EXPECT_EQ(find(first)->role, Role::viewer);
    auto changed = external(Role::editor);
    changed.display_name = "Maya\nL.";
    changed.email = "m@id.example";
    const auto second = sign_on(changed).value();
    EXPECT_EQ(find(first)->role, Role::editor);
    EXPECT_EQ(find(second)->id, find(first)->id);
    ASSERT_THAT(accounts.list_users(), SizeIs(1));
    const auto user = only_user();
    EXPECT_EQ(user.name, "maya");
    EXPECT_EQ(user.display_name, "Maya L.");
    EXPECT_EQ(user.email, "m@id.example");
    EXPECT_EQ(user.subject, "1");
    EXPECT_FALSE(accounts.sign_in({"maya", "", home, ""}));
}

TEST_F(CatalogExternalUsers, NamesOfOthersAreNotTaken)
{
    accounts.create_user({.name = "Maya", .role = Role::admin}, "a long sentence").value();
    const auto made = sign_on(external(Role::viewer)).value();
    EXPECT_EQ(find(made)->name, "maya-2");
    EXPECT_EQ(find(made)->role, Role::viewer);
    EXPECT_EQ(find(sign_on(external(Role::viewer, "2", "")).value())->name, "user");
    EXPECT_EQ(find(sign_on(external(Role::viewer, "3", "a b\x01")).value())->name, "a.b.");
    EXPECT_EQ(find(sign_on(external(Role::viewer, "4", std::string(100, 'x'))).value())->name.size(), 56u);
}

TEST_F(CatalogExternalUsers, WithoutARoleSessionsAndTokensEnd)
{
    EXPECT_EQ(sign_on(external(Role::none)).error().code, "no_role");
    EXPECT_THAT(accounts.list_users(), IsEmpty());
    const auto session = sign_on(external(Role::editor)).value();
    const auto token = grants.poll(approved(only_user()).device_code, home).value();
    ASSERT_TRUE(find(session));
    ASSERT_TRUE(find(token));
    EXPECT_EQ(sign_on(external(Role::none)).error().code, "no_role");
    EXPECT_FALSE(find(session));
    EXPECT_FALSE(find(token));
}

TEST_F(CatalogExternalUsers, DisabledOnesAreRejected)
{
    const auto session = sign_on(external(Role::editor)).value();
    const auto token = grants.poll(approved(only_user()).device_code, home).value();
    accounts.change_user(only_user().id, {.is_disabled = true}, {}).value();
    EXPECT_FALSE(find(session));
    EXPECT_FALSE(find(token));
    EXPECT_EQ(sign_on(external(Role::editor)).error().code, "user_disabled");
    accounts.change_user(only_user().id, {.is_disabled = false}, {}).value();
    EXPECT_FALSE(find(token)) << "does not come back";
}

TEST_F(CatalogExternalUsers, AnotherPasswordEndsTokensAndApprovals)
{
    const auto user = accounts.create_user({.name = "maya", .role = Role::editor}, "a long sentence").value();
    const auto token = grants.poll(approved(user).device_code, home).value();
    const auto taken = approved(user);
    accounts.change_user(user.id, {}, "another sentence").value();
    EXPECT_FALSE(find(token));
    EXPECT_EQ(grants.poll(taken.device_code, home).error(), DevicePollError::unknown);
}

TEST_F(CatalogExternalUsers, OldestTokensOfAUserMakeRoom)
{
    const auto token_of = [this](const std::string& owner) {
        return tokens.create({.name = "a", .created_by = "test", .owner = owner}).value();
    };
    const auto user = accounts.create_user({.name = "maya", .role = Role::editor}, "a long sentence").value();
    const auto other = accounts.create_user({.name = "other"}, "a long sentence").value();
    const auto of_other = token_of(other.id), oldest = token_of(user.id), second = token_of(user.id);
    for (auto made = 2; made < TokenTable::max_tokens_of_owner; ++made)
        token_of(user.id);
    EXPECT_TRUE(find(oldest));
    token_of(user.id);
    EXPECT_FALSE(find(oldest));
    EXPECT_TRUE(find(second));
    EXPECT_TRUE(find(of_other));
}

TEST_F(CatalogExternalUsers, TokenOfADeviceHasNoRoleAboveItsOwner)
{
    sign_on(external(Role::editor)).value();
    const auto user = only_user();
    EXPECT_EQ(find(grants.poll(approved(user, Role::admin).device_code, home).value())->role, Role::editor);
    const auto token = grants.poll(approved(user, Role::editor).device_code, home).value();
    EXPECT_EQ(token.token.name, "Blender");
    EXPECT_EQ(token.token.created_by, "user:" + user.id);
    EXPECT_GT(token.token.expires, now());
    accounts.change_user(user.id, {.role = Role::viewer}, {}).value();
    EXPECT_EQ(find(token)->role, Role::viewer);
    accounts.remove_user(user.id).value();
    EXPECT_FALSE(find(token));
    EXPECT_THAT(tokens.list(), IsEmpty());
}

TEST_F(CatalogExternalUsers, DeviceWaitsForTheDecision)
{
    const auto made = grants.create({.client = "Blender", .address = home, .role = Role::viewer}).value();
    EXPECT_EQ(grants.poll(made.device_code, home).error(), DevicePollError::pending);
    EXPECT_EQ(grants.poll(made.device_code, home).error(), DevicePollError::slow_down);
    EXPECT_EQ(grants.poll("another", home).error(), DevicePollError::unknown);
    EXPECT_TRUE(grants.decide(made.grant.user_code, {}));
    EXPECT_EQ(grants.decide(made.grant.user_code, {}).error().code, "no_device_code");
    DeviceGrants hasty{catalog.connections(), tokens, {.pause = 0}};
    const auto other = hasty.create({.client = "Blender", .address = home, .role = Role::viewer}).value();
    EXPECT_EQ(hasty.poll(other.device_code, home).error(), DevicePollError::pending);
    EXPECT_TRUE(hasty.decide(other.grant.user_code, {}));
    EXPECT_EQ(hasty.poll(other.device_code, home).error(), DevicePollError::denied);
    EXPECT_EQ(hasty.poll(other.device_code, home).error(), DevicePollError::unknown);
}

TEST_F(CatalogExternalUsers, TokenOfADeviceIsGivenOnce)
{
    sign_on(external(Role::editor)).value();
    const auto made = approved(only_user());
    DeviceGrants other_process{catalog.connections(), tokens};
    EXPECT_TRUE(other_process.poll(made.device_code, home));
    EXPECT_EQ(grants.poll(made.device_code, home).error(), DevicePollError::unknown);
}

TEST_F(CatalogExternalUsers, CodesOfDevicesExpireAndAreLimited)
{
    DeviceGrants brief{catalog.connections(), tokens, {.lifetime = 0}};
    const auto late = brief.create({.client = "Blender", .address = home}).value();
    EXPECT_EQ(brief.poll(late.device_code, home).error(), DevicePollError::expired);
    EXPECT_EQ(brief.find_waiting(late.grant.user_code, "user:1", home).error(), 0u);
    for (int i = 0; i < DeviceGrants::max_waiting_of_address; ++i)
        ASSERT_TRUE(grants.create({.client = "Blender", .address = home}));
    EXPECT_EQ(grants.create({.client = "Blender", .address = home}).error().code, "too_many_device_codes");
    EXPECT_TRUE(grants.create({.client = "Blender", .address = "192.0.2.2"}));
    for (int i = 0; i < DeviceGrants::max_waiting_of_address; ++i)
        ASSERT_TRUE(grants.create({.client = "Blender", .address = "2001:db8:1:2:3::" + std::to_string(i)}));
    EXPECT_FALSE(grants.create({.client = "Blender", .address = "2001:db8:1:2::9"})) << "of the same /64";
    EXPECT_TRUE(grants.create({.client = "Blender", .address = "2001:db8:1:3::9"}));
}

TEST_F(CatalogExternalUsers, CodesAreFoundAsPeopleTypeThemAndNotGuessed)
{
    const auto made = grants.create({.client = "Blender", .address = home, .role = Role::editor}).value();
    auto typed = made.grant.user_code;
    typed[4] = ' ';
    for (auto& c : typed)
        c = static_cast<char>(std::tolower(c));
    const auto found = grants.find_waiting(typed, "user:1", home);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->client, "Blender");
    EXPECT_EQ(found->role, Role::editor);
    unsigned wait = 0;
    for (int i = 0; i < 10 && wait == 0; ++i)
        wait = grants.find_waiting("BCDF-GHJK", "user:2", home).error();
    EXPECT_GT(wait, 0u);
    EXPECT_GT(grants.find_waiting(made.grant.user_code, "user:2", home).error(), 0u);
}

} // namespace
} // namespace vitrine::server::testing
