#pragma once
// Connects a WebSocketSession to Beast's WebSocket, as server or client: handshake, one reader, one writer,
// pings, timeouts.

#include <chrono>
#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/message.hpp>

#include "server/net/http.hpp"
#include "server/net/limits.hpp"
#include "server/net/stream_body.hpp"
#include "server/net/transport/stream.hpp"

namespace vitrine::server {

// Whether the client asks for a WebSocket: Upgrade names it.
bool wants_websocket(const Request& request);
// Precondition: wants_websocket(). Returns whether the client speaks the version of RFC 6455.
bool has_websocket_version(const Request& request);
// Precondition: wants_websocket(). Returns what is wrong with the rest of the handshake (RFC 6455, 4.2.1) in
// one sentence; empty: nothing.
std::string_view handshake_error(const Request& request);
// Whether a field that is a list has `token`, by its case.
bool contains_token(std::string_view field, std::string_view token);

using UpgradeRequest = boost::beast::http::request<boost::beast::http::buffer_body>;

// Runs on the stream's strand; returns when both sides have closed. The peer may send text messages of up to
// 64 KiB. A peer that answers no ping is disconnected after NetLimits::websocket_idle_time.
asio::awaitable<void> run_websocket(Stream stream, UpgradeRequest request,
                                    std::shared_ptr<WebSocketSession> session, const NetLimits& limits);

struct WebSocketTarget {
    std::string host; // value of the field Host
    std::string path; // "/internal/link"
    std::chrono::milliseconds handshake_time{2'000};
    std::chrono::milliseconds idle_time{3'000}; // as NetLimits::websocket_idle_time
};

// The same as the client that asks for the WebSocket, of a connected stream. Returns why it has ended, also
// if it did not begin; start() is not called then, disconnect() is.
asio::awaitable<std::string> run_websocket_client(Stream stream, WebSocketTarget target,
                                                  std::shared_ptr<WebSocketSession> session);

} // namespace vitrine::server
