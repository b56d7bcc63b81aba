#pragma once
// Images that processes without a device ask of workers, as rows of the database. Equal requests of all
// processes are one row. A claim has a lease and a number; what a worker writes is fenced by the number. A
// request that nobody waits for any more is not drawn. Any thread, blocking. Throws StorageError.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/util/error.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

// Signals (server/services/database/signals.hpp): a request was queued; one was answered (text: its id).
inline constexpr const char* draws_topic = "draws";
inline constexpr const char* drawn_topic = "drawn";

struct DrawOrder {
    std::string id;             // digest of the key of the image in the derived data: equal orders are one
    std::string model;          // quarantine_group() of the model
    std::string preferred{};    // id of the worker that may claim it at once; empty: all
    std::string request;        // what the worker answers; at most RenderQueueLimits::max_request_bytes
    std::uint32_t priority = 0; // lower ones come first
};

// The response of the worker.
struct DrawOutcome {
    int status = 200;         // of HTTP; 400 and more: the body is a problem document
    std::string content_type; // of the body
    std::string body;
};

struct DrawClaim {
    std::string id;
    std::string request;
    std::int64_t claim = 0; // unique among the claims of the request
    bool is_alone = false;  // a worker has ended while it drew this: nothing else is drawn beside it
};

struct RenderQueueLimits {
    std::size_t max_queued = 4096; // rows
    std::size_t max_request_bytes = 512 * 1024;
    std::size_t max_body_bytes = 64 << 20;
    std::chrono::milliseconds wanted{6'000}; // after the last keep() nobody waits any more
    std::chrono::milliseconds lease{6'000};  // of a worker, after the last renew()
    std::chrono::milliseconds grace{150};    // after which other workers than the preferred one may claim
    std::chrono::milliseconds keep{15'000};  // answers, for those that wait for them
    std::chrono::hours quarantine{24};       // of a model
    std::int64_t max_losses = 2;             // of workers, until the model is quarantined
};

class RenderQueue {
public:
    // `database` outlives the queue.
    explicit RenderQueue(DatabaseConnections& database, const RenderQueueLimits& limits = {});

    // Queues the order, or joins the one that is queued, drawn or has just succeeded. Errors: busy
    // ("render_queue_full"), unprocessable ("render_quarantined"), too_large.
    Result<void> ask(const DrawOrder& order);
    // Somebody still waits. Returns false if the request is not in the queue any more.
    bool keep(const std::string& id);
    std::optional<DrawOutcome> find_outcome(const std::string& id) const;

    // Claims the request whose turn it is. `alone`: the worker draws nothing else now.
    std::optional<DrawClaim> claim(const std::string& worker, bool alone);
    void renew(const std::string& worker); // the leases of its claims for which somebody waits
    // Returns false if the claim is not held any more; nothing was written then.
    bool finish(const DrawClaim& claim, const DrawOutcome& outcome);
    void release(const std::string& worker); // for a stop: its claims are queued again

    // Queues requests again whose lease has expired, quarantines their model the second time, and removes
    // what nobody waits for. Every worker calls it now and then.
    void tidy();
    // A model has made devices fail: no process draws it.
    void quarantine(const std::string& model);
    void lift_quarantine(const std::string& model);
    std::vector<std::string> quarantined() const; // models
    std::size_t length() const;                   // of requests that wait for a worker

private:
    DatabaseConnections& database_;
    const RenderQueueLimits limits_;
};

} // namespace vitrine::server
