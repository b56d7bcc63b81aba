// Statements that a connection keeps prepared, in SQLite and in the database of VITRINE_TEST_DATABASE.

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "server/services/database/database_connections.hpp"
#include "tests/support/catalog_place.hpp"
#include "tests/support/temp_dir.hpp"

namespace vitrine::server {
namespace {

using soci::into;
using soci::use;

const std::string find_text = "SELECT number FROM words WHERE word = :word";

class PreparedStatements : public ::testing::Test {
protected:
    PreparedStatements()
    {
        connections.write([](DatabaseConnection& sql) {
            sql << "CREATE TABLE words (word VARCHAR(50) PRIMARY KEY, number BIGINT NOT NULL)";
            sql << "INSERT INTO words (word, number) VALUES ('one', 1), ('two', 2), ('three', 3)";
        });
    }

    static long long find(DatabaseConnection& sql, const std::string& word)
    {
        long long number = 0;
        sql << find_text, into(number), use(word);
        return sql.got_data() ? number : 0;
    }

    static void insert(DatabaseConnection& sql, const std::string& word)
    {
        sql << "INSERT INTO words (word, number) VALUES (:word, 9)", use(word);
    }

    static bool is_postgres() { return !testing::CatalogPlace::database().empty(); }

    const test::TempDir folder_;
    const testing::CatalogPlace place_{folder_.path()};

public:
    DatabaseConnections connections{make_dialect(place_.location), 1}; // one reader: always the same
};

TEST_F(PreparedStatements, ATextIsPreparedWhenItRunsAgainAndOnlyThen)
{
    connections.read([](DatabaseConnection& sql) {
        EXPECT_EQ(find(sql, "one"), 1);
        EXPECT_EQ(sql.statements.find(find_text), nullptr);
        EXPECT_EQ(find(sql, "two"), 2);
        const auto* const kept = sql.statements.find(find_text);
        ASSERT_NE(kept, nullptr);
        EXPECT_EQ(find(sql, "none"), 0);
        EXPECT_EQ(find(sql, "three"), 3);
        EXPECT_EQ(sql.statements.find(find_text), kept);
    });
}

TEST_F(PreparedStatements, TheServerPreparesATextOnce)
{
    if (!is_postgres()) GTEST_SKIP() << "counts statements of PostgreSQL";
    connections.read([](DatabaseConnection& sql) {
        for (int i = 0; i < 5; ++i)
            find(sql, "two");
        long long statements = 0, runs = 0;
        sql << "SELECT COUNT(*), SUM(custom_plans + generic_plans) FROM pg_prepared_statements "
               "WHERE statement LIKE '%FROM words%' AND statement NOT LIKE '%pg_prepared%'",
            into(statements), into(runs);
        EXPECT_EQ(statements, 1);
        EXPECT_EQ(runs, 4); // the first one was not worth it
    });
}

TEST_F(PreparedStatements, PragmasAndChangesOfTheSchemaAreNotKept)
{
    connections.write([](DatabaseConnection& sql) {
        for (int i = 0; i < 3; ++i) {
            sql << "CREATE TABLE others (id BIGINT)";
            sql << "DROP TABLE others";
        }
        EXPECT_FALSE(sql.statements.contains("CREATE TABLE others (id BIGINT)"));
        EXPECT_FALSE(sql.statements.contains("DROP TABLE others"));
    });
}

TEST_F(PreparedStatements, TheyAreBounded)
{
    static constexpr auto max_statements = StatementCache::max_statements;
    connections.read([](DatabaseConnection& sql) {
        for (std::size_t i = 0; i < 2 * max_statements; ++i) {
            long long number = 0;
            for (int run = 0; run < 2; ++run)
                sql << fmt::format("SELECT number + {} FROM words WHERE word = 'one'", i), into(number);
            EXPECT_EQ(number, static_cast<long long>(i + 1));
        }
        EXPECT_EQ(sql.statements.size(), max_statements);
        if (!is_postgres()) return;
        long long statements = 0;
        sql << "SELECT COUNT(*) FROM pg_prepared_statements", into(statements);
        EXPECT_LE(statements, static_cast<long long>(max_statements));
    });
}

TEST_F(PreparedStatements, AChangedSchemaIsSurvived)
{
    const auto read_all = [&] {
        return connections.read([](DatabaseConnection& sql) {
            std::string word, number;
            sql << "SELECT * FROM words WHERE number = 2", into(word), into(number);
            return word + " " + number;
        });
    };
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(read_all(), "two 2");
    connections.write([](DatabaseConnection& sql) {
        sql << "ALTER TABLE words RENAME TO old_words";
        sql << "CREATE TABLE words (word VARCHAR(20), number INTEGER, spare TEXT)";
        sql << "INSERT INTO words (word, number) VALUES ('deux', 2)";
    });
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(read_all(), "deux 2");
}

TEST_F(PreparedStatements, TheyOutliveAFailedTransaction)
{
    for (const auto* const word : {"four", "five"})
        connections.write([&](DatabaseConnection& sql) { insert(sql, word); });
    EXPECT_THROW(connections.write([&](DatabaseConnection& sql) { insert(sql, "four"); }), StorageError);
    EXPECT_THROW(connections.write([&](DatabaseConnection& sql) { insert(sql, "one"); }), StorageError);
    connections.write([&](DatabaseConnection& sql) { insert(sql, "six"); });
    connections.read([](DatabaseConnection& sql) { EXPECT_EQ(find(sql, "six"), 9); });
}

TEST_F(PreparedStatements, AConnectionThatWasEndedIsReplaced)
{
    if (!is_postgres()) GTEST_SKIP() << "ends a connection to PostgreSQL";
    long long process = 0;
    for (int i = 0; i < 3; ++i)
        connections.read([&](DatabaseConnection& sql) {
            find(sql, "two");
            sql << "SELECT pg_backend_pid()", into(process);
        });
    connections.write([&](DatabaseConnection& sql) {
        sql << "SELECT CAST(pg_terminate_backend(:process) AS INTEGER)", into(process), use(process);
    });
    connections.read([](DatabaseConnection& sql) { EXPECT_EQ(find(sql, "two"), 2); });
}

TEST_F(PreparedStatements, StatementsThatTheServerHasForgottenAreSurvived)
{
    if (!is_postgres()) GTEST_SKIP() << "a pooler forgets statements of PostgreSQL";
    for (int i = 0; i < 3; ++i)
        connections.read([](DatabaseConnection& sql) { find(sql, "two"); });
    connections.read([](DatabaseConnection& sql) { sql << "DEALLOCATE ALL"; });
    connections.read([](DatabaseConnection& sql) { EXPECT_EQ(find(sql, "two"), 2); });
}

TEST_F(PreparedStatements, AnOpenStatementIsNotSharedWithANestedOne)
{
    connections.read([](DatabaseConnection& sql) {
        const std::string text = "SELECT word FROM words ORDER BY number";
        std::string word, inner;
        std::vector<std::string> words;
        PreparedStatement rows = (sql.prepare << text, into(word));
        for (rows.execute(); rows.fetch();) {
            PreparedStatement nested = (sql.prepare << text, into(inner));
            nested.execute(true);
            words.push_back(word + " " + inner);
        }
        EXPECT_EQ(words, (std::vector<std::string>{"one one", "two one", "three one"}));
    });
}

TEST_F(PreparedStatements, OneOfWhichNotAllRowsAreReadHoldsNoSnapshot)
{
    const auto count = [&](const char* text) {
        return connections.read([&](DatabaseConnection& sql) {
            long long number = 0;
            sql << text, into(number);
            return number;
        });
    };
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(count("SELECT number FROM words ORDER BY number"), 1); // of three
    connections.write([&](DatabaseConnection& sql) { insert(sql, "four"); });
    EXPECT_EQ(count("SELECT COUNT(*) FROM words"), 4);
    if (!is_postgres()) {
        EXPECT_EQ(count("PRAGMA wal_checkpoint(TRUNCATE)"), 0); // not busy
    }
}

} // namespace
} // namespace vitrine::server
