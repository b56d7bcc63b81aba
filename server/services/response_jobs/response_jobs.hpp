#pragma once
// Responses that are made after their requests were answered (Prefer: respond-async, RFC 7240). Each is a
// row, which every process of the catalog shows, and is made by the process that has taken the request. What
// is made is found by the same request in the derived files. Any thread, blocking. Throws StorageError.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include <prometheus/registry.h>

#include "api/resources.hpp"
#include "server/util/clock.hpp"
#include "server/util/error.hpp"
#include "server/util/work_pool.hpp"

namespace prometheus {
class Gauge;
}

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

struct ResponseJob {
    std::string id;
    std::string target; // path and query of the request
    api::JobState state = api::JobState::queued;
    std::string problem{}; // JSON of the problem; empty: none
    Micros created = 0;
    Micros started = 0, finished = 0; // 0: not yet
};

bool is_response_job(std::string_view id);

class ResponseJobs {
public:
    static constexpr unsigned threads = 2;
    static constexpr std::size_t max_waiting = 32; // of this process, besides those that run
    static constexpr std::chrono::hours retention{1};
    static constexpr long long max_kept = 10'000;

    // Makes the response and drops it; returns the JSON of its problem, or nothing. May throw Stopped
    // (loaders/base/stop.hpp), nothing else.
    using Work = std::function<std::string()>;

    // Both outlive it.
    ResponseJobs(DatabaseConnections& database, prometheus::Registry& registry);
    ~ResponseJobs(); // stop()
    ResponseJobs(const ResponseJobs&) = delete;
    ResponseJobs& operator=(const ResponseJobs&) = delete;

    // `work` runs later, once, on a thread of this object, and is stopped after `limit`. Errors: busy
    // ("server_busy": max_waiting wait).
    Result<ResponseJob> start(const std::string& target, std::chrono::milliseconds limit, Work work);
    // One of another process of this machine that has ended has failed. Errors: not_found ("no_job").
    Result<ResponseJob> find(const std::string& id) const;
    // Stops it if this process makes it; another one drops what it makes. Errors: also conflict
    // ("job_finished").
    Result<ResponseJob> cancel(const std::string& id);
    // What has not ended fails.
    void stop();

private:
    using Clock = std::chrono::steady_clock;
    struct Waiting {
        std::string id, trace;
        std::chrono::milliseconds limit;
        Work work;
    };
    struct Running {
        std::string id;
        Clock::time_point end;
        bool is_late = false;
        std::stop_source stop{};
    };
    class RunningEntry; // of one, in running_

    void run(const Waiting& job);
    std::string make(const Waiting& job);
    void watch(const std::stop_token& stop);
    void insert(const ResponseJob& job) const;
    void end(const std::string& id, const std::string& problem) const;

    DatabaseConnections& database_;
    prometheus::Gauge& waiting_gauge_;
    std::atomic<std::size_t> waiting_ = 0;
    std::mutex mutex_; // guards the next two
    std::list<Running> running_;
    bool stopping_ = false;
    std::condition_variable_any changed_;
    std::jthread watch_;
    WorkPool pool_; // last
};

} // namespace vitrine::server
