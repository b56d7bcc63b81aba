// Searches by one or two characters, which are whole words in Chinese and Japanese, and have no trigram.

#include <gmock/gmock.h>

#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ShortWordsTest : public CatalogTest {
protected:
    ShortWordsTest()
    {
        add("长剑");
        add("剑客 01");
        const auto robot = add("robot").id;
        for (int i = 0; i < 2; ++i)
            (void)catalog.claim_job("me", 60s);
        Metadata found;
        found.format = "obj";
        found.search.joints = "左腕\n右腕\n";
        found.search.clips = "歩く\n";
        const auto lease = catalog.claim_job("me", 60s).value();
        EXPECT_EQ(lease.asset.id, robot);
        EXPECT_TRUE(catalog.record_metadata(lease, found));
        AssetChange change;
        change.tags = {"武器"};
        EXPECT_TRUE(catalog.change_asset(robot, change));
    }

    std::vector<std::string> found(const std::string& q, Sort sort = Sort::relevance)
    {
        return names({.q = q, .sort = sort, .descending = sort == Sort::relevance});
    }
};

TEST_F(ShortWordsTest, FindNames)
{
    for (const auto sort : {Sort::relevance, Sort::created, Sort::name}) {
        EXPECT_EQ(found("剑", sort).size(), 2u);
        EXPECT_THAT(found("长剑", sort), ElementsAre("长剑"));
        EXPECT_THAT(found("剑客", sort), ElementsAre("剑客 01"));
        EXPECT_THAT(found("客 01", sort), ElementsAre("剑客 01"));
        EXPECT_THAT(found("刀", sort), IsEmpty());
        EXPECT_THAT(found("剑长", sort), IsEmpty());
    }
}

TEST_F(ShortWordsTest, FindTagsClipsAndJoints)
{
    const auto match = [&](const std::string& q) {
        const auto page = catalog.list_assets({.q = q, .count_all = true}).value();
        EXPECT_EQ(page.total, 1u) << q;
        return page.matches.empty() ? std::pair<std::string, std::string>()
                                    : std::pair(std::string(page.matches[0].kind), page.matches[0].text);
    };
    EXPECT_EQ(match("武"), std::pair(std::string("tag"), std::string("武器")));
    EXPECT_EQ(match("歩く"), std::pair(std::string("clip"), std::string("歩く")));
    EXPECT_EQ(match("左腕"), std::pair(std::string("joint"), std::string("左腕")));
    EXPECT_EQ(match("腕"), std::pair(std::string("joint"), std::string("左腕")));
}

TEST_F(ShortWordsTest, PagesGoOn)
{
    ListQuery query{.q = "剑", .sort = Sort::relevance, .limit = 1};
    const auto first = catalog.list_assets(query).value();
    ASSERT_EQ(first.items.size(), 1u);
    ASSERT_FALSE(first.next.empty());
    query.cursor = first.next;
    const auto second = catalog.list_assets(query).value();
    ASSERT_EQ(second.items.size(), 1u);
    EXPECT_NE(second.items[0].id, first.items[0].id);
    EXPECT_TRUE(second.next.empty());
}

} // namespace
} // namespace vitrine::server::testing
