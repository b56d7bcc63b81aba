// Tags of assets, and changes of a tag over all of them.

#include "server/services/organization/tag_table.hpp"

#include <gmock/gmock.h>

#include "api/tags/tag_text.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CatalogTagsTest : public CatalogTest {
protected:
    AssetRecord tag(const std::string& id, std::vector<std::string> names)
    {
        return catalog.change_asset(id, {.name = {}, .if_match = {}, .tags = std::move(names)}).value();
    }
    std::vector<std::string> tags_of(const std::string& id)
    {
        return api::split_tags(catalog.find_asset(id)->tags);
    }
    // "name:assets" of each.
    std::vector<std::string> all(const std::string& prefix = {}, std::size_t limit = 100)
    {
        std::vector<std::string> found;
        std::string cursor;
        do {
            const auto page = tags.list(prefix, limit, cursor).value();
            for (const auto& tag : page.items)
                found.push_back(tag.name + ":" + std::to_string(tag.assets));
            cursor = page.next;
        } while (!cursor.empty());
        return found;
    }

    TagTable tags{catalog.connections()};
    const std::string fish = add("fish").id, boat = add("boat").id;
};

TEST_F(CatalogTagsTest, AreReplacedAddedAndRemoved)
{
    const auto before = catalog.find_asset(fish)->etag();
    EXPECT_NE(tag(fish, {"wood", "Prop"}).etag(), before);
    EXPECT_THAT(tags_of(fish), ElementsAre("Prop", "wood"));
    const auto same = catalog.find_asset(fish)->etag();
    EXPECT_EQ(tag(fish, {"PROP", "wood", "wood"}).etag(), same) << "the same tags";
    AssetChange change;
    change.added_tags = {"sea"};
    change.removed_tags = {"WOOD"};
    ASSERT_TRUE(catalog.change_asset(fish, change));
    EXPECT_THAT(tags_of(fish), ElementsAre("Prop", "sea"));
    EXPECT_THAT(all(), ElementsAre("Prop:1", "sea:1")) << "a tag without assets is none";
    EXPECT_THAT(catalog.change_asset(fish, {.name = {}, .if_match = before, .tags = {}}).error().kind,
                Errc::precondition_failed);
}

TEST_F(CatalogTagsTest, AreLimited)
{
    std::vector<std::string> many;
    for (std::size_t i = 0; i <= max_asset_tags; ++i)
        many.push_back("tag" + std::to_string(i));
    const auto rejected = catalog.change_asset(fish, {.name = {}, .if_match = {}, .tags = many});
    EXPECT_EQ(rejected.error().code, "too_many_tags");
    EXPECT_THAT(tags_of(fish), IsEmpty());
    EXPECT_THAT(all(), IsEmpty());
    EXPECT_NE(tag_fault(std::string(max_tag_bytes + 1, 'x')), "");
    EXPECT_NE(tag_fault("a\nb"), "");
    EXPECT_NE(tag_fault("\xff"), "");
    EXPECT_EQ(tag_fault("木"), "");
}

TEST_F(CatalogTagsTest, AreListedByPrefixInPages)
{
    tag(fish, {"wood", "Water", "air", "wool"});
    tag(boat, {"wood"});
    EXPECT_THAT(all(), ElementsAre("air:1", "Water:1", "wood:2", "wool:1"));
    EXPECT_THAT(all("WO"), ElementsAre("wood:2", "wool:1"));
    EXPECT_THAT(all({}, 1), ElementsAre("air:1", "Water:1", "wood:2", "wool:1"));
    EXPECT_THAT(all("wo", 1), ElementsAre("wood:2", "wool:1"));
    ASSERT_TRUE(catalog.trash_asset(boat));
    EXPECT_THAT(all("wood"), ElementsAre("wood:1"));
    EXPECT_EQ(tags.list("", 10, "a\nb").error().code, "bad_cursor");
}

TEST_F(CatalogTagsTest, FilterListsAndAreFoundByWords)
{
    tag(fish, {"wood", "sea"});
    tag(boat, {"wood"});
    EXPECT_THAT(names({.tags = {"WOOD"}}), ElementsAre("boat", "fish"));
    EXPECT_THAT(names({.tags = {"wood", "sea"}}), ElementsAre("fish"));
    EXPECT_THAT(names({.tags = {"none"}}), IsEmpty());
    const auto page = catalog.list_assets({.q = "sea"}).value();
    ASSERT_EQ(page.items.size(), 1u);
    EXPECT_EQ(page.matches.front().kind, "tag");
    EXPECT_EQ(page.matches.front().text, "sea");
    tag(fish, {"ocean"});
    EXPECT_THAT(names({.q = "sea"}), IsEmpty());
    EXPECT_THAT(names({.q = "ocean"}), ElementsAre("fish"));
}

// The import writes the names of the file again.
TEST_F(CatalogTagsTest, StayAfterAnImport)
{
    const auto crate = add("crate").id;
    tag(crate, {"storage"});
    while (const auto lease = catalog.claim_job("me", std::chrono::seconds(10))) {
        catalog.record_metadata(*lease, {{.format = "obj", .summary = R"({"warnings":0})"},
                                         {.tags = "a title\n", .clips = {}, .joints = {}, .materials = {}},
                                         {}});
        catalog.succeed(*lease);
    }
    EXPECT_THAT(names({.q = "storage"}), ElementsAre("crate"));
    tag(crate, {"box"});
    EXPECT_THAT(names({.q = "storage"}), IsEmpty());
    EXPECT_THAT(names({.q = "title box"}), ElementsAre("crate"));
}

TEST_F(CatalogTagsTest, AreRenamedOverAllAssets)
{
    tag(fish, {"wood", "sea"});
    tag(boat, {"wood"});
    const auto before = catalog.find_asset(boat)->etag();
    EXPECT_EQ(tags.rename("none", "other", false).error().kind, Errc::not_found);
    EXPECT_EQ(tags.rename("WOOD", "Timber", false)->assets, 2u);
    EXPECT_THAT(tags_of(fish), ElementsAre("sea", "Timber"));
    EXPECT_THAT(tags_of(boat), ElementsAre("Timber"));
    EXPECT_NE(catalog.find_asset(boat)->etag(), before);
    EXPECT_THAT(all(), ElementsAre("sea:1", "Timber:2"));
    EXPECT_THAT(names({.tags = {"timber"}}), ElementsAre("boat", "fish"));
    EXPECT_THAT(names({.q = "timber"}), ElementsAre("boat", "fish"));
    EXPECT_THAT(names({.q = "wood"}), IsEmpty());
    EXPECT_EQ(tags.rename("timber", "TIMBER", false)->name, "TIMBER") << "another spelling";
    EXPECT_THAT(tags_of(boat), ElementsAre("TIMBER"));
}

TEST_F(CatalogTagsTest, AreMerged)
{
    tag(fish, {"wood", "timber", "sea"});
    tag(boat, {"wood"});
    EXPECT_EQ(tags.rename("wood", "TIMBER", false).error().code, "tag_exists");
    const auto merged = tags.rename("wood", "TIMBER", true).value();
    EXPECT_EQ(merged.name, "timber") << "the spelling of the one that stays";
    EXPECT_EQ(merged.assets, 2u);
    EXPECT_THAT(tags_of(fish), ElementsAre("sea", "timber"));
    EXPECT_THAT(tags_of(boat), ElementsAre("timber"));
    EXPECT_THAT(all(), ElementsAre("sea:1", "timber:2"));
    EXPECT_THAT(names({.q = "wood"}), IsEmpty());
    EXPECT_EQ(catalog.newest_events(1).front().type, "tag.changed");
    EXPECT_EQ(catalog.newest_events(1).front().data, R"({"tag":{"name":"wood","newName":"timber"}})");
}

TEST_F(CatalogTagsTest, AreRemovedFromAllAssets)
{
    tag(fish, {"wood", "sea"});
    tag(boat, {"wood"});
    ASSERT_TRUE(tags.remove("Wood"));
    EXPECT_EQ(tags.remove("wood").error().kind, Errc::not_found);
    EXPECT_THAT(tags_of(fish), ElementsAre("sea"));
    EXPECT_THAT(tags_of(boat), IsEmpty());
    EXPECT_THAT(all(), ElementsAre("sea:1"));
    EXPECT_THAT(names({.q = "wood"}), IsEmpty());
}

// More than one transaction changes.
TEST_F(CatalogTagsTest, ManyAssetsAreChanged)
{
    std::vector<NewAsset> many;
    for (int i = 0; i < 1010; ++i)
        many.push_back(asset_named("asset " + std::to_string(i)));
    int number = 0;
    for (const auto& created : catalog.create_assets(many))
        tag(created.asset.id, ++number % 3 == 0 ? std::vector<std::string>{"wood", "timber"}
                                                : std::vector<std::string>{"wood"});
    const auto events = [&] { return catalog.newest_events(100'000).size(); };
    const auto before = events();
    EXPECT_EQ(tags.rename("wood", "WOOD", false)->assets, 1010u);
    EXPECT_EQ(events(), before + 1);
    EXPECT_EQ(catalog.list_assets({.q = "wood", .limit = 1})->matches.front().text, "WOOD");
    EXPECT_EQ(tags.rename("wood", "timber", true)->assets, 1010u);
    EXPECT_EQ(events(), before + 2);
    EXPECT_THAT(all(), ElementsAre("timber:1010"));
    EXPECT_THAT(names({.q = "wood"}), IsEmpty());
    EXPECT_EQ(tags.rename("timber", "plank", false)->assets, 1010u);
    ASSERT_TRUE(tags.remove("plank"));
    EXPECT_EQ(events(), before + 4);
    EXPECT_THAT(all(), IsEmpty());
    EXPECT_THAT(names({.q = "plank"}), IsEmpty());
    for (const auto& asset : catalog.list_assets({.q = {}, .limit = 100})->items)
        EXPECT_EQ(asset.tags, "");
}

TEST_F(CatalogTagsTest, FactsOfPeopleAreStored)
{
    AssetChange change;
    change.license = "CC-BY-4.0";
    change.author = "Ada";
    change.source_url = "https://example.org/fish";
    const auto changed = catalog.change_asset(fish, change).value();
    const auto json = api::to_json(changed);
    EXPECT_EQ(json.at("license").as_string(), "CC-BY-4.0");
    EXPECT_EQ(json.at("author").as_string(), "Ada");
    EXPECT_EQ(json.at("sourceUrl").as_string(), "https://example.org/fish");
    EXPECT_EQ(catalog.change_asset(fish, change)->etag(), changed.etag()) << "nothing has changed";
    change = {};
    change.author = "";
    const auto cleared = api::to_json(catalog.change_asset(fish, change).value());
    EXPECT_TRUE(cleared.at("author").is_null());
    EXPECT_EQ(cleared.at("license").as_string(), "CC-BY-4.0");
}

} // namespace
} // namespace vitrine::server::testing
