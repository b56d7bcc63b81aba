#pragma once
// Images that processes without a device ask of workers, as rows of the database. Equal requests of all
// processes are one row. A claim has a lease and a number; what a worker writes is fenced by the number. A
// request that nobody waits for any more is not drawn. Any thread, blocking. Throws StorageError.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/util/error.hpp"

namespace vitrine::server {

class DatabaseConnections; // server/services/database/database_connections.hpp

// Signals (server/services/database/signals.hpp): a request was queued; one was answered (text: its id).
inline constexpr const char* render_queued_topic = "draws";
inline constexpr const char* render_done_topic = "drawn";

struct RemoteRender {
    std::string id;    // digest of the image's key in the derived data and of the asset: equal ones are one
    std::string model; // quarantine_group() of the model
    std::string preferred{};    // id of the worker that may claim it at once; empty: all
    std::string request;        // what the worker answers; at most RenderQueueLimits::max_request_bytes
    std::uint32_t priority = 0; // lower ones come first
    std::string etag{};         // entity tag of what must be drawn
};

// The response of the worker.
struct RemoteRenderResult {
    int status = 200;         // of HTTP; 400 and more: the body is a problem document
    std::string content_type; // of the body
    std::string body;
    std::string etag{}; // entity tag of what the worker has drawn; empty: it does not say
};

struct RenderClaim {
    std::string id;
    std::string request;
    std::int64_t claim = 0;     // unique among the claims of the request
    bool is_alone = false;      // a worker has ended while it drew this: nothing else is drawn beside it
    std::uint32_t priority = 0; // RemoteRender::priority
};

struct RenderQueueLimits {
    std::size_t max_queued = 4096; // rows
    std::size_t max_request_bytes = 512 * 1024;
    std::size_t max_body_bytes = 64 << 20;
    std::chrono::milliseconds wanted{6'000}; // after the last keep() nobody waits any more
    std::chrono::milliseconds wanted_after_leave{
        3'000};                             // the same after leave(): others call keep() until then
    std::chrono::milliseconds lease{6'000}; // of a worker, after the last renew()
    std::chrono::milliseconds grace{150};   // after which other workers than the preferred one may claim
    // In which a worker that has drawn something else than was asked for leaves the request to others.
    std::chrono::milliseconds avoid{1'000};
    std::chrono::milliseconds alone{2'000}; // a request that must be drawn alone waits until it is reserved
    std::chrono::milliseconds keep{15'000}; // answers, for those that wait for them
    std::chrono::hours quarantine{24};      // of a model
    std::int64_t max_losses = 2;            // of workers, until the model is quarantined
    // Models in quarantine; for a further one, the one that was quarantined first is drawn again.
    std::int64_t max_quarantined = 10'000;
};

class RenderQueue {
public:
    // `database` outlives the queue.
    explicit RenderQueue(DatabaseConnections& database, const RenderQueueLimits& limits = {});

    // Queues the image, or joins the one that is queued, drawn or has just succeeded. One that has another
    // entity tag than the request is drawn again, by another worker if there is one. Errors: busy
    // ("render_queue_full"), unprocessable ("render_quarantined"), too_large.
    Result<void> ask(const RemoteRender& render);
    // Somebody still waits. Returns false if the request is not in the queue any more.
    bool keep(const std::string& id);
    void leave(const std::string& id); // one of those that wait does not wait any more
    std::optional<RemoteRenderResult> find_outcome(const std::string& id) const;

    // Claims the request whose turn it is, of those whose priority is not above. `alone`: the worker draws
    // nothing else now.
    std::optional<RenderClaim> claim(const std::string& worker, bool alone,
                                     std::uint32_t max_priority = std::numeric_limits<std::uint32_t>::max());
    // Reserves a request that must be drawn alone and has waited for long: for a lease, no other worker
    // claims it. Returns false if there is none; call it again until claim(worker, true) returns it.
    bool reserve(const std::string& worker);
    // Renews the leases of its claims. Returns those for which nobody waits any more: id and
    // RenderClaim::claim.
    std::vector<std::pair<std::string, std::int64_t>> renew(const std::string& worker);
    // Returns false if the claim is not held any more; nothing was written then.
    bool finish(const RenderClaim& claim, const RemoteRenderResult& outcome);
    void give_back(const RenderClaim& claim); // queued again, for the case that somebody waits again
    void release(const std::string& worker);  // for a stop: its claims are queued again

    // Queues requests again whose lease has expired, quarantines their model the second time, and removes
    // what nobody waits for. Every worker calls it now and then.
    void tidy();
    // A model has made devices fail: no process draws it.
    void quarantine(const std::string& model);
    void lift_quarantine(const std::vector<std::string>& models);
    std::vector<std::string> quarantined() const; // all models
    std::size_t length() const;                   // of requests that wait for a worker

private:
    DatabaseConnections& database_;
    const RenderQueueLimits limits_;
};

} // namespace vitrine::server
