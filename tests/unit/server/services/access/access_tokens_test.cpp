// Access tokens in the database and in memory, and what several processes know of them.

#include "server/services/access/access_tokens.hpp"

#include <gmock/gmock.h>

#include "server/services/database/database_connections.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class CatalogAccessTokens : public CatalogTest {
protected:
    NewAccessToken wanted(Role role, Micros expires = 0) const
    {
        return {.name = "farm", .role = role, .expires = expires, .created_by = "command line"};
    }

    AccessTokens tokens{catalog.connections(), {.interval = 5ms, .use_step = 0s}};
};

TEST_F(CatalogAccessTokens, AreFoundByWhatTheyShow)
{
    const auto made = tokens.create(wanted(Role::editor)).value();
    EXPECT_TRUE(made.secret.starts_with("vitrine_"));
    EXPECT_THAT(made.secret, SizeIs(8 + 43));
    const auto found = tokens.find_token(digest_of(made.secret));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->role, Role::editor);
    EXPECT_EQ(found->id, made.token.id);
    EXPECT_EQ(to_text(*found), "token:" + made.token.id);
    EXPECT_EQ(tokens.find_token(digest_of(made.secret)), found) << "not copied for each request";
    EXPECT_FALSE(tokens.find_token(digest_of(made.secret + "x")));
    EXPECT_FALSE(tokens.find_token(digest_of(made.token.id)));

    const auto cookie = cookie_value_of(made.secret);
    EXPECT_TRUE(tokens.find_cookie(digest_of(cookie)));
    EXPECT_FALSE(tokens.find_token(digest_of(cookie))) << "a cookie is no token";
    EXPECT_FALSE(tokens.find_cookie(digest_of(made.secret)));
    EXPECT_NE(tokens.create(wanted(Role::editor))->secret, made.secret);
}

TEST_F(CatalogAccessTokens, AreListedWithTheirFacts)
{
    const auto old = tokens.create(wanted(Role::viewer)).value().token;
    const auto expires = now() + 60'000'000;
    const auto made = tokens.create(wanted(Role::admin, expires)).value().token;
    const auto all = tokens.list();
    ASSERT_THAT(all, SizeIs(2));
    EXPECT_EQ(all[0].id, made.id) << "the newest first";
    EXPECT_EQ(all[1].id, old.id);
    EXPECT_EQ(all[0].name, "farm");
    EXPECT_EQ(all[0].role, Role::admin);
    EXPECT_EQ(all[0].expires, expires);
    EXPECT_EQ(all[0].created_by, "command line");
    EXPECT_EQ(all[0].last_used, 0);
    EXPECT_NEAR(static_cast<double>(all[0].created), static_cast<double>(now()), 60e6);
}

// What a copy of the database shows lets nobody in.
TEST_F(CatalogAccessTokens, DatabaseHasOnlyDigests)
{
    const auto made = tokens.create(wanted(Role::admin)).value();
    const auto text = catalog.connections().read([](DatabaseConnection& sql) {
        std::string row;
        sql << "SELECT id || digest || cookie || name || role || created_by FROM access_tokens",
            soci::into(row);
        return row;
    });
    EXPECT_THAT(text, HasSubstr(made.token.id));
    EXPECT_EQ(text.find(made.secret.substr(8)), text.npos);
    EXPECT_EQ(text.find(cookie_value_of(made.secret)), text.npos);
}

TEST_F(CatalogAccessTokens, EndWhenTheyAreRevokedOrExpire)
{
    const auto revoked = tokens.create(wanted(Role::admin)).value();
    ASSERT_TRUE(tokens.remove(revoked.token.id));
    EXPECT_FALSE(tokens.find_token(digest_of(revoked.secret))) << "at once";
    EXPECT_FALSE(tokens.find_cookie(digest_of(cookie_value_of(revoked.secret))));
    const auto again = tokens.remove(revoked.token.id);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, "no_token");

    EXPECT_FALSE(tokens.find_token(digest_of(tokens.create(wanted(Role::admin, now() - 1))->secret)));
    const auto brief = tokens.create(wanted(Role::admin, now() + 200'000)).value();
    EXPECT_TRUE(test::eventually([&] { return !tokens.find_token(digest_of(brief.secret)); }));
    EXPECT_THAT(tokens.list(), SizeIs(2)) << "expired ones are still listed";
}

TEST_F(CatalogAccessTokens, SurviveARestartAndDoNotOutliveAMonth)
{
    const auto made = tokens.create(wanted(Role::viewer)).value();
    tokens.create(wanted(Role::viewer, now() - 31ll * 24 * 3600 * 1'000'000)).value();
    const AccessTokens restarted(catalog.connections());
    EXPECT_TRUE(restarted.find_token(digest_of(made.secret)));
    EXPECT_THAT(tokens.list(), SizeIs(2));
    tokens.create(wanted(Role::viewer)).value();
    EXPECT_THAT(tokens.list(), SizeIs(2)) << "the one that had expired a month ago is gone";
}

TEST_F(CatalogAccessTokens, AreLimitedInNumber)
{
    const TokenTable table(catalog.connections());
    tokens.create(wanted(Role::viewer, now() - 1)).value(); // does not count
    catalog.connections().write([](DatabaseConnection& sql) {
        for (long long i = 0; i < TokenTable::max_tokens; ++i) {
            const auto name = fmt::format("token_{}", i);
            sql << "INSERT INTO access_tokens (id, digest, cookie, name, role, created, created_by, expires) "
                   "VALUES (:id, :d, :c, 'x', 'viewer', 1, 'x', 0)",
                soci::use(name, "id"), soci::use(name, "d"), soci::use(name, "c");
        }
    });
    const auto rejected = table.create(wanted(Role::viewer));
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code, "too_many_tokens");
    ASSERT_TRUE(table.remove("token_7"));
    EXPECT_TRUE(table.create(wanted(Role::viewer)));
}

TEST_F(CatalogAccessTokens, TimeOfTheirUseIsStored)
{
    tokens.start();
    const auto made = tokens.create(wanted(Role::viewer)).value();
    const auto unused = tokens.create(wanted(Role::viewer)).value();
    const auto before = now();
    ASSERT_TRUE(tokens.find_token(digest_of(made.secret)));
    ASSERT_TRUE(test::eventually([&] { return tokens.list()[1].last_used >= before; }));
    EXPECT_EQ(tokens.list()[0].last_used, 0);
    const auto stored = tokens.list()[1].last_used;
    TokenTable(catalog.connections()).record_use(made.token.id, stored - 5);
    EXPECT_EQ(tokens.list()[1].last_used, stored) << "of another process, which saw an earlier use";
}

// As the command line does beside a running server.
TEST_F(CatalogAccessTokens, ChangesByOtherProcessesAreSeenByTheRevision)
{
    tokens.start();
    Catalog elsewhere(location());
    const TokenTable other(elsewhere.connections());
    const auto made = other.create(wanted(Role::viewer)).value();
    const auto digest = digest_of(made.secret);
    EXPECT_TRUE(test::eventually([&] { return tokens.find_token(digest) != nullptr; }));
    ASSERT_TRUE(other.remove(made.token.id));
    EXPECT_TRUE(test::eventually([&] { return !tokens.find_token(digest); }));
}

TEST_F(CatalogAccessTokens, ChangesByOtherProcessesAreHeard)
{
    if (CatalogPlace::database().empty()) GTEST_SKIP() << "needs PostgreSQL: script/with-postgres";
    AccessTokens listening(catalog.connections(), {.interval = 1h});
    listening.start();
    Catalog elsewhere(location());
    AccessTokens other(elsewhere.connections());
    const auto made = other.create(wanted(Role::viewer)).value();
    const auto digest = digest_of(made.secret);
    EXPECT_TRUE(test::eventually([&] { return listening.find_token(digest) != nullptr; }));
    ASSERT_TRUE(other.remove(made.token.id));
    EXPECT_TRUE(test::eventually([&] { return !listening.find_token(digest); }));
}

TEST(TokenNames, AreTextWithoutControlCharacters)
{
    for (const auto* good : {"farm", "CI of the studio", "Büro"})
        EXPECT_EQ(token_name_fault(good), "") << good;
    for (const auto& bad : {std::string(), std::string("a\nb"), std::string(101, 'a'), std::string("\xff")})
        EXPECT_NE(token_name_fault(bad), "") << bad;
    EXPECT_EQ(token_name_fault(std::string(100, 'a')), "");
}

} // namespace
} // namespace vitrine::server::testing
