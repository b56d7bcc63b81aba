// Searches: their order, where the words are found, and corrections.

#include <gmock/gmock.h>

#include "server/util/sha256.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

class CatalogSearchTest : public CatalogTest {};

TEST_F(CatalogSearchTest, RelevanceGoesByTheKindOfName)
{
    const auto add_names = [&](const std::string& name, const SearchNames& found) {
        add(name);
        const auto lease = catalog.claim_job("me", 10s).value();
        catalog.record_metadata(lease, {{.format = "obj", .summary = "{}"}, found, {}});
        catalog.succeed(lease);
    };
    add_names("Walker", {});
    add_names("brick", {.materials = "sidewalk\n"});
    add_names("knight", {.clips = "Walk_Forward\nRun\n", .joints = "walk_root\n"});
    add_names("rig", {.joints = "hip\nwalk_target\n"});
    add_names("book", {.tags = "The Walk\n"});
    add_names("walkway", {});
    add_names("stone", {});
    ListQuery query{.q = "walk", .sort = Sort::relevance, .count_all = true};
    const auto page = catalog.list_assets(query).value();
    EXPECT_THAT(names(query), ElementsAre("walkway", "Walker", "book", "knight", "rig", "brick"));
    EXPECT_EQ(page.total, 6u);
    ASSERT_EQ(page.matches.size(), 6u);
    const std::pair<std::string, std::string> found[]{{"name", "walkway"},      {"name", "Walker"},
                                                      {"tag", "The Walk"},      {"clip", "Walk_Forward"},
                                                      {"joint", "walk_target"}, {"material", "sidewalk"}};
    for (std::size_t i = 0; i < std::size(found); ++i) {
        EXPECT_EQ(page.matches[i].kind, found[i].first);
        EXPECT_EQ(page.matches[i].text, found[i].second);
    }
}

TEST_F(CatalogSearchTest, RelevanceHasPagesOverTheKinds)
{
    add_ready("brick", {}, "");
    add_ready("knight", {}, "walk_root\n");
    add_ready("Walker", {}, "");
    add_ready("walkway", {}, "");
    ListQuery query{.q = "walk", .sort = Sort::relevance};
    query.limit = 1; // a page for each, over the ends of the kinds
    std::vector<std::string> paged;
    do {
        const auto next = catalog.list_assets(query).value();
        ASSERT_EQ(next.items.size(), 1u);
        paged.push_back(next.items.front().name);
        query.cursor = next.next;
    } while (!query.cursor.empty() && paged.size() < 10);
    EXPECT_THAT(paged, ElementsAre("walkway", "Walker", "knight"));
    for (std::uint64_t offset = 0; offset < 4; ++offset) {
        const auto at =
            catalog.list_assets({.q = "walk", .sort = Sort::relevance, .limit = 1, .offset = offset}).value();
        EXPECT_EQ(at.items.empty() ? "" : at.items.front().name, offset < 3 ? paged[offset] : "") << offset;
        EXPECT_EQ(at.offset, offset);
    }
    EXPECT_THAT(names({.q = "knight walk", .sort = Sort::relevance}), ElementsAre("knight"));
    EXPECT_EQ(catalog.list_assets({.sort = Sort::relevance}).error().code, "bad_sort");
    for (const auto& cursor :
         {std::string("rd1-"), std::string("rd1-30"), std::string("rd1-3931"), std::string("cd1-31")})
        EXPECT_EQ(catalog.list_assets({.q = "walk", .sort = Sort::relevance, .cursor = cursor}).error().code,
                  "bad_cursor")
            << cursor;
}

TEST_F(CatalogSearchTest, RelevanceHasThePlaceOfAnAsset)
{
    add_ready("brick", {}, "");
    add_ready("knight", {.clips = 1}, "walk_root\n");
    add_ready("Walker", {}, "");
    add_ready("page", {.clips = 1}, "walk_target\n");
    add_ready("walkway", {.clips = 1}, "");
    const auto all = catalog.list_assets({.q = "walk", .sort = Sort::relevance, .count_all = true}).value();
    ASSERT_EQ(all.total, 4u);
    ListQuery query{.q = "walk", .sort = Sort::relevance, .limit = 3};
    for (std::size_t i = 0; i < all.items.size(); ++i) {
        query.at = all.items[i].id;
        const auto page = catalog.list_assets(query).value();
        EXPECT_EQ(page.offset, i);
        for (std::size_t k = 0; k < page.items.size(); ++k)
            EXPECT_EQ(page.items[k].id, all.items[i + k].id) << i << " " << k;
        EXPECT_EQ(page.items.size(), std::min<std::size_t>(3, 4 - i));
        EXPECT_EQ(page.next.empty(), i > 0);
    }
    // Other filters leave out the asset, but not its place.
    query = {.q = "walk", .animated = true, .sort = Sort::relevance, .at = all.items[1].id};
    EXPECT_EQ(all.items[1].name, "Walker");
    EXPECT_THAT(names(query), ElementsAre("page", "knight"));
    EXPECT_EQ(catalog.list_assets(query).value().offset, 1u);
    // Mistyped words are corrected for the place too.
    query = {.q = "walkawy", .sort = Sort::relevance, .at = all.items[0].id};
    const auto corrected = catalog.list_assets(query).value();
    ASSERT_EQ(corrected.corrections.size(), 1u);
    EXPECT_EQ(corrected.items.front().name, "walkway");
    EXPECT_EQ(corrected.offset, 0u);
}

TEST_F(CatalogSearchTest, RelevanceHasNoPlaceOfAnAssetWithoutTheWords)
{
    add_ready("Walker", {}, "");
    const auto brick = add("brick").id;
    for (const auto& at : {brick, std::string("nobody"), std::string("%"), std::string(2000, 'x')}) {
        const auto page = catalog.list_assets({.q = "walk", .sort = Sort::relevance, .at = at});
        ASSERT_FALSE(page) << at;
        EXPECT_EQ(page.error().code, "no_asset") << at;
    }
    EXPECT_EQ(catalog.list_assets({.sort = Sort::relevance, .at = brick}).error().code, "bad_sort");
}

TEST_F(CatalogSearchTest, CorrectsMistypedWords)
{
    add_ready("Character", {}, "UpperArm.L\nspine\n");
    add_ready("castle", {});
    const auto corrected = [&](const std::string& q) {
        const auto page = catalog.list_assets({.q = q, .count_all = true}).value();
        std::string text;
        for (const auto& [typed, used] : page.corrections)
            text += typed + ">" + used + " ";
        for (const auto& asset : page.items)
            text += asset.name;
        EXPECT_EQ(page.total, page.items.size());
        return text;
    };
    EXPECT_EQ(corrected("character"), "Character");
    EXPECT_EQ(corrected("charcter"), "charcter>character Character") << "a letter is missing";
    EXPECT_EQ(corrected("Chraacter"), "Chraacter>character Character") << "two are swapped";
    EXPECT_EQ(corrected("uperarm"), "uperarm>upperarm Character");
    EXPECT_EQ(corrected("spnie charcter"), "spnie>spine charcter>character Character");
    EXPECT_EQ(corrected("castel"), "castel>castle castle");
    EXPECT_EQ(corrected("dragon"), "") << "nothing is similar";
    EXPECT_EQ(corrected("ca st"), "castle");
    EXPECT_EQ(corrected("xqz"), "");
}

// So many that a common word is found by a sample, and its assets in the order of the list.
TEST_F(CatalogSearchTest, FindsCommonAndRareWordsOfManyAssets)
{
    std::vector<NewAsset> assets;
    for (int i = 0; i < 2100; ++i)
        assets.push_back({(i % 2 == 0 ? "even " : "odd ") + std::to_string(i),
                          "m.obj",
                          {{"m.obj", sha256_hex(std::to_string(i)), 1}}});
    (void)catalog.create_assets(assets);
    ListQuery query{.q = "even", .sort = Sort::created, .limit = 3, .count_all = true};
    EXPECT_THAT(names(query), ElementsAre("even 2098", "even 2096", "even 2094"));
    EXPECT_EQ(catalog.list_assets(query).value().total, 1050u);
    query.cursor = catalog.list_assets(query).value().next;
    EXPECT_THAT(names(query), ElementsAre("even 2092", "even 2090", "even 2088"));
    EXPECT_THAT(names({.q = "even", .sort = Sort::name, .descending = false, .limit = 2}),
                ElementsAre("even 0", "even 10"));
    EXPECT_THAT(names({.q = "even", .sort = Sort::relevance, .limit = 2}),
                ElementsAre("even 2098", "even 2096"));
    EXPECT_THAT(names({.q = "odd 1711"}), ElementsAre("odd 1711"));
    EXPECT_THAT(names({.q = "even odd"}), ElementsAre());
    for (const char* common : {"eVen", "EVEN ven"}) // in the order of the list, without the index
        EXPECT_THAT(names({.q = common, .limit = 1}), ElementsAre("even 2098"));
}

} // namespace
} // namespace vitrine::server::testing
