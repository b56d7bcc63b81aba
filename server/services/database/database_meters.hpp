#pragma once
// How long this process holds database connections and waits for them, over all DatabaseConnections, as
// process_families() is of the process. Any thread.

#include <chrono>
#include <cstdint>
#include <vector>

#include <prometheus/metric_family.h>

namespace vitrine::server {

enum class DatabaseOperation : std::uint8_t {
    read,   // the time of a reading connection in use
    write,  // the time of a transaction that writes, with its commit
    commit, // of these the commit
};

enum class DatabaseWait : std::uint8_t {
    connection, // until a connection is free: with SQLite, until the writer before has finished
    lock,       // until the transaction has begun, or a named lock is held
};

void observe(DatabaseOperation operation, std::chrono::steady_clock::duration time);
void observe(DatabaseWait wait, std::chrono::steady_clock::duration time);
void count_connection(bool writes, int change); // opened: 1; closed: -1
void count_repeated_transaction();

// vitrine_database_seconds, vitrine_database_wait_seconds, vitrine_database_connections,
// vitrine_database_repeated_total.
std::vector<prometheus::MetricFamily> database_families();

// Observes the time until its destructor.
template <class Kind>
class DatabaseTimer {
public:
    explicit DatabaseTimer(Kind kind) : kind_(kind) {}
    ~DatabaseTimer() { observe(kind_, std::chrono::steady_clock::now() - begin_); }
    DatabaseTimer(const DatabaseTimer&) = delete;
    DatabaseTimer& operator=(const DatabaseTimer&) = delete;

private:
    const Kind kind_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

} // namespace vitrine::server
