#include "server/services/database/database_meters.hpp"

#include <array>
#include <cstddef>
#include <string>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>

namespace vitrine::server {
namespace {

using prometheus::ClientMetric;
using prometheus::Histogram;

Histogram make_histogram()
{
    return Histogram({0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10});
}

struct Meters {
    std::array<Histogram, 3> operations{make_histogram(), make_histogram(), make_histogram()};
    std::array<Histogram, 2> waits{make_histogram(), make_histogram()};
    std::array<prometheus::Gauge, 2> connections; // that read, that write
    prometheus::Counter repeated;
};

Meters& meters()
{
    static Meters all;
    return all;
}

double to_seconds(std::chrono::steady_clock::duration time)
{
    return std::chrono::duration<double>(time).count();
}

ClientMetric labeled(ClientMetric metric, const std::string& name, const std::string& value)
{
    metric.label = {{name, value}};
    return metric;
}

} // namespace

void observe(DatabaseOperation operation, std::chrono::steady_clock::duration time)
{
    meters().operations[static_cast<std::size_t>(operation)].Observe(to_seconds(time));
}

void observe(DatabaseWait wait, std::chrono::steady_clock::duration time)
{
    meters().waits[static_cast<std::size_t>(wait)].Observe(to_seconds(time));
}

void count_connection(bool writes, int change)
{
    meters().connections[writes ? 1 : 0].Increment(change);
}

void count_repeated_transaction()
{
    meters().repeated.Increment();
}

std::vector<prometheus::MetricFamily> database_families()
{
    const auto& all = meters();
    return {{"vitrine_database_seconds",
             "Time of reads, of transactions that write, and of their commits",
             prometheus::MetricType::Histogram,
             {labeled(all.operations[0].Collect(), "operation", "read"),
              labeled(all.operations[1].Collect(), "operation", "write"),
              labeled(all.operations[2].Collect(), "operation", "commit")}},
            {"vitrine_database_wait_seconds",
             "Time in which work waited for a free connection, and for a lock of the database",
             prometheus::MetricType::Histogram,
             {labeled(all.waits[0].Collect(), "reason", "connection"),
              labeled(all.waits[1].Collect(), "reason", "lock")}},
            {"vitrine_database_connections",
             "Open connections to the database",
             prometheus::MetricType::Gauge,
             {labeled(all.connections[0].Collect(), "use", "read"),
              labeled(all.connections[1].Collect(), "use", "write")}},
            {"vitrine_database_repeated_total",
             "Work that was repeated because of another transaction or a lost connection",
             prometheus::MetricType::Counter,
             {all.repeated.Collect()}}};
}

} // namespace vitrine::server
