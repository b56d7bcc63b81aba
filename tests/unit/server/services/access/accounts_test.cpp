// Users, their passwords and sessions, in the database and in memory.

#include "server/services/access/accounts.hpp"

#include <gmock/gmock.h>

#include "server/services/audit/audit_log.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/services/organization/search_table.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* good_password = "a long sentence";

class CatalogAccounts : public CatalogTest {
protected:
    User add_user(const std::string& name, Role role = Role::editor)
    {
        return accounts.create_user({.name = name, .role = role, .created_by = "test"}, good_password)
            .value();
    }
    auto sign_in(const std::string& name, const std::string& password,
                 const std::string& address = "192.0.2.1")
    {
        return accounts.sign_in({name, password, address, "Browser/1"});
    }
    SharedPrincipal find(const CreatedSession& made) const
    {
        return tokens.find_session(digest_of(made.secret));
    }
    // As if the session had been used that long ago.
    void set_used(AccessTokens& known, const std::string& id, Micros age)
    {
        const long long used = now() - age;
        catalog.connections().write([&](DatabaseConnection& sql) {
            sql << "UPDATE sessions SET last_used = :used WHERE id = :id", soci::use(used), soci::use(id);
        });
        known.reload();
    }

    static constexpr PasswordCost cost{.log_n = 4, .r = 1, .p = 1};
    static constexpr SessionTimes times{.lifetime = 3600 * 1'000'000ll, .idle = 600 * 1'000'000ll};
    AccessTokens tokens{catalog.connections(), {.interval = 5ms, .use_step = 0s, .sessions = times}};
    AuditLog audit{catalog.connections()};
    Accounts accounts{catalog.connections(), tokens, audit, cost};
};

TEST_F(CatalogAccounts, UserSignsInWithThePassword)
{
    const auto user = add_user("Maya");
    const auto made = sign_in("maya", good_password).value();
    EXPECT_TRUE(made.secret.starts_with("session_"));
    const auto found = find(made);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, Principal::Kind::user);
    EXPECT_EQ(to_text(*found), "user:" + user.id);
    EXPECT_EQ(found->name, "Maya");
    EXPECT_EQ(found->role, Role::editor);
    EXPECT_EQ(found->session, made.session.id);
    EXPECT_EQ(found->expires - made.session.created, times.lifetime);
    EXPECT_FALSE(tokens.find_token(digest_of(made.secret))) << "a session is no token";
    EXPECT_FALSE(tokens.find_cookie(digest_of(made.secret)));
    const auto listed = accounts.list_sessions(user.id);
    ASSERT_THAT(listed, SizeIs(1));
    EXPECT_EQ(listed[0].agent, "Browser/1");
    EXPECT_EQ(listed[0].address, "192.0.2.1");
    EXPECT_THAT(accounts.list_sessions("user_other"), IsEmpty());
}

TEST_F(CatalogAccounts, RejectionsAreAlike)
{
    add_user("maya");
    const auto disabled = add_user("disabled");
    accounts.change_user(disabled.id, {.is_disabled = true}, {}).value();
    accounts.create_user({.name = "sso"}, {}).value();
    for (const auto& [name, password] :
         std::vector<std::pair<std::string, std::string>>{{"maya", "a long sentenc"},
                                                          {"nobody", good_password},
                                                          {"disabled", good_password},
                                                          {"sso", ""},
                                                          {"sso", good_password}}) {
        const auto made = sign_in(name, password);
        ASSERT_FALSE(made) << name;
        EXPECT_EQ(made.error().retry_after_s, 0u) << name;
    }
    std::vector<std::string> subjects;
    const auto page = audit.list({.action = "session.reject"}).value();
    for (const auto& entry : page.items)
        subjects.push_back(entry.subject);
    EXPECT_THAT(subjects, ElementsAre("sso", "sso", "disabled", "nobody", "maya"));
}

TEST_F(CatalogAccounts, WrongPasswordsAreSlowedAndTheRightOneIsNot)
{
    add_user("maya");
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(sign_in("maya", "wrong wrong").error().retry_after_s, 0u);
    const auto slowed = sign_in("maya", good_password);
    ASSERT_FALSE(slowed) << "nor does it tell whether it was right";
    EXPECT_EQ(slowed.error().retry_after_s, 1u);
    EXPECT_TRUE(sign_in("maya", good_password, "192.0.2.2")) << "from another address";
    for (int i = 0; i < 50; ++i)
        ASSERT_TRUE(sign_in("maya", good_password, "192.0.2.3")) << "successes do not count";
}

TEST_F(CatalogAccounts, SessionsEndWithTheirUser)
{
    const auto user = add_user("maya");
    const auto first = sign_in("maya", good_password).value();
    accounts.change_user(user.id, {.role = Role::viewer}, {}).value();
    EXPECT_EQ(find(first)->role, Role::viewer) << "at once";
    accounts.change_user(user.id, {.is_disabled = true}, {}).value();
    EXPECT_FALSE(find(first));
    accounts.change_user(user.id, {.is_disabled = false}, {}).value();
    EXPECT_FALSE(find(first)) << "does not come back";
    const auto second = sign_in("maya", good_password).value();
    const auto third = sign_in("maya", good_password).value();
    accounts.change_user(user.id, {.kept_session = third.session.id}, "another sentence").value();
    EXPECT_FALSE(find(second));
    EXPECT_TRUE(find(third));
    EXPECT_FALSE(sign_in("maya", good_password));
    ASSERT_TRUE(accounts.remove_user(user.id));
    EXPECT_FALSE(find(third));
    EXPECT_EQ(accounts.remove_user(user.id).error().code, "no_user");
}

TEST_F(CatalogAccounts, PrivateSearchesEndWithTheirOwner)
{
    SearchTable searches(catalog.connections());
    const auto save = [&](const std::string& owner, bool is_shared) {
        SavedSearch wanted;
        wanted.name = "s";
        wanted.query = "q=a";
        wanted.owner = owner;
        wanted.is_shared = is_shared;
        return searches.create(wanted).value().id;
    };
    const auto user = add_user("maya");
    const auto token = tokens.create({.name = "a", .created_by = "test"}).value().token;
    const auto of_user = "user:" + user.id, of_token = "token:" + token.id;
    const auto first = save(of_user, false), shared = save(of_user, true), second = save(of_token, false);
    ASSERT_TRUE(accounts.remove_user(user.id));
    EXPECT_FALSE(searches.find(first, of_user));
    EXPECT_TRUE(searches.find(shared, of_user));
    EXPECT_TRUE(searches.find(second, of_token));
    ASSERT_TRUE(tokens.remove(token.id));
    EXPECT_FALSE(searches.find(second, of_token));
}

TEST_F(CatalogAccounts, SessionIsEndedByItsUserAlone)
{
    const auto maya = add_user("maya"), other = add_user("other");
    const auto made = sign_in("maya", good_password).value();
    EXPECT_EQ(accounts.end_session(made.session.id, other.id).error().code, "no_session");
    EXPECT_TRUE(find(made));
    ASSERT_TRUE(accounts.end_session(made.session.id, maya.id));
    EXPECT_FALSE(find(made));
}

TEST_F(CatalogAccounts, IdleSessionsEndUnlessAnotherProcessUsesThem)
{
    add_user("maya");
    const auto made = sign_in("maya", good_password).value();
    AccessTokens elsewhere(catalog.connections(), {.use_step = 0s, .sessions = times});
    const auto digest = digest_of(made.secret);
    set_used(elsewhere, made.session.id, times.idle - 60'000'000);
    EXPECT_TRUE(elsewhere.find_session(digest));
    AccessTokens restarted(catalog.connections(), {.sessions = times});
    EXPECT_TRUE(restarted.find_session(digest));
    set_used(restarted, made.session.id, times.idle + 1);
    AccessTokens late(catalog.connections(), {.sessions = times});
    EXPECT_FALSE(late.find_session(digest));
    EXPECT_FALSE(restarted.find_session(digest));
}

TEST_F(CatalogAccounts, UseOfSessionsIsStored)
{
    const auto user = add_user("maya");
    const auto made = sign_in("maya", good_password).value();
    set_used(tokens, made.session.id, 300'000'000);
    AccessTokens running(catalog.connections(), {.interval = 5ms, .use_step = 0s, .sessions = times});
    running.start();
    const auto before = now();
    ASSERT_TRUE(running.find_session(digest_of(made.secret)));
    EXPECT_TRUE(test::eventually([&] { return accounts.list_sessions(user.id)[0].last_used >= before; }));
}

// As another process, or the command line, ends it.
TEST_F(CatalogAccounts, ChangesByOtherProcessesAreSeen)
{
    const auto user = add_user("maya");
    tokens.start();
    const auto made = sign_in("maya", good_password).value();
    Catalog elsewhere(location());
    ASSERT_TRUE(UserTable(elsewhere.connections()).change(user.id, {.role = Role::admin}));
    EXPECT_TRUE(test::eventually([&] { return find(made)->role == Role::admin; }));
    ASSERT_TRUE(UserTable(elsewhere.connections()).change(user.id, {.is_disabled = true}));
    EXPECT_TRUE(test::eventually([&] { return !find(made); }));
}

TEST_F(CatalogAccounts, OldestSessionsOfAUserEnd)
{
    const auto user = add_user("maya");
    const auto first = sign_in("maya", good_password).value();
    const SessionTable table(catalog.connections(), times);
    const auto hash = accounts.find_user(user.id)->password_hash;
    for (long long i = 0; i < SessionTable::max_sessions; ++i)
        table.create({.user = user.id, .password_hash = hash}).value();
    EXPECT_THAT(accounts.list_sessions(user.id), SizeIs(SessionTable::max_sessions));
    tokens.reload();
    EXPECT_FALSE(find(first));
    EXPECT_FALSE(table.create({.user = user.id, .password_hash = "another hash"}))
        << "the password was changed meanwhile";
}

TEST_F(CatalogAccounts, NamesAreUnique)
{
    const auto user = add_user("Maya");
    EXPECT_EQ(accounts.create_user({.name = "maya"}, {}).error().code, "name_in_use");
    const auto other = add_user("other");
    EXPECT_EQ(accounts.change_user(other.id, {.name = "MAYA"}, {}).error().code, "name_in_use");
    EXPECT_EQ(accounts.change_user(user.id, {.name = "maya"}, {})->name, "maya");
    std::vector<std::string> names;
    for (const auto& one : accounts.list_users())
        names.push_back(one.name);
    EXPECT_THAT(names, ElementsAre("maya", "other"));
}

// The database has no passwords and no secrets of sessions, nor has the audit log.
TEST_F(CatalogAccounts, DatabaseHasHashesAlone)
{
    const auto user = add_user("maya");
    EXPECT_TRUE(accounts.find_user(user.id)->password_hash.starts_with("$scrypt$ln=4,r=1,p=1$"));
    const auto made = sign_in("maya", good_password).value();
    const auto text = catalog.connections().read([&](DatabaseConnection& sql) {
        std::string digest;
        sql << "SELECT digest || address || agent FROM sessions", soci::into(digest);
        return digest;
    });
    EXPECT_EQ(text.find(made.secret), text.npos);
    const auto page = audit.list({}).value();
    for (const auto& entry : page.items)
        EXPECT_EQ((entry.subject + entry.detail).find(good_password), std::string::npos);
    EXPECT_THAT(page.items, SizeIs(2));
}

TEST(UserNames, HaveNoBlanks)
{
    for (const auto* good : {"maya", "maya@studio.example", "M\u00fcller"})
        EXPECT_EQ(user_name_fault(good), "") << good;
    for (const auto& bad :
         {std::string(), std::string("a b"), std::string("a\n"), std::string(65, 'a'), std::string("\xff")})
        EXPECT_NE(user_name_fault(bad), "") << bad;
    EXPECT_EQ(display_name_fault("Maya Lopez"), "");
    EXPECT_EQ(display_name_fault(""), "");
    EXPECT_NE(display_name_fault("a\tb"), "");
}

} // namespace
} // namespace vitrine::server::testing
