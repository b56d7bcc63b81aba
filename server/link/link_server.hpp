#pragma once
// The worker's end of a link: opens live previews for an API process, and carries their messages.

#include <chrono>
#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "api/problem.hpp"
#include "server/link/link_frames.hpp"
#include "server/net/stream_body.hpp"

namespace vitrine::server {

// A live preview that has not started, or why there is none.
using OpenedPreview = std::expected<std::unique_ptr<WebSocketSession>, api::Problem>;

struct LinkServerOptions {
    std::string secret;
    std::string peer; // for the log
    // Called on the executor of the link; must not block.
    std::function<asio::awaitable<OpenedPreview>(StreamOpen)> open;
    std::size_t max_streams = 1024;
    std::chrono::milliseconds proof_time{5'000}; // until the peer has proved that it knows the secret
};

std::unique_ptr<WebSocketSession> make_link_server(LinkServerOptions options);

} // namespace vitrine::server
