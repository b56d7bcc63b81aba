// The lists of tables are complete.

#include <algorithm>

#include "server/services/catalog/catalog.hpp"
#include "server/services/moves/catalog_move.hpp"
#include "server/services/moves/move_tables.hpp"
#include "tests/support/catalog_place.hpp"
#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

bool is_listed(const std::string& table)
{
    const auto moved = moved_tables();
    const auto unmoved = unmoved_tables();
    return std::ranges::find(moved, table, &MovedTable::name) != moved.end() ||
           std::ranges::find(unmoved, table) != unmoved.end();
}

// A new table belongs to one of the lists of move_tables.cpp.
TEST(MoveTables, AreThoseOfTheSchema)
{
    const test::TempDir folder;
    const testing::CatalogPlace place(folder.path());
    {
        const Catalog catalog(place.location);
    }
    MoveEnd end(place.location);
    const auto tables = end.rows().tables();
    EXPECT_GE(tables.size(), 10u);
    for (const auto& table : tables)
        EXPECT_TRUE(is_listed(table)) << table << " is neither moved nor left by `vitrine migrate`";
    for (const auto& moved : moved_tables())
        EXPECT_TRUE(end.has_table(moved.name)) << moved.name;
}

TEST(MoveTables, HaveUniqueKeysAndKnownNumbers)
{
    const test::TempDir folder;
    const testing::CatalogPlace place(folder.path());
    {
        const Catalog catalog(place.location);
    }
    MoveEnd end(place.location);
    for (const auto& moved : moved_tables()) {
        const auto table = end.describe(moved);
        for (const auto& column : moved.key)
            EXPECT_NE(std::ranges::find(table.columns, column, &BulkColumn::name), table.columns.end())
                << moved.name << "." << column;
        const bool is_seq = std::ranges::find(table.columns, "seq", &BulkColumn::name) != table.columns.end();
        EXPECT_EQ(is_seq, !moved.numbered.empty()) << moved.name;
    }
}

} // namespace
} // namespace vitrine::server
