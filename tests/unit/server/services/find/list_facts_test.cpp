// Filters of lists by facts of the model and of its clips, and by what is declared about it.

#include "server/services/catalog/list_conditions.hpp"

#include <gmock/gmock.h>

#include "server/services/audit/audit_log.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class CatalogListFactsTest : public CatalogTest {
protected:
    std::string import(const std::string& name, Metadata found)
    {
        add(name);
        found.format = "obj";
        const auto lease = catalog.claim_job("me", 10s).value();
        EXPECT_TRUE(catalog.record_metadata(lease, found));
        return catalog.succeed(lease)->asset.id;
    }

    static Metadata with_clips(std::vector<ClipFacet> clips)
    {
        Metadata found;
        found.counts.clips = clips.size();
        found.clip_facets = std::move(clips);
        return found;
    }

    std::vector<std::string> by_clip(const ClipFilter& filter)
    {
        return names({.clip_facts = filter, .sort = Sort::name, .descending = false});
    }
    std::vector<std::string> by_facts(const FactFilter& filter)
    {
        return names({.facts = filter, .sort = Sort::name, .descending = false});
    }

    std::vector<std::pair<std::string, std::uint64_t>> facet(FacetKind kind, ListQuery query = {})
    {
        query.facets = {kind};
        std::vector<std::pair<std::string, std::uint64_t>> counts;
        for (const auto& [value, count] : catalog.list_assets(query).value().facets.at(0).values)
            counts.emplace_back(value, count);
        return counts;
    }
};

// The default order, over pages.
TEST_F(CatalogListFactsTest, RareAndCommonFiltersListTheSame)
{
    std::vector<std::string> all, of_author, small;
    for (int i = 0; i < 300; ++i) {
        Metadata found;
        found.extent = i;
        found.file_author = i % 3 == 0 ? "Rare" : "Common";
        const auto name = std::to_string(i);
        import(name, found);
        all.insert(all.begin(), name);
        if (i % 3 != 0) of_author.insert(of_author.begin(), name);
        if (i < 7) small.insert(small.begin(), name);
    }
    const auto pages = [&](ListQuery query) {
        std::vector<std::string> found;
        do {
            const auto page = catalog.list_assets(query).value();
            for (const auto& asset : page.items)
                found.push_back(asset.name);
            query.cursor = page.next;
        } while (!query.cursor.empty());
        return found;
    };
    EXPECT_EQ(pages({.facts = {.size_max = 1.0}}), all) << "more than few: in the order of the list";
    EXPECT_EQ(pages({.facts = {.author = "common"}}), of_author) << "from the index of the text";
    EXPECT_EQ(pages({.facts = {.size_max = 6e-6}, .limit = 3}), small) << "few, sorted";
    EXPECT_EQ(pages({.facts = {.size_max = 6e-6, .author = "RARE"}}),
              (std::vector<std::string>{"6", "3", "0"}));
    EXPECT_THAT(pages({.facts = {.size_min = 1.0}}), IsEmpty());
    EXPECT_EQ(pages({.facts = {.updated_max = 1LL << 60}}), all);
    EXPECT_THAT(pages({.facts = {.created_max = 1}}), IsEmpty());
    EXPECT_THAT(facet(FacetKind::format, {.facts = {.author = "common"}}),
                ElementsAre(std::pair("obj", 200)));
    EXPECT_EQ(catalog.list_assets({.facts = {.author = "common"}, .count_all = true})->total, 200u);
    EXPECT_THAT(facet(FacetKind::author, {.facts = {.size_max = 6e-6}}),
                ElementsAre(std::pair("Common", 4), std::pair("Rare", 3)));
}

TEST_F(CatalogListFactsTest, OneClipHasAllFactsOfClips)
{
    import("both", with_clips({{true, true, 0.0, 1.0}, {false, false, 3.0, 5.0}}));
    import("none", with_clips({}));
    import("walk", with_clips({{true, false, 1.5, 2.0}}));
    EXPECT_THAT(by_clip({.loops = true}), ElementsAre("both", "walk"));
    EXPECT_THAT(by_clip({.loops = false}), ElementsAre("both"));
    EXPECT_THAT(by_clip({.in_place = false}), ElementsAre("both", "walk"));
    EXPECT_THAT(by_clip({.speed_min = 2.0}), ElementsAre("both"));
    EXPECT_THAT(by_clip({.speed_max = 0.5}), ElementsAre("both"));
    EXPECT_THAT(by_clip({.duration_min = 2.0}), ElementsAre("both", "walk"));
    EXPECT_THAT(by_clip({.duration_max = 1.0}), ElementsAre("both"));
    EXPECT_THAT(by_clip({.duration_max = 0.5}), IsEmpty());
    EXPECT_THAT(by_clip({.loops = true, .speed_min = 1.0}), ElementsAre("walk")) << "of one clip";
    EXPECT_THAT(by_clip({.duration_min = 1.5, .duration_max = 3.0}), ElementsAre("walk"));
}

TEST_F(CatalogListFactsTest, SizesWarningsAndMissingTextures)
{
    Metadata large, small;
    large.extent = 2'500'000;
    large.warnings = 3;
    large.missing_images = 2;
    large.warning_codes = {"missing_image", "missing_image", "odd"};
    small.extent = 10'000;
    import("large", large);
    import("small", small);
    add("unknown");
    EXPECT_THAT(by_facts({.size_min = 2.5}), ElementsAre("large"));
    EXPECT_THAT(by_facts({.size_max = 2.4}), ElementsAre("small")) << "not of what is not imported";
    EXPECT_THAT(by_facts({.warnings_min = 1}), ElementsAre("large"));
    EXPECT_THAT(by_facts({.warnings_max = 2}), ElementsAre("small")) << "not of what is not known";
    EXPECT_THAT(by_facts({.missing_textures_max = 0}), ElementsAre("small"));
    EXPECT_THAT(by_facts({.missing_textures_min = 2}), ElementsAre("large"));
    EXPECT_THAT(by_facts({.missing_textures_min = 3}), IsEmpty());
    EXPECT_THAT(by_facts({.warning_codes = {"odd", "missing_image"}}), ElementsAre("large"));
    EXPECT_THAT(by_facts({.warning_codes = {"odd", "other"}}), IsEmpty());
    EXPECT_THAT(facet(FacetKind::warning), ElementsAre(std::pair("missing_image", 1u), std::pair("odd", 1u)));
}

TEST_F(CatalogListFactsTest, CountsOfTheModel)
{
    Metadata statue, ghost;
    statue.counts = {.vertices = 900, .clips = 3, .materials = 2};
    ghost.counts.vertices = 10;
    import("statue", statue);
    import("ghost", ghost);
    EXPECT_THAT(names({.vertices_min = 11}), ElementsAre("statue"));
    EXPECT_THAT(names({.vertices_min = 10, .vertices_max = 899}), ElementsAre("ghost"));
    EXPECT_THAT(names({.vertices_min = 901}), IsEmpty());
    EXPECT_THAT(names({.materials_min = 2, .materials_max = 2}), ElementsAre("statue"));
    EXPECT_THAT(names({.materials_max = 1}), ElementsAre("ghost"));
    EXPECT_THAT(names({.clips_min = 3}), ElementsAre("statue"));
    EXPECT_THAT(names({.clips_max = 2}), ElementsAre("ghost"));
    EXPECT_THAT(names({.clips_min = 4}), IsEmpty());
}

TEST_F(CatalogListFactsTest, Libraries)
{
    std::vector<NewAsset> shown{asset_named("shown"), asset_named("of another")};
    shown[0].library = "library_1";
    shown[1].library = "library_2";
    const auto created = catalog.create_assets(shown);
    add("uploaded");
    EXPECT_EQ(created[0].asset.library, "library_1");
    EXPECT_THAT(by_facts({.library = "library_1"}), ElementsAre("shown"));
    EXPECT_THAT(by_facts({.library = "library_3"}), IsEmpty());
    EXPECT_THAT(facet(FacetKind::library, {.facts = {.library = "library_1"}}),
                ElementsAre(std::pair("library_1", 1u), std::pair("library_2", 1u)));
    catalog.update_library(created[0].asset.id);
    const auto removed = catalog.find_asset(created[0].asset.id).value();
    EXPECT_EQ(removed.library, "") << "no library has a file of it";
    EXPECT_NE(removed.etag(), created[0].asset.etag());
    EXPECT_THAT(by_facts({.library = "library_1"}), IsEmpty());
}

TEST_F(CatalogListFactsTest, TimesAreInclusive)
{
    const auto first = catalog.find_asset(add("first").id).value();
    const auto second = catalog.find_asset(add("second").id).value();
    ASSERT_LE(first.created, second.created);
    EXPECT_THAT(by_facts({.created_min = first.created, .created_max = second.created}),
                ElementsAre("first", "second"));
    EXPECT_THAT(by_facts({.created_max = first.created - 1}), IsEmpty());
    ASSERT_TRUE(catalog.change_asset(first.id, {.name = "changed"}));
    const auto updated = catalog.find_asset(first.id)->updated;
    EXPECT_THAT(by_facts({.updated_min = updated + 1}), IsEmpty());
    EXPECT_THAT(by_facts({.updated_max = updated}), ElementsAre("changed", "second"));
}

TEST_F(CatalogListFactsTest, PeopleOverrideWhatTheFileDeclares)
{
    Metadata declared;
    declared.file_license = "CC-BY-4.0";
    declared.file_author = "Ann";
    const auto id = import("declared", declared);
    const auto plain = import("plain", {});
    EXPECT_THAT(by_facts({.license = "cc-by-4.0"}), ElementsAre("declared"));
    EXPECT_THAT(by_facts({.license = "CC-BY-4._"}), IsEmpty()) << "no pattern";
    AssetChange change;
    change.license = "MIT";
    ASSERT_TRUE(catalog.change_asset(id, change));
    ASSERT_TRUE(catalog.change_asset(plain, change));
    EXPECT_THAT(by_facts({.license = "mit", .author = "ann"}), ElementsAre("declared"));
    EXPECT_THAT(facet(FacetKind::license), ElementsAre(std::pair("MIT", 2u)));
    change.license = "";
    ASSERT_TRUE(catalog.change_asset(id, change));
    EXPECT_THAT(facet(FacetKind::license),
                UnorderedElementsAre(std::pair("CC-BY-4.0", 1u), std::pair("MIT", 1u)));
    EXPECT_THAT(facet(FacetKind::author), ElementsAre(std::pair("Ann", 1u)));
}

TEST_F(CatalogListFactsTest, OwnersAndTags)
{
    std::string id;
    {
        const AuditScope scope({"user:user_1", {}});
        id = add("mine").id;
    }
    const auto other = add("other").id;
    EXPECT_THAT(by_facts({.owner = "user:user_1"}), ElementsAre("mine"));
    EXPECT_EQ(catalog.find_asset(id)->creator, "user:user_1");
    EXPECT_THAT(facet(FacetKind::owner),
                UnorderedElementsAre(std::pair("server", 1u), std::pair("user:user_1", 1u)));
    AssetChange change;
    change.tags = {"Prop", "big"};
    ASSERT_TRUE(catalog.change_asset(id, change));
    change.tags = {"prop"};
    ASSERT_TRUE(catalog.change_asset(other, change));
    EXPECT_THAT(facet(FacetKind::tag), ElementsAre(std::pair("Prop", 2u), std::pair("big", 1u)));
    EXPECT_THAT(facet(FacetKind::tag, {.tags = {"big"}}),
                ElementsAre(std::pair("Prop", 1u), std::pair("big", 1u)));
    ASSERT_TRUE(catalog.trash_asset(id));
    EXPECT_THAT(facet(FacetKind::tag), ElementsAre(std::pair("Prop", 1u)));
}

// The columns of the list are those of the version that requests read.
TEST_F(CatalogListFactsTest, NewVersionReplacesTheFacts)
{
    Metadata before = with_clips({{true, true, 0.0, 1.0}}), after = with_clips({{false, false, 2.0, 8.0}});
    before.extent = 1'000'000;
    before.file_license = "MIT";
    before.warning_codes = {"old"};
    after.extent = 4'000'000;
    after.counts.vertices = 40;
    after.counts.materials = 4;
    const auto id = import("asset", before);
    NewVersion content;
    content.content = {.name = {}, .main_file = "m.obj", .files = {{"m.obj", std::string(64, 'b'), 77}}};
    ASSERT_TRUE(catalog.create_version(id, content));
    const auto lease = catalog.claim_job("me", 10s).value();
    after.format = "obj";
    ASSERT_TRUE(catalog.record_metadata(lease, after));
    EXPECT_THAT(by_facts({.size_max = 1.0}), ElementsAre("asset")) << "not imported yet";
    ASSERT_TRUE(catalog.succeed(lease));
    EXPECT_THAT(by_facts({.size_min = 4.0}), ElementsAre("asset"));
    EXPECT_THAT(by_facts({.license = "MIT"}), IsEmpty());
    EXPECT_THAT(by_facts({.warning_codes = {"old"}}), IsEmpty());
    EXPECT_THAT(by_clip({.loops = true}), IsEmpty());
    EXPECT_THAT(by_clip({.duration_min = 8.0}), ElementsAre("asset"));
    EXPECT_THAT(names({.vertices_min = 40, .materials_min = 4}), ElementsAre("asset"));
    EXPECT_THAT(names({.bytes_min = 77, .bytes_max = 77}), ElementsAre("asset"));
}

} // namespace
} // namespace vitrine::server::testing
