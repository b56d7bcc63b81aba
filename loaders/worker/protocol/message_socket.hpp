#pragma once
// One end of the socket between parent and loader process. Sends complete messages (SOCK_SEQPACKET) with
// descriptors. Not thread-safe.

#include <memory>
#include <span>
#include <vector>

#include "loaders/worker/files/file_descriptor.hpp"
#include "loaders/worker/protocol/protocol.hpp"

namespace vitrine::worker {

enum class Wait { yes, no };

enum class ReceiveStatus {
    message,
    nothing, // no message, with Wait::no
    closed,  // the peer has closed the socket
    broken,  // invalid message: too long, too short, unknown type
};

struct Incoming {
    ReceiveStatus status = ReceiveStatus::closed;
    Message message;
    std::vector<FileDescriptor> descriptors; // close-on-exec
};

class MessageSocket {
public:
    explicit MessageSocket(FileDescriptor socket) : socket_(std::move(socket)) {}

    // Returns false if the peer has closed the socket or, with Wait::no, does not read.
    bool send(const Message& message, std::span<const int> descriptors = {}, Wait wait = Wait::yes);
    Incoming receive(Wait wait);
    int descriptor() const { return socket_.get(); }

private:
    FileDescriptor socket_;
    std::unique_ptr<char[]> buffer_; // of the longest message; allocated by the first receive()
};

struct SocketPair {
    FileDescriptor parent, child;
};
// Both close-on-exec. Throws std::system_error if no descriptors are left.
SocketPair make_socket_pair();

} // namespace vitrine::worker
