// A database of PostgreSQL without the extension pg_trgm, whose user may not create it. Skipped on SQLite.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "server/util/ids.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"
#include "tests/unit/server/services/support/database.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class CatalogWithoutTrigrams : public ::testing::Test {
protected:
    void SetUp() override
    {
        if (CatalogPlace::database().empty()) GTEST_SKIP() << "needs PostgreSQL: script/with-postgres";
        execute_sql(CatalogPlace::database(), "CREATE ROLE " + name_ + " LOGIN");
        execute_sql(CatalogPlace::database(), "CREATE DATABASE " + name_ + " TEMPLATE template0");
        execute_sql(url_of("vitrine"), "CREATE SCHEMA AUTHORIZATION " + name_);
    }
    void TearDown() override
    {
        if (CatalogPlace::database().empty()) return;
        execute_sql(CatalogPlace::database(), "DROP DATABASE " + name_ + " WITH (FORCE)");
        execute_sql(CatalogPlace::database(), "DROP ROLE " + name_);
    }

    std::string url() const { return url_of(name_); }

private:
    // In place of the database of script/with-postgres, postgres://vitrine@/postgres?host=FOLDER
    std::string url_of(const std::string& user) const
    {
        const auto given = CatalogPlace::database();
        return fmt::format("postgres://{}@/{}{}", user, name_, given.substr(given.find('?')));
    }

    const std::string name_ = new_id("plain");
};

TEST_F(CatalogWithoutTrigrams, SearchesReadAllNames)
{
    Catalog catalog(url());
    EXPECT_THAT(describe_database(url()).value(), HasSubstr("without pg_trgm"));
    for (const auto* name : {"Shark", "Sharkskin", "heron"})
        catalog.create_assets(std::vector{asset_named(name)});
    const auto lease = catalog.claim_job("me", 10s).value();
    catalog.record_metadata(lease, {{.format = "obj", .summary = "{}"}, {.joints = "upperarm\n"}, {}});
    const auto found = [&](const std::string& q) {
        std::vector<std::string> names;
        for (const auto& asset : catalog.list_assets({.q = q, .sort = Sort::relevance}).value().items)
            names.push_back(asset.name);
        return names;
    };
    EXPECT_THAT(found("hark"), UnorderedElementsAre("Shark", "Sharkskin"));
    EXPECT_THAT(found("upper"), ElementsAre(lease.asset.name));
    EXPECT_THAT(found("hreon"), ElementsAre("heron")) << "corrected";
    EXPECT_THAT(found("sh"), UnorderedElementsAre("Shark", "Sharkskin"));
    EXPECT_THAT(found("dragon"), ElementsAre());
    const Catalog second(url()); // does not wait for the index that cannot be made
    EXPECT_EQ(second.asset_count(), 3u);
}

} // namespace
} // namespace vitrine::server::testing
