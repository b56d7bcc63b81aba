#pragma once
// Sends answers that need no handler, with one system call if the socket has room. Belongs to one connection.

#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>

#include "server/net/prepared_answer.hpp"
#include "server/net/socket_writer.hpp"

namespace vitrine::server {

class ReadyWriter {
public:
    explicit ReadyWriter(SocketWriter& writer) : writer_(writer) {} // keeps a reference

    // Sends what the socket has room for and keeps the rest. Precondition: is_sent().
    void send(ReadyResponse ready, bool head_only, bool keep_alive);
    bool is_sent() const { return !answer_; }
    // Returns false when the peer is gone or too slow.
    asio::awaitable<bool> send_rest();

private:
    SocketWriter& writer_;
    SharedAnswer answer_;   // being sent
    std::string tail_;      // the end of its head; its memory is used again
    std::string rest_;      // what remains of its head
    std::string_view body_; // what remains of its body
};

} // namespace vitrine::server
