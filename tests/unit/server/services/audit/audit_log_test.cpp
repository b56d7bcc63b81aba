// Entries of the audit log: by whom, together with their change, in pages, until their age.

#include "server/services/audit/audit_log.hpp"

#include <gmock/gmock.h>

#include "server/services/access/token_table.hpp"
#include "server/services/database/database_connections.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class CatalogAudit : public CatalogTest {
protected:
    std::vector<std::string> subjects(const AuditQuery& query) const
    {
        std::vector<std::string> found;
        const auto page = log.list(query).value();
        for (const auto& entry : page.items)
            found.push_back(entry.subject);
        return found;
    }

    void set_time(const std::string& subject, Micros time)
    {
        const long long instant = time;
        catalog.connections().write([&](DatabaseConnection& sql) {
            sql << "UPDATE audit_log SET time = :time WHERE subject = :subject", soci::use(instant),
                soci::use(subject);
        });
    }

    AuditLog log{catalog.connections(), std::chrono::days(2)};
};

TEST_F(CatalogAudit, EntryHasTheActorOfItsScope)
{
    log.record("first", "a");
    {
        const AuditScope outer({"token:token_1", "192.0.2.7"});
        {
            const AuditScope inner({"token:token_2", "unix:1000"});
            log.record("second", "b", "more");
        }
        log.record("third", "c");
    }
    log.record("fourth", "d");
    const auto items = log.list({}).value().items;
    ASSERT_THAT(items, SizeIs(4));
    EXPECT_EQ(items[0].actor.principal, "server");
    EXPECT_EQ(items[1].actor.principal, "token:token_1");
    EXPECT_EQ(items[1].actor.address, "192.0.2.7");
    EXPECT_EQ(items[2].actor.principal, "token:token_2");
    EXPECT_EQ(items[2].action, "second");
    EXPECT_EQ(items[2].subject, "b");
    EXPECT_EQ(items[2].detail, "more");
    EXPECT_EQ(items[3].actor.address, "");
    EXPECT_NEAR(static_cast<double>(items[3].time), static_cast<double>(now()), 60e6);
    EXPECT_TRUE(items[3].id.starts_with("audit_"));
}

TEST_F(CatalogAudit, ChangesAndTheirEntriesAreOneTransaction)
{
    const TokenTable tokens(catalog.connections());
    const auto token = tokens.create({.name = "farm"}).value().token;
    ASSERT_TRUE(tokens.remove(token.id));
    EXPECT_FALSE(tokens.remove(token.id));
    const auto asset = add("robot");
    ASSERT_TRUE(catalog.trash_asset(asset.id));
    ASSERT_TRUE(catalog.trash_asset(asset.id)) << "is in the trash already";
    ASSERT_TRUE(catalog.restore_asset(asset.id));
    ASSERT_TRUE(catalog.restore_asset(asset.id));
    EXPECT_FALSE(catalog.trash_asset("asset_none"));
    std::vector<std::string> found;
    const auto page = log.list({}).value();
    for (const auto& entry : page.items)
        found.push_back(entry.action + " " + entry.subject + " " + entry.detail);
    EXPECT_THAT(found,
                ElementsAre("asset.restore " + asset.id + " robot", "asset.delete " + asset.id + " robot",
                            "token.revoke " + token.id + " farm",
                            "token.create " + token.id + " viewer, farm"));

    EXPECT_THROW(catalog.connections().write([&](DatabaseConnection& sql) {
        record_audit(sql, "asset.delete", "undone");
        throw std::runtime_error("no");
    }),
                 std::runtime_error);
    EXPECT_THAT(log.list({}).value().items, SizeIs(4));
}

TEST_F(CatalogAudit, PagesNeitherRepeatNorSkip)
{
    for (const char* subject : {"a", "b", "c", "d", "e"})
        log.record("x", subject);
    const auto first = log.list({.limit = 2}).value();
    log.record("x", "later");
    const auto second = log.list({.cursor = first.next, .limit = 2}).value();
    const auto third = log.list({.cursor = second.next, .limit = 2}).value();
    EXPECT_THAT(first.items, SizeIs(2));
    EXPECT_EQ(first.items.front().subject, "e");
    ASSERT_THAT(second.items, SizeIs(2));
    EXPECT_EQ(second.items[0].subject, "c");
    ASSERT_THAT(third.items, SizeIs(1));
    EXPECT_EQ(third.items[0].subject, "a");
    EXPECT_EQ(third.next, "");
    for (const char* wrong : {"x", "1", "1-", "-a", "1-A", "1-'", "99999999999999999999-a"})
        EXPECT_EQ(log.list({.cursor = wrong}).has_value(), std::string_view(wrong) == "1-") << wrong;
}

TEST_F(CatalogAudit, IsFiltered)
{
    {
        const AuditScope scope({"token:a", ""});
        log.record("asset.delete", "1");
        log.record("token.create", "2");
    }
    log.record("asset.delete", "3");
    EXPECT_THAT(subjects({.action = "asset.delete"}), ElementsAre("3", "1"));
    EXPECT_THAT(subjects({.principal = "token:a"}), ElementsAre("2", "1"));
    EXPECT_THAT(subjects({.action = "asset.delete", .principal = "token:a"}), ElementsAre("1"));
    EXPECT_THAT(subjects({.action = "asset"}), IsEmpty());
    const auto noon = now();
    set_time("1", noon - 2);
    set_time("2", noon - 1);
    set_time("3", noon);
    EXPECT_THAT(subjects({.from = noon - 1}), ElementsAre("3", "2"));
    EXPECT_THAT(subjects({.to = noon}), ElementsAre("2", "1"));
    EXPECT_THAT(subjects({.from = noon - 1, .to = noon}), ElementsAre("2"));
}

TEST_F(CatalogAudit, TextsOfClientsAreCut)
{
    log.record("session.reject", std::string(500, 'x'));
    log.record("session.reject", std::string("a\0b\n\x7f", 5));
    log.record("session.reject", "\xff\xc3\xa4");
    log.record("session.reject", "h\u00e4nd");
    EXPECT_THAT(subjects({}), ElementsAre("h\u00e4nd", "???", "a?b??", std::string(200, 'x')));
}

TEST_F(CatalogAudit, OldEntriesAreRemoved)
{
    for (const char* subject : {"old", "older", "new"})
        log.record("x", subject);
    constexpr Micros day = 24ll * 3600 * 1'000'000;
    set_time("old", now() - 2 * day - 1'000'000);
    set_time("older", now() - 300 * day);
    set_time("new", now() - 2 * day + 60'000'000);
    EXPECT_EQ(log.remove_old(), 2u);
    EXPECT_THAT(subjects({}), ElementsAre("new"));
    EXPECT_EQ(log.remove_old(), 0u);
}

TEST_F(CatalogAudit, RejectionsDoNotFillTheDatabase)
{
    for (int i = 0; i < 150; ++i)
        log.record_rejected("session.reject", "token");
    const auto count = log.list({.limit = 500}).value().items.size();
    EXPECT_GE(count, 100u);
    EXPECT_LT(count, 150u);
}

} // namespace
} // namespace vitrine::server::testing
