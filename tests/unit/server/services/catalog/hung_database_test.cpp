// A PostgreSQL that hangs while its connections live. Skipped on SQLite, which has no server.

#include <future>

#include <gmock/gmock.h>

#include "server/services/database/database_connections.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/processes/stopped_postgres.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using test::eventually;
using ::testing::AnyOf;
using ::testing::HasSubstr;

struct Ending {
    std::string error; // of a StorageError that is `unavailable`; "-": there was none
    Clock::duration time{};
};

template <class Work>
Ending end_of(Work work)
{
    const auto begin = Clock::now();
    try {
        work();
    } catch (const StorageError& error) {
        const bool is_away = error.kind == StorageError::Kind::unavailable;
        return {is_away ? error.what() : "wrong kind: " + std::string(error.what()), Clock::now() - begin};
    }
    return {"-", Clock::now() - begin};
}

class CatalogOnHungDatabase : public CatalogTest {
protected:
    void SetUp() override
    {
        if (CatalogPlace::database().empty()) GTEST_SKIP() << "needs PostgreSQL: script/with-postgres";
    }

    // 5 s of silence, then a new connection for the question.
    static constexpr auto max_ending_time = 12s;
    const std::string url = location() + "&connect_timeout=2";
};

TEST_F(CatalogOnHungDatabase, EndsReadsWritesAndCommits)
{
    Catalog hung(url);
    DatabaseConnections connections(make_dialect(url), 2);
    connections.write([](DatabaseConnection& sql) { sql << "CREATE TABLE numbers (n INTEGER)"; });
    const auto fish = add("fish").id;
    ASSERT_EQ(hung.find_asset(fish)->name, "fish"); // on an open connection
    std::promise<void> before_commit, stopped;
    auto commit = std::async(std::launch::async, [&] {
        return end_of([&] {
            connections.write([&](DatabaseConnection& sql) {
                sql << "INSERT INTO numbers (n) VALUES (1)";
                before_commit.set_value();
                stopped.get_future().wait();
            });
        });
    });
    before_commit.get_future().wait();
    test::StoppedPostgres postgres(CatalogPlace::database());
    ASSERT_TRUE(postgres.is_stopped());
    stopped.set_value();
    auto write = std::async(std::launch::async,
                            [&] { return end_of([&] { (void)hung.change_asset(fish, {.name = "cod"}); }); });
    const auto read = end_of([&] { (void)hung.find_asset(fish); });
    for (const auto& ending : {read, write.get(), commit.get()}) {
        EXPECT_THAT(ending.error, AnyOf(HasSubstr("does not answer"), HasSubstr("timeout expired"),
                                        HasSubstr("cannot be reached")));
        EXPECT_LT(ending.time, max_ending_time);
    }
    EXPECT_LT(end_of([&] { (void)hung.find_asset(fish); }).time, 4s) << "it is known to be away";
    postgres.go_on();
    EXPECT_TRUE(eventually([&] { return end_of([&] { (void)hung.find_asset(fish); }).error == "-"; }, 20s));
    EXPECT_EQ(hung.change_asset(fish, {.name = "herring"})->name, "herring");
}

TEST_F(CatalogOnHungDatabase, IsLeftAtOnceAtTheEnd)
{
    auto hung = std::make_unique<Catalog>(url);
    const auto fish = add("fish").id;
    ASSERT_EQ(hung->find_asset(fish)->name, "fish");
    ASSERT_EQ(hung->change_asset(fish, {.name = "cod"})->name, "cod");
    test::StoppedPostgres postgres(CatalogPlace::database());
    ASSERT_TRUE(postgres.is_stopped());
    const auto begin = Clock::now();
    hung.reset();
    EXPECT_LT(Clock::now() - begin, 10s);
}

// The server answers others: one statement takes too long.
TEST_F(CatalogOnHungDatabase, LimitsOneStatement)
{
    DatabaseConnections connections(make_dialect(url), 1);
    const auto sleep = [&](const char* time) {
        connections.write([&](DatabaseConnection& sql) {
            sql << "INSERT INTO catalog_settings (name, value) VALUES ('slept', '1') ON CONFLICT (name) DO "
                   "NOTHING";
            std::string ignored;
            sql << std::string("SELECT CAST(pg_sleep(") + time + ") AS TEXT)", soci::into(ignored);
        });
    };
    EXPECT_EQ(end_of([&] { sleep("6"); }).error, "-") << "longer than a silent server is waited for";
    const StatementLimit limit(1s);
    EXPECT_EQ(end_of([&] { sleep("0.1"); }).error, "-");
    const auto ending = end_of([&] {
        connections.read([](DatabaseConnection& sql) {
            std::string ignored;
            sql << "SELECT CAST(pg_sleep(30) AS TEXT)", soci::into(ignored);
        });
    });
    EXPECT_THAT(ending.error, HasSubstr("did not finish a statement within 1s"));
    EXPECT_LT(ending.time, 5s) << "it is not repeated";
}

} // namespace
} // namespace vitrine::server::testing
