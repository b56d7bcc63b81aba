#pragma once
// Sends responses that need no handler, with one system call if the socket has room. Belongs to one
// connection.

#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>

#include "server/net/cached_response.hpp"
#include "server/net/socket_writer.hpp"

namespace vitrine::server {

class CachedResponseWriter {
public:
    explicit CachedResponseWriter(SocketWriter& writer) : writer_(writer) {} // keeps a reference

    // Sends what the socket has room for and keeps the rest. Precondition: is_sent().
    void send(CacheHit hit, bool head_only, bool keep_alive);
    bool is_sent() const { return !response_; }
    // Returns false when the peer is gone or too slow.
    asio::awaitable<bool> send_rest();

private:
    SocketWriter& writer_;
    SharedCachedResponse response_; // being sent
    std::string tail_;              // the end of its head; its memory is used again
    std::string rest_;              // what remains of its head
    std::string_view body_;         // what remains of its body
};

} // namespace vitrine::server
