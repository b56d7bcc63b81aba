#pragma once
// What a SharedDerived and its threads share. Private to this folder.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "server/services/storage/shared_derived.hpp"
#include "server/util/circuit_breaker.hpp"
#include "server/util/work_pool.hpp"

namespace vitrine::server {

struct SharedDerived::State {
    // late: a caller has given up before the first byte.
    enum class FetchState : std::uint8_t { waiting, asked, late, receiving, found, absent };
    enum class Sent : std::uint8_t { stored, known, unusable };
    using Clock = std::chrono::steady_clock;
    // Shared by those who wait for an object.
    using Flight = std::shared_ptr<FetchState>;

    State(std::unique_ptr<DerivedStore> store_, const SharedDerivedOptions& options_,
          const SharedDerivedMetrics& metrics_, LocalTier local_)
        : store(std::move(store_)), options(options_), metrics(metrics_), local(std::move(local_)),
          breaker(options_.first_pause)
    {
        metrics.is_available.Set(1);
    }

    bool is_remembered_missing(const std::string& digest);
    void remember_missing(const std::string& digest);
    Flight begin_fetch(const std::string& digest, Ask ask);
    bool await(const Flight& flight);
    void set(const Flight& flight, FetchState state);
    void run_fetch(const std::string& digest, const Flight& flight);
    std::optional<bool> copy(const std::string& digest, const Flight& flight,
                             const std::filesystem::path& to);
    bool receive(const std::string& digest, const Flight& flight);
    Sent send(const std::string& digest);
    void send_offered(const std::string& digest);
    void collect_if_due();
    void collect(char first_digit);
    void note_success();
    void note_failure(std::string_view why);

    const std::unique_ptr<DerivedStore> store;
    const SharedDerivedOptions options;
    const SharedDerivedMetrics metrics;
    const LocalTier local;
    CircuitBreaker breaker;
    std::atomic<bool> stopping = false;
    std::atomic<std::uint64_t> stored_bytes = 0; // since the last collection
    std::mutex mutex;                            // guards the members below
    std::condition_variable_any changed;         // the state of a fetch
    std::unordered_map<std::string, Flight> fetches;
    std::unordered_map<std::string, Clock::time_point> missing; // until when
    std::unordered_set<std::string> offered;                    // that wait
    WorkPool fetching{4, 64};                                   // last: their tasks use the others
    WorkPool storing{2, 1024};
};

} // namespace vitrine::server
