#pragma once
// Dependencies of handlers; created by the composition root, outlives every request.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

#include "server/access/cookies.hpp"
#include "server/routing/response_budget.hpp"
#include "server/routing/response_cache.hpp"
#include "server/services/services.hpp"
#include "server/util/upload_limits.hpp"
#include "server/util/work_pool.hpp"

namespace prometheus {
class Registry;
}

namespace vitrine::server {

struct HandlerLimits {
    std::uint64_t max_upload_bytes = 4ull << 30; // bytes, one request
    std::uint64_t min_free_bytes = 256ull << 20; // uploads are rejected while the disk has less free space
    std::size_t max_upload_files = server::max_upload_files; // parts of one request
    std::size_t max_viewers = 32;                            // concurrent live previews
    // Interval of comments in an idle event stream: keeps proxies from closing it and detects disconnected
    // peers.
    std::chrono::milliseconds heartbeat{15'000};
    std::uint32_t max_preview_side = 2048; // pixels
    // For the work of a request that its size does not limit well: several assets in one image, models in the
    // body.
    std::chrono::seconds answer_time{60};
    ResponseBudget::Limits responses;
    std::uint64_t response_cache_bytes = 64ull << 20; // of cached responses
};

struct ImageWaits;  // server/routing/remote_image.hpp
class LinkPool;     // server/link/link_pool.hpp
class RequestRates; // server/routing/request_rates.hpp
class RequestWatch; // server/routing/request_watch.hpp
class SharedFrames; // server/preview/shared_frames.hpp

struct Context {
    Services& services;
    prometheus::Registry& registry;
    WorkPool& catalog_pool;
    WorkPool& scenes_pool;
    WorkPool& exports_pool;
    WorkPool& uploads_pool;   // stores bodies of uploads
    WorkPool& preview_pool;   // encodes preview frames
    WorkPool& passwords_pool; // hashes passwords: each takes a fraction of a second and much memory
    WorkPool& sign_on_pool;   // waits for an identity provider
    SharedFrames& preview_frames;
    ResponseBudget& responses;
    ResponseCache& response_cache;
    RequestWatch& request_watch;
    ImageWaits& image_waits; // used only by a process without a device
    HandlerLimits limits;
    std::filesystem::path data;
    std::filesystem::path blob_folder; // where blobs are files; otherwise `data`
    std::filesystem::path web;         // folder of the built web client; may be absent
    std::atomic<bool>& stopping;
    std::atomic<std::size_t>& viewers;
    RequestRates* rates = nullptr; // null: no limits of requests per time
    LinkPool* links = nullptr;     // where live previews are opened; null: in this process
    std::string link_secret;       // of links to this process; empty: none
    // The model that the request holds, of a copy of the context for this request; null: the path names an
    // asset.
    const AssetRecord* posted = nullptr;
    CookieNames cookies{};    // as the guard's
    bool checks_only = false; // handlers of deferred responses return before they make anything
    bool may_block = false;   // for workers: of a copy for a request on a thread of `image_waits`
};

} // namespace vitrine::server
