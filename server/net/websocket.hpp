#pragma once
// Connects a WebSocketSession to Beast's WebSocket: handshake, one reader, one writer, pings, timeouts.

#include <functional>
#include <memory>

#include <boost/asio/awaitable.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/message.hpp>

#include "server/net/limits.hpp"
#include "server/net/stream_body.hpp"
#include "server/net/transport/stream.hpp"

namespace vitrine::server {

using UpgradeRequest = boost::beast::http::request<boost::beast::http::buffer_body>;

// Runs on the stream's strand; returns when both sides have closed. The peer may send text messages of up to
// 64 KiB. A peer that answers no ping is disconnected after NetLimits::websocket_idle_time.
asio::awaitable<void> run_websocket(Stream stream, UpgradeRequest request,
                                    std::shared_ptr<WebSocketSession> session, const NetLimits& limits);

} // namespace vitrine::server
