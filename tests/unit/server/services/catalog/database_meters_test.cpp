// What the meters of the database count.

#include "server/services/database/database_meters.hpp"

#include <algorithm>

#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

// The metric of a family with this value of its label.
prometheus::ClientMetric find_metric(const std::string& family, const std::string& label)
{
    for (const auto& one : database_families())
        if (one.name == family)
            for (const auto& metric : one.metric)
                if (metric.label.empty() || metric.label.front().value == label) return metric;
    ADD_FAILURE() << family << " has no " << label;
    return {};
}

std::uint64_t count_of(const std::string& family, const std::string& label)
{
    return find_metric(family, label).histogram.sample_count;
}

class CatalogDatabaseMeters : public CatalogTest {};

TEST_F(CatalogDatabaseMeters, CountReadsWritesAndCommits)
{
    auto& connections = catalog.connections();
    const auto reads = count_of("vitrine_database_seconds", "read"),
               writes = count_of("vitrine_database_seconds", "write"),
               commits = count_of("vitrine_database_seconds", "commit"),
               locks = count_of("vitrine_database_wait_seconds", "lock"),
               waits = count_of("vitrine_database_wait_seconds", "connection");
    connections.read([](DatabaseConnection&) {});
    EXPECT_EQ(count_of("vitrine_database_seconds", "read"), reads + 1);
    connections.write([](DatabaseConnection&) {});
    EXPECT_EQ(count_of("vitrine_database_seconds", "write"), writes + 1);
    EXPECT_EQ(count_of("vitrine_database_seconds", "commit"), commits + 1);
    EXPECT_EQ(count_of("vitrine_database_wait_seconds", "lock"), locks + 1);
    EXPECT_EQ(count_of("vitrine_database_wait_seconds", "connection"), waits + 2);
    EXPECT_THROW(connections.write([](DatabaseConnection&) { throw std::runtime_error("undone"); }),
                 std::runtime_error);
    EXPECT_EQ(count_of("vitrine_database_seconds", "commit"), commits + 1) << "nothing was committed";
    EXPECT_EQ(count_of("vitrine_database_seconds", "write"), writes + 2);
}

TEST_F(CatalogDatabaseMeters, CountOpenConnections)
{
    const auto open = [] { return find_metric("vitrine_database_connections", "write").gauge.value; };
    catalog.connections().write([](DatabaseConnection&) {});
    const double before = open();
    EXPECT_GE(before, 1.0);
    {
        const Catalog other(folder() / "other.sqlite");
        EXPECT_GE(open(), before + 1.0);
    }
    EXPECT_EQ(open(), before);
}

} // namespace
} // namespace vitrine::server::testing
