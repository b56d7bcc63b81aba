// Lists of assets: pages, filters, search.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

class CatalogListTest : public CatalogTest {};

TEST_F(CatalogListTest, PagesStayStableUnderInserts)
{
    for (const char* name : {"a", "b", "c", "d", "e"})
        add(name);
    ListQuery query{.sort = Sort::name, .descending = false, .limit = 2};
    auto page = catalog.list_assets(query).value();
    std::vector<std::string> seen;
    for (int guard = 0; guard < 10; ++guard) {
        for (const auto& asset : page.items)
            seen.push_back(asset.name);
        if (page.next.empty()) break;
        add("aa" + std::to_string(guard)); // sorted before the remaining rows
        query.cursor = page.next;
        page = catalog.list_assets(query).value();
    }
    EXPECT_THAT(seen, ElementsAre("a", "b", "c", "d", "e"));
}

TEST_F(CatalogListTest, PagesEverySortBothWays)
{
    for (int i = 0; i < 7; ++i) { // with equal names and counts
        const auto asset = add_ready(std::to_string(i), {.triangles = static_cast<std::uint64_t>(i / 2)});
        ASSERT_TRUE(catalog.change_asset(asset.id, {"n" + std::to_string(i / 3), ""}));
    }
    for (const auto sort : {Sort::created, Sort::name, Sort::triangles})
        for (const bool descending : {true, false}) {
            ListQuery query{.sort = sort, .descending = descending, .limit = 1};
            std::vector<std::string> ids;
            do {
                const auto page = catalog.list_assets(query).value();
                ids.push_back(page.items.at(0).id);
                query.cursor = page.next;
            } while (!query.cursor.empty() && ids.size() < 20);
            std::ranges::sort(ids);
            EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
            EXPECT_EQ(ids.size(), catalog.asset_count());
        }
}

// Each page by position and by asset is compared with the same part of the whole list.
TEST_F(CatalogListTest, PagesBeginAtPositionsAndAssets)
{
    for (unsigned i = 0; i < 6; ++i)
        ASSERT_TRUE(catalog.change_asset(add_ready(std::to_string(i), {.triangles = 7u, .clips = i % 2}).id,
                                         {"n" + std::to_string(i / 2), ""}));
    for (const auto sort : {Sort::created, Sort::name, Sort::triangles})
        for (const bool descending : {true, false}) {
            const auto all = catalog.list_assets({.sort = sort, .descending = descending})->items;
            for (std::size_t i = 0; i < all.size(); ++i) {
                const ListQuery base{.sort = sort, .descending = descending, .limit = 2};
                auto by_offset = base, by_asset = base;
                by_offset.offset = i;
                by_asset.at = all[i].id;
                for (const auto& query : {by_offset, by_asset}) {
                    const auto page = catalog.list_assets(query).value();
                    EXPECT_EQ(page.offset, i);
                    EXPECT_FALSE(page.total) << "not asked for";
                    ASSERT_EQ(page.items.size(), std::min<std::size_t>(2, all.size() - i));
                    for (std::size_t k = 0; k < page.items.size(); ++k)
                        EXPECT_EQ(page.items[k].id, all[i + k].id);
                    EXPECT_EQ(page.next.empty(), i + 2 >= all.size());
                }
            }
        }
}

TEST_F(CatalogListTest, PositionsCountFilteredRows)
{
    std::vector<std::string> ids;
    for (unsigned i = 0; i < 6; ++i)
        ids.push_back(add_ready("a" + std::to_string(i), {.clips = i % 2}).id);
    const ListQuery animated{.animated = true, .sort = Sort::name, .descending = false, .count_all = true};
    auto query = animated;
    query.offset = 1;
    EXPECT_THAT(names(query), ElementsAre("a3", "a5"));
    EXPECT_EQ(catalog.list_assets(query)->total, 3u);
    query = animated;
    query.at = ids[2]; // the filter excludes it
    EXPECT_THAT(names(query), ElementsAre("a3", "a5"));
    EXPECT_EQ(catalog.list_assets(query)->offset, 1u);
    query = animated;
    query.offset = 3;
    const auto end = catalog.list_assets(query).value();
    EXPECT_TRUE(end.items.empty());
    EXPECT_TRUE(end.next.empty());
    EXPECT_EQ(end.total, 3u);
    query = animated;
    query.at = "asset_unknown";
    EXPECT_EQ(catalog.list_assets(query).error().kind, Errc::not_found);
}

TEST_F(CatalogListTest, TotalsExcludeTheTrash)
{
    const auto gone = add("one").id;
    add("two");
    ASSERT_TRUE(catalog.trash_asset(gone));
    EXPECT_EQ(catalog.list_assets({.count_all = true})->total, 1u);
    EXPECT_EQ(catalog.list_assets({.count_all = true, .trash = true})->total, 1u);
    EXPECT_EQ(catalog.list_assets({.q = "two", .limit = 1, .count_all = true})->total, 1u);
    EXPECT_EQ(catalog.list_assets({.q = "one", .count_all = true})->total, 0u);
}

TEST_F(CatalogListTest, RejectsForeignCursors)
{
    add("a");
    add("b");
    const auto next = catalog.list_assets({.limit = 1})->next;
    ASSERT_FALSE(next.empty());
    EXPECT_TRUE(catalog.list_assets({.limit = 1, .cursor = next}));
    for (const std::string& cursor :
         {std::string("x"), next + "0", "n" + next.substr(1), std::string("cd-"), std::string("cd1-zz"),
          std::string("cx1-30"), "c" + next.substr(2), std::string("cd99999999999999999999-30")})
        EXPECT_EQ(catalog.list_assets({.limit = 1, .cursor = cursor}).error().code, "bad_cursor") << cursor;
    EXPECT_FALSE(catalog.list_assets({.sort = Sort::name, .cursor = next}));
}

TEST_F(CatalogListTest, Filters)
{
    add_ready("robot", {.triangles = 500, .joints = 20, .clips = 2});
    add_ready("chair", {.triangles = 40});
    add("later");
    EXPECT_THAT(names({.rigged = true}), ElementsAre("robot"));
    EXPECT_THAT(names({.animated = false, .sort = Sort::name}), ElementsAre("later", "chair"));
    EXPECT_THAT(names({.triangles_min = 41}), ElementsAre("robot"));
    EXPECT_THAT(names({.triangles_min = 1, .triangles_max = 40}), ElementsAre("chair"));
    EXPECT_THAT(names({.triangles_min = ~0ull}), ElementsAre());
    EXPECT_THAT(names({.joints_min = 20}), ElementsAre("robot"));
    EXPECT_THAT(names({.joints_min = 21}), ElementsAre());
    EXPECT_THAT(names({.status = AssetStatus::ready, .joints_max = 19}), ElementsAre("chair"));
    EXPECT_THAT(names({.format = "obj", .sort = Sort::name}), ElementsAre("robot", "chair"));
    EXPECT_THAT(names({.status = AssetStatus::importing}), ElementsAre("later"));
}

TEST_F(CatalogListTest, FiltersByTheSizeOfTheFiles)
{
    const auto bytes = catalog.find_asset(add("one").id)->size_bytes;
    EXPECT_THAT(names({.bytes_min = bytes, .bytes_max = bytes}), ElementsAre("one"));
    EXPECT_THAT(names({.bytes_min = bytes + 1}), ElementsAre());
    EXPECT_THAT(names({.bytes_max = bytes - 1}), ElementsAre());
}

// "value count" of each value.
std::vector<std::string> texts_of(const FacetCounts& facet)
{
    std::vector<std::string> texts;
    for (const auto& [value, count] : facet.values)
        texts.push_back(value + " " + std::to_string(count));
    return texts;
}

TEST_F(CatalogListTest, CountsTheValuesOfFilters)
{
    add_ready("robot", {.triangles = 500, .joints = 20, .clips = 2});
    add_ready("chair", {.triangles = 40});
    add_ready("table", {.triangles = 30});
    add("later");
    const auto gone = add_ready("gone", {}).id;
    ASSERT_TRUE(catalog.trash_asset(gone));
    ListQuery query{.facets = {FacetKind::rigged, FacetKind::format, FacetKind::status, FacetKind::animated}};
    auto facets = catalog.list_assets(query)->facets;
    ASSERT_EQ(facets.size(), 4u);
    EXPECT_EQ(facets[0].name, "rigged");
    EXPECT_THAT(texts_of(facets[0]), ElementsAre("false 3", "true 1"));
    EXPECT_THAT(texts_of(facets[1]), ElementsAre("obj 3"))
        << "the format of an upload is not known before its import";
    EXPECT_THAT(texts_of(facets[2]), ElementsAre("ready 3", "importing 1"));
    EXPECT_THAT(texts_of(facets[3]), ElementsAre("false 3", "true 1"));
    query.rigged = true;
    query.status = AssetStatus::ready;
    query.limit = 1;
    facets = catalog.list_assets(query)->facets;
    EXPECT_THAT(texts_of(facets[0]), ElementsAre("false 2", "true 1")) << "its own filter does not count";
    EXPECT_THAT(texts_of(facets[2]), ElementsAre("ready 1"));
    facets = catalog.list_assets({.q = "chair", .facets = {FacetKind::status}})->facets;
    EXPECT_THAT(texts_of(facets[0]), ElementsAre("ready 1"));
}

TEST_F(CatalogListTest, SearchesNamesInTheModel)
{
    add_ready("Knight", {}, "Walk_Forward\nupperarm.L\n100%_steel");
    add_ready("骑士行走", {}, "走路");
    EXPECT_THAT(names({.q = "KNIG"}), ElementsAre("Knight"));
    EXPECT_THAT(names({.q = "walk_f"}), ElementsAre("Knight"));
    EXPECT_THAT(names({.q = "arm.L"}), ElementsAre("Knight"));
    EXPECT_THAT(names({.q = "kn"}), ElementsAre("Knight")) << "two characters";
    EXPECT_THAT(names({.q = " knight  walk L "}), ElementsAre("Knight")) << "every word";
    EXPECT_THAT(names({.q = "knight swim"}), ElementsAre());
    EXPECT_EQ(catalog.list_assets({.q = std::string(600, 'x')}).error().kind, Errc::invalid);
    EXPECT_THAT(names({.q = "0%"}), ElementsAre("Knight")) << "no wildcard";
    EXPECT_THAT(names({.q = "%"}), ElementsAre("Knight"));
    EXPECT_THAT(names({.q = "骑士行"}), ElementsAre("骑士行走"));
    EXPECT_THAT(names({.q = "行走"}), ElementsAre("骑士行走")) << "two characters";
    EXPECT_THAT(names({.q = "走"}), ElementsAre("骑士行走"));
    EXPECT_THAT(names({.q = "\" OR 1 --"}), ElementsAre());
    EXPECT_THAT(names({.q = "'; DROP TABLE assets"}), ElementsAre());
}

// The names of all pages, sorted by name. The total of the last page is compared with their number.
std::vector<std::string> search_pages(Catalog& catalog, ListQuery query)
{
    query.sort = Sort::name;
    query.limit = 10;
    query.count_all = true;
    std::vector<std::string> found;
    do {
        const auto page = catalog.list_assets(query).value();
        for (const auto& asset : page.items)
            found.push_back(asset.name);
        query.cursor = page.next;
        if (query.cursor.empty()) EXPECT_EQ(page.total, found.size());
    } while (!query.cursor.empty() && found.size() < 200);
    return found;
}

// Common words are found in the list's order, rare ones by their keys (list_conditions.hpp).
TEST_F(CatalogListTest, SearchesCommonAndRareWords)
{
    std::vector<AssetRecord> all;
    for (std::uint64_t i = 0; i < 120; ++i)
        all.push_back(
            add_ready(fmt::format("n{:03}", i * 37 % 120), {.triangles = i},
                      fmt::format("model{}{}", i % 2 == 0 ? " common" : "", i % 20 == 3 ? " rare" : "")));
    ASSERT_TRUE(catalog.trash_asset(all[4].id));
    ASSERT_TRUE(catalog.trash_asset(all[23].id));
    const auto expected = [&](auto matches) {
        std::vector<std::string> found;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (i != 4 && i != 23 && matches(i)) found.push_back(all[i].name);
        std::ranges::sort(found, std::greater{});
        return found;
    };
    const auto is_common = [](std::size_t i) { return i % 2 == 0; };
    const auto is_rare = [](std::size_t i) { return i % 20 == 3; };
    const auto search = [&](const ListQuery& query) { return search_pages(catalog, query); };
    EXPECT_EQ(search({.q = "common"}), expected(is_common));
    EXPECT_EQ(search({.q = "rare"}), expected(is_rare));
    EXPECT_EQ(search({.q = "model common"}), expected(is_common));
    EXPECT_EQ(search({.q = "common n0"}),
              expected([&](std::size_t i) { return is_common(i) && i * 37 % 120 < 100; }));
    EXPECT_EQ(search({.q = "common", .triangles_min = 50}),
              expected([&](std::size_t i) { return is_common(i) && i >= 50; }));
    EXPECT_THAT(search({.q = "common", .trash = true}), ElementsAre(all[4].name));
    EXPECT_THAT(search({.q = "rare", .trash = true}), ElementsAre(all[23].name));
}

TEST_F(CatalogListTest, FactsOfClipsHoldForOneClip)
{
    const auto add_clips = [&](const std::string& name, std::vector<ClipFacet> clips) {
        add(name);
        const auto lease = catalog.claim_job("me", 10s).value();
        catalog.record_metadata(lease, {{.format = "glb", .summary = "{}"}, {}, {}, std::move(clips)});
        catalog.succeed(lease);
    };
    add_clips("walker",
              {{.loops = true, .in_place = false, .speed = 1.4}, {.loops = false, .in_place = true}});
    add_clips("idler", {{.loops = true, .in_place = true, .speed = 0.0}});
    add_clips("statue", {});
    const auto found = [&](const ClipFilter& filter) {
        return names({.clip_facts = filter, .sort = Sort::name, .descending = false});
    };
    EXPECT_THAT(found({}), ElementsAre("idler", "statue", "walker"));
    EXPECT_THAT(found({.loops = true}), ElementsAre("idler", "walker"));
    EXPECT_THAT(found({.loops = false}), ElementsAre("walker"));
    EXPECT_THAT(found({.speed_min = 1.4}), ElementsAre("walker"));
    EXPECT_THAT(found({.speed_min = 1.41}), ElementsAre());
    EXPECT_THAT(found({.speed_max = 1.0}), ElementsAre("idler", "walker"));
    EXPECT_THAT(found({.loops = true, .in_place = true}), ElementsAre("idler")) << "of one clip";
    EXPECT_THAT(found({.loops = true, .speed_min = 1.0, .speed_max = 2.0}), ElementsAre("walker"));
}

} // namespace
} // namespace vitrine::server::testing
