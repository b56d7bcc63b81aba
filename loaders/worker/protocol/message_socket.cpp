#include "loaders/worker/protocol/message_socket.hpp"

#include <cerrno>
#include <string>
#include <system_error>

#include <sys/socket.h>

#include "loaders/worker/protocol/passed_descriptors.hpp"

namespace vitrine::worker {
namespace {

constexpr std::size_t buffer_bytes = sizeof(MessageHead) + payload_limit;

ReceiveStatus no_message(ssize_t result)
{
    if (result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return ReceiveStatus::nothing;
    return ReceiveStatus::closed;
}

} // namespace

bool MessageSocket::send(const Message& message, std::span<const int> descriptors, Wait wait)
{
    const std::string bytes = encode_message(message);
    iovec part{const_cast<char*>(bytes.data()), bytes.size()};
    ControlBuffer control;
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    attach_descriptors(header, control, descriptors);
    const int flags = MSG_NOSIGNAL | (wait == Wait::no ? MSG_DONTWAIT : 0);
    ssize_t sent = 0;
    do
        sent = ::sendmsg(socket_.get(), &header, flags);
    while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(bytes.size());
}

Incoming MessageSocket::receive(Wait wait)
{
    if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(buffer_bytes);
    iovec part{buffer_.get(), buffer_bytes};
    ControlBuffer control;
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    accept_descriptors(header, control);
    ssize_t got = 0;
    do
        got = ::recvmsg(socket_.get(), &header, MSG_CMSG_CLOEXEC | (wait == Wait::no ? MSG_DONTWAIT : 0));
    while (got < 0 && errno == EINTR);

    Incoming incoming;
    if (got <= 0) {
        incoming.status = no_message(got);
        return incoming;
    }
    incoming.descriptors = take_descriptors(header);
    auto message = decode_message({buffer_.get(), static_cast<std::size_t>(got)});
    const bool is_complete = (header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0;
    incoming.status = is_complete && message ? ReceiveStatus::message : ReceiveStatus::broken;
    if (message) incoming.message = std::move(*message);
    return incoming;
}

SocketPair make_socket_pair()
{
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::system_error(errno, std::generic_category(), "socketpair");
    return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

} // namespace vitrine::worker
