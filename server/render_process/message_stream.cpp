#include "server/render_process/message_stream.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>

#include "loaders/worker/protocol/passed_descriptors.hpp"

namespace vitrine::render_process {
namespace {

bool would_block()
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

} // namespace

std::expected<void, StreamError> MessageStream::wait(short events, std::optional<Deadline> deadline) const
{
    pollfd ready{socket_.get(), events, 0};
    int count = 0;
    do
        count = ::poll(&ready, 1, deadline ? worker::milliseconds_until(*deadline) : -1);
    while (count < 0 && errno == EINTR);
    if (count == 0) return std::unexpected(StreamError::timed_out);
    if (count < 0) return std::unexpected(StreamError::closed);
    return {};
}

std::expected<void, StreamError> MessageStream::send(RenderMessageHead head, std::string_view bytes,
                                                     Deadline deadline, int descriptor)
{
    head.size_bytes = bytes.size();
    std::string all(reinterpret_cast<const char*>(&head), sizeof head);
    all += bytes;
    worker::ControlBuffer control;
    for (std::size_t at = 0; at < all.size();) {
        iovec part{all.data() + at, all.size() - at};
        msghdr header{};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        if (at == 0 && descriptor >= 0)
            worker::attach_descriptors(header, control, std::span(&descriptor, 1));
        const auto sent = ::sendmsg(socket_.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0)
            at += static_cast<std::size_t>(sent);
        else if (!would_block())
            return std::unexpected(StreamError::closed);
        else if (auto ready = wait(POLLOUT, deadline); !ready)
            return ready;
    }
    return {};
}

// `descriptor`: receives the one that comes with the bytes; null: descriptors are rejected.
std::expected<void, StreamError> MessageStream::read(std::span<char> out, std::optional<Deadline> deadline,
                                                     FileDescriptor* descriptor)
{
    while (!out.empty()) {
        iovec part{out.data(), out.size()};
        worker::ControlBuffer control;
        msghdr header{};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        if (descriptor != nullptr) worker::accept_descriptors(header, control);
        const auto got = ::recvmsg(socket_.get(), &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
        if (got == 0 || (got < 0 && !would_block())) return std::unexpected(StreamError::closed);
        if (got > 0) {
            for (auto& taken : worker::take_descriptors(header))
                *descriptor = std::move(taken);
            out = out.subspan(static_cast<std::size_t>(got));
        } else if (auto ready = wait(POLLIN, deadline); !ready) {
            return ready;
        }
    }
    return {};
}

std::expected<ReceivedMessage, StreamError> MessageStream::receive(std::uint64_t max_bytes,
                                                                   std::optional<Deadline> deadline)
{
    std::array<char, sizeof(RenderMessageHead)> head_bytes{};
    ReceivedMessage received;
    // The server rejects descriptors: it waits with a deadline.
    auto* const descriptor = deadline ? nullptr : &received.descriptor;
    if (auto got = read(head_bytes, deadline, descriptor); !got) return std::unexpected(got.error());
    RenderMessageHead head;
    std::memcpy(&head, head_bytes.data(), sizeof head);
    if (head.signature != message_signature || head.size_bytes > max_bytes)
        return std::unexpected(StreamError::invalid);
    received.type = static_cast<RenderMessageType>(head.type);
    received.work_ns = head.work_ns;
    // Memory grows with the bytes that arrive.
    constexpr std::uint64_t piece_bytes = 1 << 20;
    while (received.bytes.size() < head.size_bytes) {
        const auto at = received.bytes.size();
        received.bytes.resize(at + std::min(piece_bytes, head.size_bytes - at));
        if (auto got = read(std::span(received.bytes).subspan(at), deadline, nullptr); !got)
            return std::unexpected(got.error());
    }
    return received;
}

StreamPair make_stream_pair()
{
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::system_error(errno, std::generic_category(), "socketpair");
    return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

} // namespace vitrine::render_process
