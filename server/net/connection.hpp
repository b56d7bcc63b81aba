#pragma once
// One accepted TCP connection: HTTP/1.1 with keep-alive and pipelining, requests one after the other, on one
// strand. It knows framing, limits and time; what a request means is the Handler's.

#include <cstdint>
#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "server/net/http.hpp"
#include "server/net/limits.hpp"
#include "server/util/work_pool.hpp"

namespace vitrine::server {

// What a connection hands its requests to; lives as long as every connection.
class HttpHandler {
public:
    virtual ~HttpHandler() = default;
    // Never throws but PeerDisconnected. `body` is the request's, unread.
    virtual asio::awaitable<Response> handle(Request& request, BodySource& body) = 0;
    // The answer to a request that could not be understood: 400, 408, 414, 431.
    virtual Response refuse(int status, std::string_view why) = 0;
};

class Connection {
public:
    virtual ~Connection() = default;
    // On the connection's strand; returns when the peer is served, never throws.
    virtual asio::awaitable<void> run() = 0;
    // Any thread. Idle: closes; busy: the answer under way is the last, streams end, sockets close with 1001.
    virtual void stop() = 0;
    // Any thread. Closes at once.
    virtual void abort() = 0;
};

// The answer of a server that has too many connections: 503, and a moment for it to arrive.
asio::awaitable<void> reject(asio::ip::tcp::socket socket, const NetLimits& limits, WorkPool& work);

std::shared_ptr<Connection> make_connection(asio::ip::tcp::socket socket, HttpHandler& handler,
                                            const NetLimits& limits, WorkPool& work);

} // namespace vitrine::server
