// Collections: their tree, their members and lists by them.

#include "server/services/organization/collection_table.hpp"

#include <gmock/gmock.h>

#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CatalogCollectionsTest : public CatalogTest {
protected:
    std::string create(const std::string& name, const std::string& parent = {})
    {
        Collection wanted;
        wanted.name = name;
        wanted.parent = parent;
        return collections.create(wanted).value().id;
    }
    std::string code_of_creation(const std::string& name, const std::string& parent = {})
    {
        Collection wanted;
        wanted.name = name;
        wanted.parent = parent;
        const auto made = collections.create(wanted);
        return made ? "" : made.error().code;
    }
    std::string code_of_move(const std::string& id, const std::string& parent)
    {
        CollectionChange change;
        change.parent = parent;
        const auto moved = collections.change(id, change);
        return moved ? "" : moved.error().code;
    }
    // "position:name" of each.
    std::vector<std::string> members(const std::string& id, std::size_t limit = 100)
    {
        std::vector<std::string> found;
        std::string cursor;
        do {
            const auto page = collections.members(id, limit, cursor).value();
            for (const auto& member : page.items)
                found.push_back(std::to_string(member.position) + ":" + member.asset.name);
            cursor = page.next;
        } while (!cursor.empty());
        return found;
    }
    std::vector<std::string> names_of(const CollectionQuery& query)
    {
        std::vector<std::string> found;
        for (const auto& collection : collections.list(query)->items)
            found.push_back(collection.name);
        return found;
    }

    CollectionTable collections{catalog.connections()};
    const std::string a = add("a").id, b = add("b").id, c = add("c").id, d = add("d").id;
};

TEST_F(CatalogCollectionsTest, AreNestedWithoutCycles)
{
    const auto top = create("Characters");
    const auto inner = create("Heroes", top);
    EXPECT_EQ(collections.find(inner)->parent, top);
    EXPECT_EQ(code_of_creation("heroes", top), "collection_exists");
    EXPECT_EQ(code_of_creation("heroes"), "") << "another place";
    EXPECT_EQ(code_of_creation("x", "collection_none"), "no_collection");
    EXPECT_EQ(code_of_move(top, inner), "collection_cycle");
    EXPECT_EQ(code_of_move(top, top), "collection_cycle");
    EXPECT_EQ(code_of_move(inner, ""), "collection_exists");
    EXPECT_EQ(code_of_move(inner, top), "");
    EXPECT_THAT(names_of({.parent = ""}), ElementsAre("Characters", "heroes"));
    EXPECT_THAT(names_of({.parent = top}), ElementsAre("Heroes"));
}

TEST_F(CatalogCollectionsTest, SiblingsHaveAnOrder)
{
    const auto first = create("one"), second = create("two"), third = create("three");
    const auto inner = create("inner", first);
    const auto move = [&](const std::string& id, std::uint64_t position) {
        CollectionChange change;
        change.position = position;
        return collections.change(id, change).has_value();
    };
    EXPECT_THAT(names_of({.parent = ""}), ElementsAre("one", "two", "three"));
    ASSERT_TRUE(move(third, 0));
    EXPECT_THAT(names_of({.parent = ""}), ElementsAre("three", "one", "two"));
    ASSERT_TRUE(move(third, 1));
    EXPECT_THAT(names_of({.parent = ""}), ElementsAre("one", "three", "two"));
    ASSERT_TRUE(move(first, 99));
    EXPECT_THAT(names_of({.parent = ""}), ElementsAre("three", "two", "one"));
    EXPECT_THAT(names_of({.parent = first}), ElementsAre("inner")) << "others keep their places";
    CollectionChange change;
    change.parent = "";
    ASSERT_TRUE(collections.change(inner, change));
    EXPECT_THAT(names_of({.parent = ""}), ElementsAre("three", "two", "one", "inner"));
    change.parent = first;
    ASSERT_TRUE(collections.change(second, change));
    change.position = 0;
    ASSERT_TRUE(collections.change(inner, change));
    EXPECT_THAT(names_of({.parent = first}), ElementsAre("inner", "two")) << "another parent, with a place";
    create("new");
    EXPECT_THAT(names_of({.parent = ""}), ElementsAre("three", "one", "new"));
}

TEST_F(CatalogCollectionsTest, PagesFollowTheOrder)
{
    for (const auto* const name : {"a", "b", "c", "d", "e"})
        create(name);
    CollectionChange change;
    change.position = 0;
    ASSERT_TRUE(collections.change(collections.list({}).value().items.back().id, change));
    std::vector<std::string> found;
    std::string cursor;
    do {
        const auto page = collections.list({.limit = 2, .cursor = cursor}).value();
        for (const auto& collection : page.items)
            found.push_back(collection.name);
        cursor = page.next;
    } while (!cursor.empty());
    EXPECT_THAT(found, ElementsAre("e", "a", "b", "c", "d"));
    for (const auto* const wrong : {"x", "-1.collection_a", "1", "1.", "1.asset_a", ".collection_a"})
        EXPECT_EQ(collections.list({.cursor = wrong}).error().code, "bad_cursor") << wrong;
}

TEST_F(CatalogCollectionsTest, HaveALimitedDepth)
{
    std::string deepest;
    std::vector<std::string> chain;
    for (std::size_t level = 0; level < CollectionTable::max_depth; ++level)
        chain.push_back(deepest = create("level", deepest));
    EXPECT_EQ(code_of_creation("one more", deepest), "too_deep");
    const auto other = create("other");
    EXPECT_EQ(code_of_move(other, deepest), "too_deep");
    EXPECT_EQ(code_of_move(chain[1], other), "") << "as deep as before";
    create("above", "");
    EXPECT_EQ(code_of_move(other, chain[0]), "too_deep") << "with what is below it";
}

TEST_F(CatalogCollectionsTest, ChangeWithIfMatch)
{
    const auto id = create("Props");
    const auto before = collections.find(id).value();
    CollectionChange change;
    change.name = "Things";
    change.description = "all";
    change.cover = a;
    change.if_match = before.etag();
    const auto changed = collections.change(id, change).value();
    EXPECT_EQ(changed.name, "Things");
    EXPECT_EQ(changed.description, "all");
    EXPECT_EQ(changed.cover, a);
    EXPECT_NE(changed.etag(), before.etag());
    EXPECT_EQ(collections.change(id, change).error().kind, Errc::precondition_failed);
    change.if_match.clear();
    change.cover = "asset_none";
    EXPECT_EQ(collections.change(id, change).error().code, "no_asset");
    EXPECT_EQ(collections.change("collection_none", change).error().code, "no_collection");
    EXPECT_EQ(catalog.newest_events(1).front().type, "collection.updated");
}

TEST_F(CatalogCollectionsTest, AreListedInPages)
{
    for (const char* name : {"x", "y", "z"})
        create(name);
    const auto first = collections.list({.limit = 2}).value();
    ASSERT_EQ(first.items.size(), 2u);
    const auto rest = collections.list({.limit = 2, .cursor = first.next}).value();
    ASSERT_EQ(rest.items.size(), 1u);
    EXPECT_EQ(rest.items.front().name, "z");
    EXPECT_EQ(rest.next, "");
    EXPECT_EQ(collections.list({.cursor = "?"}).error().code, "bad_cursor");
}

TEST_F(CatalogCollectionsTest, MembersHaveAnOrder)
{
    const auto id = create("Props");
    EXPECT_EQ(collections.insert_members(id, {.assets = {c, a, a}})->assets, 2u);
    EXPECT_THAT(members(id), ElementsAre("0:c", "1:a"));
    collections.insert_members(id, {.assets = {c, d}}).value();
    EXPECT_THAT(members(id), ElementsAre("0:c", "1:a", "2:d")) << "a member stays in its place";
    collections.insert_members(id, {.assets = {d, b}, .position = 1}).value();
    EXPECT_THAT(members(id), ElementsAre("0:c", "1:d", "2:b", "3:a"));
    EXPECT_THAT(members(id, 1), ElementsAre("0:c", "1:d", "2:b", "3:a"));
    collections.remove_members(id, {.assets = {d}}).value();
    EXPECT_THAT(members(id), ElementsAre("0:c", "1:b", "2:a"));
    collections.replace_members(id, {.assets = {a, d}}).value();
    EXPECT_THAT(members(id), ElementsAre("0:a", "1:d"));
    EXPECT_EQ(collections.members(id, 1, "-3").error().code, "bad_cursor");
}

TEST_F(CatalogCollectionsTest, MembersAreAssets)
{
    const auto id = create("Props");
    EXPECT_EQ(collections.insert_members(id, {.assets = {a, "asset_none"}}).error().code, "no_asset");
    EXPECT_THAT(members(id), IsEmpty());
    const auto etag = collections.find(id)->etag();
    collections.insert_members(id, {.assets = {a, b, c}, .if_match = etag}).value();
    EXPECT_EQ(collections.remove_members(id, {.assets = {a}, .if_match = etag}).error().kind,
              Errc::precondition_failed);
    ASSERT_TRUE(catalog.trash_asset(b));
    EXPECT_THAT(members(id), ElementsAre("0:a", "2:c"));
    EXPECT_EQ(collections.find(id)->assets, 2u);
    EXPECT_EQ(collections.insert_members(id, {.assets = {b}}).error().code, "asset_in_trash");
    collections.replace_members(id, {.assets = {c}}).value();
    ASSERT_TRUE(catalog.restore_asset(b));
    EXPECT_THAT(members(id), ElementsAre("0:c", "1:b")) << "what was in the trash has stayed";
}

TEST_F(CatalogCollectionsTest, FilterListsOfAssets)
{
    const auto top = create("Characters");
    const auto inner = create("Heroes", top);
    const auto before = catalog.generations().of_catalog();
    collections.insert_members(top, {.assets = {a}}).value();
    EXPECT_FALSE(before.is_current()) << "stored lists are outdated";
    collections.insert_members(inner, {.assets = {b, c}}).value();
    EXPECT_THAT(names({.collection = top}), ElementsAre("a"));
    EXPECT_THAT(names({.collection = inner}), ElementsAre("c", "b"));
    EXPECT_THAT(names({.collection = top, .with_descendants = true}), ElementsAre("c", "b", "a"));
    EXPECT_THAT(names_of({.asset = b}), ElementsAre("Heroes"));
}

TEST_F(CatalogCollectionsTest, AreRemovedAndTheirAssetsStay)
{
    const auto top = create("Characters");
    const auto inner = create("Heroes", top);
    collections.insert_members(inner, {.assets = {a}}).value();
    EXPECT_EQ(collections.remove(top, {}, false).error().code, "collection_not_empty");
    EXPECT_EQ(collections.remove(top, "\"other\"", true).error().kind, Errc::precondition_failed);
    ASSERT_TRUE(collections.remove(top, {}, true));
    EXPECT_FALSE(collections.find(inner));
    EXPECT_THAT(names({.collection = inner}), IsEmpty());
    EXPECT_TRUE(catalog.find_asset(a));
    EXPECT_EQ(catalog.newest_events(1).front().type, "collection.deleted");
}

TEST_F(CatalogCollectionsTest, ManyMembersKeepTheirOrder)
{
    std::vector<std::string> ids, expected;
    for (int i = 0; i < 403; ++i) {
        ids.push_back(add("asset " + std::to_string(i)).id);
        expected.push_back(std::to_string(i) + ":asset " + std::to_string(i));
    }
    const auto set = create("set");
    ASSERT_TRUE(collections.replace_members(set, {.assets = ids}));
    EXPECT_EQ(members(set, 500), expected);
    const auto other = create("other");
    ASSERT_TRUE(collections.insert_members(other, {.assets = {ids.begin(), ids.begin() + 1}}));
    ASSERT_TRUE(collections.insert_members(other, {.assets = ids})) << "the first one is a member";
    EXPECT_EQ(members(other, 500), expected);
}

} // namespace
} // namespace vitrine::server::testing
