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
    // Keeps a reference. `strict_transport`: value of Strict-Transport-Security; empty: none.
    explicit CachedResponseWriter(SocketWriter& writer, const std::string& strict_transport = {})
        : writer_(writer),
          fields_(strict_transport.empty() ? "" : "Strict-Transport-Security: " + strict_transport + "\r\n")
    {
    }

    // Sends what the socket has room for and keeps the rest. Precondition: is_sent().
    void send(CacheHit hit, bool head_only, bool keep_alive);
    bool is_sent() const { return !response_ && !writer_.has_unsent(); }
    // Returns false when the peer is gone or too slow.
    asio::awaitable<bool> send_rest();

private:
    SocketWriter& writer_;
    const std::string fields_;      // of every response
    SharedCachedResponse response_; // being sent
    std::string tail_;              // the end of its head; its memory is used again
    std::string rest_;              // what remains of its head
    std::string_view body_;         // what remains of its body
};

} // namespace vitrine::server
