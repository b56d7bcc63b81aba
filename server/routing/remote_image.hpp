#pragma once
// Images that a process without a device has drawn by a worker: the request itself is handed over, and
// answered there by the handler of its route.

#include <atomic>
#include <cstddef>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "api/problem.hpp"
#include "server/net/http.hpp"
#include "server/routing/route.hpp"
#include "server/services/catalog/catalog.hpp"
#include "server/services/storage/derived_cache.hpp"
#include "server/services/workers/render_queue.hpp"
#include "server/util/single_flight.hpp"
#include "server/util/work_pool.hpp"

namespace vitrine::server {

struct Context; // server/routing/context.hpp

// Thrown on a thread whose pool must not wait for workers: the handler is called again on a thread of
// ImageWaits.
struct WouldBlock {};

// An image that a worker has drawn.
struct RemoteImage {
    SharedBytes bytes;
    std::string content_type;
};

struct ImageWaitLimits {
    unsigned stills = 96;    // threads, each for one request
    unsigned others = 32;    // the same for sequences and large stills
    std::size_t queued = 32; // requests that wait for one of these threads; more are rejected
};
inline constexpr ImageWaitLimits no_image_waits{.stills = 0, .others = 0, .queued = 0};

// The requests of a process without a device that wait for workers: on threads of their own, so that nothing
// else waits behind them.
struct ImageWaits {
    struct Kind {
        Kind(unsigned thread_count, std::size_t queued)
            : limit(thread_count + queued), threads(thread_count, limit)
        {
        }
        const std::size_t limit;
        std::atomic<std::size_t> waiting = 0; // requests, on a thread or before it
        WorkPool threads;                     // last
    };
    explicit ImageWaits(const ImageWaitLimits& limits)
        : stills(limits.stills, limits.queued), others(limits.others, limits.queued)
    {
    }
    std::size_t waiting() const { return stills.waiting + others.waiting; }
    void stop()
    {
        stills.threads.stop();
        others.threads.stop();
    }

    SingleFlight<std::expected<RemoteImage, api::Problem>> images{}; // by digest of the key
    Kind stills, others;                                             // last
};

// Text of a GET request: its path, its parameters, the field Accept, and its trace. `key`: of the image,
// which may be handed over by the derived data that processes share; null: in the answer.
std::string remote_request_text(const Request& request, const DerivedKey* key = nullptr);
// Empty if the text is not one of remote_request_text(), or has no key.
std::optional<Request> parse_remote_request(std::string_view text);
std::optional<DerivedKey> parse_remote_request_key(std::string_view text);
std::string parse_remote_request_trace(std::string_view text); // empty: the request has none
// The same for models that are no assets, whose files are handed over by the store of blobs at `place`
// (BlobStore::hand_over()).
std::string remote_request_text(const Request& request, const std::vector<NewAsset>& models,
                                const std::string& place);
// Empty if the request is for assets.
std::vector<NewAsset> parse_remote_request_models(std::string_view text);
std::string parse_remote_request_place(std::string_view text);
std::vector<std::string> blobs_of(const std::vector<NewAsset>& models);

// The problem of a problem document, as the worker has written it; 503 if it is none.
api::Problem parse_problem(const RemoteRenderResult& outcome);
RemoteRenderResult to_outcome(const api::Problem& problem);

// Calls `answer` on a thread of ImageWaits, with a context in which handlers may wait. `pool`: of the route.
// Problems: render_queue_full.
asio::awaitable<HandlerResult> wait_for_worker(Context& context, Pool pool,
                                               const std::function<HandlerResult(Context&)>& answer);
// Throws WouldBlock unless the handler may block this thread.
void require_blocking_thread(const Context& context);

// What is asked of a worker.
struct RemoteImageRequest {
    std::string id;                  // digest of what the response is made from: equal ones are drawn once
    std::string etag;                // of the response
    const DerivedKey* key = nullptr; // of the image; null: a pick
};

// Returns the response with status 200 and this entity tag that a worker gives to the request. An empty body:
// the image is found in the shared derived data. Blocking, after require_blocking_thread().
std::expected<RemoteRenderResult, api::Problem> draw_remotely(const Request& request, Context& context,
                                                              const AssetRecord& asset,
                                                              const RemoteImageRequest& remote);

} // namespace vitrine::server
