#pragma once
// Whether the peer of a request still waits for the response, asked while the connection's coroutine waits
// for the work.

#include <atomic>

namespace vitrine::server {

// Any thread. Shared by a connection and its requests.
class PeerSocket {
public:
    // `descriptor`: a connected socket. It is not owned. `encrypted`: the last bytes of a peer that leaves
    // are a message of TLS, which nobody reads yet.
    explicit PeerSocket(int descriptor, bool encrypted = false)
        : descriptor_(descriptor), encrypted_(encrypted)
    {
    }
    // The socket is about to be closed.
    void close() { descriptor_ = -1; }

    // Whether the connection is closed or broken.
    bool is_gone() const;
    // Whether it is, or the peer has sent the end of its stream: most have closed their socket, a few wait
    // for the response nevertheless.
    bool has_ended() const;

private:
    std::atomic<int> descriptor_;
    const bool encrypted_;
};

} // namespace vitrine::server
