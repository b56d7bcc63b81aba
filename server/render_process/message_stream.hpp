#pragma once
// One end of the socket between the server and a render process. Not thread-safe.

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/worker/files/file_descriptor.hpp"
#include "loaders/worker/protocol/process.hpp"
#include "server/render_process/messages.hpp"

namespace vitrine::render_process {

using worker::Deadline;
using worker::FileDescriptor;

enum class StreamError : std::uint8_t {
    closed,    // the peer has closed its end, or has ended
    timed_out, // the deadline has passed
    invalid    // no message of this protocol and version, or longer than allowed
};

struct ReceivedMessage {
    RenderMessageType type{}; // any number
    std::int64_t work_ns = 0;
    std::string bytes;
    FileDescriptor descriptor; // close-on-exec; if the message had one
};

class MessageStream {
public:
    explicit MessageStream(FileDescriptor socket) : socket_(std::move(socket)) {}

    std::expected<void, StreamError> send(RenderMessageHead head, std::string_view bytes, Deadline deadline,
                                          int descriptor = -1);
    // Without a deadline it waits until the peer sends or closes.
    std::expected<ReceivedMessage, StreamError> receive(std::uint64_t max_bytes,
                                                        std::optional<Deadline> deadline);
    int descriptor() const { return socket_.get(); }
    void close() { socket_.reset(); }

private:
    std::expected<void, StreamError> wait(short events, std::optional<Deadline> deadline) const;
    std::expected<void, StreamError> read(std::span<char> out, std::optional<Deadline> deadline,
                                          FileDescriptor* descriptor);

    FileDescriptor socket_;
};

struct StreamPair {
    FileDescriptor server, process;
};
// Both ends are close-on-exec. Throws std::system_error if no descriptors are left.
StreamPair make_stream_pair();

} // namespace vitrine::render_process
