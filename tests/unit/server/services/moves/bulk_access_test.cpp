// Rows that are written in bulk come back as they were; digests of rows.

#include "server/services/database/bulk_access.hpp"
#include "server/services/database/database_connections.hpp"
#include "server/services/moves/catalog_move.hpp"
#include "server/services/moves/rows_digest.hpp"
#include "tests/support/catalog_place.hpp"
#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

using RowTexts = std::vector<std::optional<std::string>>;

std::vector<std::optional<std::string_view>> view_of(const RowTexts& values)
{
    return {values.begin(), values.end()};
}

class BulkRows : public ::testing::Test {
protected:
    BulkRows() : place(folder.path()), end(place.location)
    {
        end.sql() << "CREATE TABLE bulk (n BIGINT PRIMARY KEY, r DOUBLE PRECISION, t TEXT)";
        table = {"bulk", {"n"}, end.rows().columns("bulk")};
    }

    void write(const std::vector<RowTexts>& rows)
    {
        Transaction transaction(end.sql(), Durability::full);
        const auto writer = end.rows().write(table);
        for (const auto& row : rows)
            writer->write(view_of(row));
        writer->finish();
        transaction.commit();
    }

    std::vector<RowTexts> read(const std::vector<std::string>& after = {})
    {
        std::vector<RowTexts> rows;
        end.rows().read(table, after, [&](BulkRow row) {
            auto& values = rows.emplace_back();
            for (const auto& value : row)
                values.push_back(value ? std::optional(std::string(*value)) : std::nullopt);
        });
        return rows;
    }

    const test::TempDir folder;
    const testing::CatalogPlace place;
    MoveEnd end;
    BulkTable table;
};

TEST_F(BulkRows, ComeBackAsTheyWere)
{
    const std::vector<RowTexts> rows{
        {"-9223372036854775808", "0.1", "tab\tline\nreturn\rback\\slash"},
        {"0", "1e-07", "\\N"},
        {"1", "1", ""},
        {"2", std::nullopt, std::nullopt},
        {"3", "0.30000000000000004", "\\."},
        {"9223372036854775807", "-123456.75", "h\u00e4nd \U0001F916"},
    };
    write(rows);
    EXPECT_EQ(read(), rows);
    EXPECT_EQ(read({"1"}), (std::vector<RowTexts>{rows.begin() + 3, rows.end()}));
    EXPECT_TRUE(read({"9223372036854775807"}).empty());
}

TEST_F(BulkRows, AreNotKeptWithoutTheirEnd)
{
    try {
        Transaction transaction(end.sql(), Durability::full);
        const auto writer = end.rows().write(table);
        writer->write(view_of({"1", "1", "a"}));
        throw 1;
    } catch (int) {
    }
    EXPECT_TRUE(read().empty());
    write({{"2", "1", "a"}}); // the connection is usable
    EXPECT_EQ(read().size(), 1u);
}

TEST_F(BulkRows, WithEqualKeysAreAnError)
{
    EXPECT_THROW(write({{"1", "1", "a"}, {"1", "1", "b"}}), StorageError);
    EXPECT_TRUE(read().empty());
}

TEST_F(BulkRows, ThatPostgresDoesNotKeepAreNamed)
{
    if (!is_postgres(place.location)) GTEST_SKIP() << "SQLite keeps any text";
    for (const auto& text : {std::string("a\0b", 3), std::string("\xff")}) {
        try {
            write({{"1", "1", text}});
            FAIL() << "it was written";
        } catch (const StorageError& error) {
            EXPECT_TRUE(std::string_view(error.what()).contains("a row of bulk has text in t"))
                << error.what();
        }
    }
}

RowsDigest digest_of(const std::vector<RowTexts>& rows)
{
    RowsDigest digest;
    for (const auto& row : rows)
        digest.add(view_of(row));
    return digest;
}

TEST(RowsDigestTest, DoesNotDependOnTheOrderButOnEachValue)
{
    const auto digest = digest_of({{"a", "b"}, {"c", "d"}});
    EXPECT_EQ(digest_of({{"c", "d"}, {"a", "b"}}), digest);
    EXPECT_EQ(digest.rows(), 2u);
    EXPECT_EQ(digest.text().size(), 64u);
    const std::vector<std::vector<RowTexts>> others{{{"a", "b"}},
                                                    {{"ab", ""}, {"c", "d"}},
                                                    {{"a", "b"}, {"c", "d"}, {"", ""}},
                                                    {{"b", "a"}, {"c", "d"}},
                                                    {{"a", std::nullopt}, {"c", "d"}},
                                                    {{"a", "b"}, {"a", "b"}}};
    for (const auto& other : others)
        EXPECT_FALSE(digest_of(other) == digest);
    EXPECT_FALSE(digest_of({{std::nullopt}}) == digest_of({{""}}));
    EXPECT_FALSE(digest_of({{"-"}}) == digest_of({{std::nullopt}}));
}

} // namespace
} // namespace vitrine::server
