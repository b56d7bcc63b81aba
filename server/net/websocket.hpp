#pragma once
// The thin part between a SocketSession and Beast's WebSocket: handshake, one reader, one writer, ping, time.

#include <functional>
#include <memory>

#include <boost/asio/awaitable.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/message.hpp>

#include "server/net/limits.hpp"
#include "server/net/stream_body.hpp"

namespace vitrine::server {

using UpgradeRequest = boost::beast::http::request<boost::beast::http::buffer_body>;

// On the stream's strand; returns when both sides are closed. Messages from the peer: text up to 64 KiB. A
// peer that answers no ping is dropped after NetLimits::socket_idle_time.
asio::awaitable<void> run_socket(boost::beast::tcp_stream stream, UpgradeRequest request,
                                 std::shared_ptr<SocketSession> session, const NetLimits& limits);

} // namespace vitrine::server
