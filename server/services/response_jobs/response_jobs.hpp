#pragma once
// Responses that are made after their requests were answered (Prefer: respond-async, RFC 7240). Each is a
// row, which every process of the catalog shows, and is made by the process that has taken the request. What
// is made is found by the same request in the derived files, or else is kept there (kept_answers.hpp). Any
// thread, blocking. Throws StorageError.

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
#include "server/services/response_jobs/kept_answers.hpp"
#include "server/util/clock.hpp"
#include "server/util/error.hpp"
#include "server/util/work_pool.hpp"

namespace prometheus {
class Gauge;
}

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

// What is asked for.
struct DeferredRequest {
    std::string target;         // path and query
    std::string method = "GET"; // of others the answer is kept
    std::string principal{};    // to_text() of who has sent it
};

struct ResponseJob {
    std::string id;
    DeferredRequest request;
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

    // Makes the response of the job with this id, and drops or keeps it; returns the JSON of its problem, or
    // nothing. May throw Stopped (loaders/base/stop.hpp), nothing else.
    using Work = std::function<std::string(const std::string& id)>;

    // All outlive it.
    ResponseJobs(DatabaseConnections& database, DerivedCache& derived, prometheus::Registry& registry);
    ~ResponseJobs(); // stop()
    ResponseJobs(const ResponseJobs&) = delete;
    ResponseJobs& operator=(const ResponseJobs&) = delete;

    // `work` runs later, once, on a thread of this object, and is stopped after `limit`. Errors: busy
    // ("server_busy": max_waiting wait).
    Result<ResponseJob> start(const DeferredRequest& request, std::chrono::milliseconds limit, Work work);
    // One of another process of this machine that has ended has failed. Errors: not_found ("no_job").
    Result<ResponseJob> find(const std::string& id) const;
    // Stops it if this process makes it; another one drops what it makes. Errors: also conflict
    // ("job_finished").
    Result<ResponseJob> cancel(const std::string& id);
    // What has not ended fails.
    void stop();
    KeptAnswers& answers() { return answers_; }

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
    void insert(const ResponseJob& job);
    void end(const std::string& id, const std::string& problem) const;

    DatabaseConnections& database_;
    KeptAnswers answers_;
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
