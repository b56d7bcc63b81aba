// Moves of catalogs. The other end is a second file of SQLite, with VITRINE_TEST_DATABASE a database of
// PostgreSQL.

#include "server/services/moves/catalog_move.hpp"
#include "server/services/schema/schema.hpp"
#include "tests/support/catalog_place.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/unit/server/services/moves/small_library.hpp"

namespace vitrine::server {
namespace {

using testing::error_of;

const OnMoveProgress silent = [](const MoveProgress&) {};

class CatalogMoves : public ::testing::Test {
protected:
    CatalogMoves() : first(folder.path() / "first.sqlite"), place(folder.path()), other(place.location) {}

    void SetUp() override
    {
        Catalog catalog(first);
        testing::fill_small_library(catalog, 12);
    }

    static std::vector<MovedRows> move(const std::string& from, const std::string& to,
                                       const CatalogMoveOptions& options = {})
    {
        CatalogMove move(from, to);
        move.begin(options);
        move.copy(silent);
        auto tables = move.verify(silent);
        move.finish(true);
        return tables;
    }

    // Ends in the middle of `table`, as a process that is killed.
    void interrupt(const std::string& table)
    {
        struct Killed {};
        CatalogMove move(first, other);
        move.begin({});
        EXPECT_THROW(move.copy([&](const MoveProgress& progress) {
            if (progress.what == "copying " + table) throw Killed();
        }),
                     Killed);
    }

    const test::TempDir folder;
    const std::string first;
    const testing::CatalogPlace place;
    const std::string other;
};

TEST_F(CatalogMoves, ThereAndBackAreIdentical)
{
    const auto there = move(first, other);
    const auto third = (folder.path() / "third.sqlite").string();
    const auto back = move(other, third);
    ASSERT_EQ(there.size(), moved_tables().size());
    for (std::size_t i = 0; i < there.size(); ++i) {
        EXPECT_EQ(back[i].digest, there[i].digest) << there[i].table;
        EXPECT_GT(there[i].rows, 0u) << there[i].table << " is not tested";
    }
}

TEST_F(CatalogMoves, AreOpenedAndGoOnWithTheirNumbers)
{
    move(first, other);
    Catalog before(first), after(other);
    const auto query = ListQuery{.q = "hand", .sort = Sort::name};
    const auto expected = before.list_assets(query).value(), found = after.list_assets(query).value();
    ASSERT_EQ(found.items.size(), expected.items.size());
    EXPECT_GT(found.items.size(), 5u);
    for (std::size_t i = 0; i < found.items.size(); ++i)
        EXPECT_EQ(found.items[i].id, expected.items[i].id);
    const std::vector<NewAsset> added{{"new", "n.glb", {{"n.glb", std::string(64, 'e'), 1}}}};
    EXPECT_FALSE(after.create_assets(added).front().existing);
    EXPECT_EQ(after.asset_count(), 13u);
    EXPECT_EQ(after.list_assets({}).value().items.front().name, "new");
    EXPECT_EQ(after.claim_key("key\t1", "content").response.value().location, "/v1/assets/x");
}

TEST_F(CatalogMoves, ContinueWhereTheyWere)
{
    for (const auto* const table : {"versions", "documents", "search_words"}) {
        interrupt(table);
        EXPECT_TRUE(error_of([&] { const Catalog catalog(other); }).contains("a move that has not ended"));
    }
    CatalogMove again(first, other);
    EXPECT_TRUE(again.begin({}));
    EXPECT_EQ(again.target().count("documents"), 11u) << "what was copied is kept";
    again.copy(silent);
    again.verify(silent);
    again.finish(true);
    EXPECT_EQ(Catalog(other).asset_count(), 12u);
}

TEST_F(CatalogMoves, RefuseAssetsOfAnotherOrigin)
{
    move(first, other);
    EXPECT_TRUE(error_of([&] { move(first, other); }).contains("has 12 assets of another origin"));
    EXPECT_TRUE(error_of([&] { move(first, other, {.restart = true}); }).contains("12 assets"))
        << "only what a move has copied is forgotten";
}

TEST_F(CatalogMoves, RefuseAnUnfinishedMoveFromAnotherCatalog)
{
    interrupt("files");
    const auto second = (folder.path() / "second.sqlite").string();
    {
        Catalog catalog(second);
        testing::fill_small_library(catalog, 3);
    }
    const auto error = error_of([&] { move(second, other); });
    EXPECT_TRUE(error.contains("has an unfinished move from " + first)) << error;
    move(second, other, {.restart = true});
    EXPECT_EQ(Catalog(other).asset_count(), 3u);
}

TEST_F(CatalogMoves, NoticeThatTheSourceHasChanged)
{
    interrupt("jobs");
    {
        Catalog catalog(first);
        const auto asset = catalog.list_assets({}).value().items.back();
        ASSERT_TRUE(catalog.change_asset(asset.id, {.name = "another name", .if_match = {}}));
    }
    const auto error = error_of([&] { move(first, other); });
    EXPECT_TRUE(error.contains("assets differs after the move")) << error;
    EXPECT_FALSE(error_of([&] { const Catalog catalog(other); }).empty()) << "no server opens it";
    move(first, other, {.restart = true});
}

TEST_F(CatalogMoves, RefuseANewerSchema)
{
    {
        MoveEnd end(first);
        end.sql() << "INSERT INTO migrations (number, applied) VALUES (9999, 1)";
    }
    const auto error = error_of([&] { move(first, other); });
    EXPECT_TRUE(error.contains("newer version of Vitrine (schema 9999")) << error;
    EXPECT_TRUE(error.contains(first)) << "says which";
}

TEST_F(CatalogMoves, RefuseAServerOnTheDatabase)
{
    if (!is_postgres(other)) GTEST_SKIP() << "a folder has a lock";
    const Catalog server(other);
    const auto error = error_of([&] { move(first, other); });
    EXPECT_TRUE(error.contains("connections of other Vitrine processes")) << error;
    move(first, other, {.force = true});
}

TEST_F(CatalogMoves, NameADatabaseThatIsAway)
{
    const auto error = error_of([&] { move(first, "postgres://nobody:secret@127.0.0.1:1/none"); });
    EXPECT_TRUE(error.contains("postgres://nobody@127.0.0.1:1/none")) << error;
    EXPECT_FALSE(error.contains("secret")) << error;
}

} // namespace
} // namespace vitrine::server
