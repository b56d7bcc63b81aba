#pragma once
// The links of an API process, one for each worker: opened when a viewer needs it, closed when it has been
// idle for a minute, opened again after a pause that grows with each failure.

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <prometheus/registry.h>

#include "api/problem.hpp"
#include "api/worker_json.hpp"
#include "server/link/link_client.hpp"
#include "server/net/stream_body.hpp"

namespace vitrine::server {

// A worker at which a preview may be opened.
struct LinkTarget {
    std::string worker;  // id
    std::string address; // "https://10.0.0.5:8443", "http://..." or "unix:/run/vitrine.sock"
};
// Those that may show the model, in the order of preference. Blocking; throws StorageError.
using FindLinkTargets = std::function<std::vector<LinkTarget>(const std::string& content_hash)>;

class WorkerDirectory; // server/services/workers/worker_directory.hpp

// Those with room as choose_worker() prefers them, then the full ones and those that had no device at their
// last heartbeat: since then a place may be free, or the device ready. They have the right answer if not.
std::vector<LinkTarget> order_targets(std::string_view content_hash, std::vector<api::Worker> workers);
// Among the workers of the directory that are alive. It outlives the result.
FindLinkTargets find_in(WorkerDirectory& directory);

struct WorkerUnreachable {};
// The session of the viewer's WebSocket; or the worker's problem.
using RelayedPreview = std::variant<std::unique_ptr<WebSocketSession>, api::Problem, WorkerUnreachable>;

struct LinkPoolOptions {
    std::string secret;
    FindLinkTargets find;
    std::filesystem::path authorities{}; // of workers with TLS (PEM); empty: those of the system
    LinkClient::Times times{};
    std::chrono::milliseconds connect_time{1'000}; // with TLS, and again for the WebSocket
    std::chrono::milliseconds alive_time{3'000};   // a worker that is silent for so long counts as gone
    std::chrono::milliseconds first_pause{250};    // after a failure; doubles up to max_pause
    std::chrono::milliseconds max_pause{4'000};
};

class LinkPool {
public:
    // The links run on `executor`, which is run by one thread and outlives the pool.
    LinkPool(asio::any_io_executor executor, LinkPoolOptions options, prometheus::Registry& registry);
    ~LinkPool();
    LinkPool(const LinkPool&) = delete;
    LinkPool& operator=(const LinkPool&) = delete;

    // Any thread, blocking.
    std::vector<LinkTarget> find(const std::string& content_hash) const;
    // Opens a preview at the worker. Resumes on the caller's executor.
    asio::awaitable<RelayedPreview> open(LinkTarget target, StreamOpen open);
    // Any thread. Closes all links and their previews with 1001, and ends what waits for a worker: it is
    // unreachable from now on.
    void stop();

private:
    class State;
    std::shared_ptr<State> state_;
};

} // namespace vitrine::server
