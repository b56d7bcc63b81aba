#pragma once
// One accepted connection: HTTP/1.1 with keep-alive and pipelining, one request at a time, on one strand.
// Handles framing, limits and timeouts; the HttpHandler handles requests.

#include <cstdint>
#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "server/net/http.hpp"
#include "server/net/limits.hpp"
#include "server/net/transport/stream.hpp"
#include "server/util/work_pool.hpp"

namespace vitrine::server {

// Handles the requests of all connections; outlives them.
class HttpHandler {
public:
    virtual ~HttpHandler() = default;
    // Throws only PeerDisconnected. `body` is the unread body of the request.
    virtual asio::awaitable<Response> handle(Request& request, BodySource& body) = 0;
    // Returns the response to a request that could not be parsed: 400, 408, 414, 431.
    virtual Response reject(int status, std::string_view why) = 0;
    // Returns what to send to a request that needs neither a handler nor its body; without one handle()
    // is called instead. `request` has only method, fields and the facts about its peer, `target` is as sent.
    // Must not wait.
    virtual CacheHit find_cached(const Request& /*request*/, std::string_view /*target*/) { return {}; }
};

class Connection {
public:
    virtual ~Connection() = default;
    // Of a stream with TLS, before run() and like it: performs the handshake. Returns what is wrong; empty:
    // nothing. After a failure, the connection is closed.
    virtual asio::awaitable<std::string> handshake() = 0;
    // Any thread. Ends the handshake, and with it the connection, unless it has ended already.
    virtual void displace_handshake() = 0;
    virtual const std::shared_ptr<const Peer>& peer() const = 0;
    // Runs on the connection's strand; returns when the connection is closed. Never throws.
    virtual asio::awaitable<void> run() = 0;
    // Any thread. Closes an idle connection; a busy one finishes its response, ends streams, and closes
    // WebSockets with 1001.
    virtual void stop() = 0;
    // Any thread. Closes immediately.
    virtual void abort() = 0;
};

std::shared_ptr<Connection> make_connection(Stream stream, HttpHandler& handler, const NetLimits& limits,
                                            WorkPool& work);

} // namespace vitrine::server
