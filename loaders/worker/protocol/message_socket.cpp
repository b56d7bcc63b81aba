#include "loaders/worker/protocol/message_socket.hpp"

#include <array>
#include <cstring>

#include <sys/socket.h>

namespace vitrine::worker {
namespace {

constexpr std::size_t header_bytes = 16;

struct alignas(cmsghdr) ControlBuffer {
    std::array<char, CMSG_SPACE(descriptor_limit * sizeof(int))> bytes{};
};

void attach(msghdr& header, ControlBuffer& control, std::span<const int> descriptors)
{
    if (descriptors.empty()) return;
    header.msg_control = control.bytes.data();
    header.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* part = CMSG_FIRSTHDR(&header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(part), descriptors.data(), descriptors.size_bytes());
}

std::vector<FileDescriptor> detach(msghdr& header)
{
    std::vector<FileDescriptor> found;
    for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
        const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(part) + i * sizeof fd, sizeof fd);
            found.emplace_back(fd);
        }
    }
    return found;
}

Received no_message(ssize_t result)
{
    if (result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Received::nothing;
    return Received::closed;
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
    attach(header, control, descriptors.first(std::min(descriptors.size(), descriptor_limit)));
    const int flags = MSG_NOSIGNAL | (wait == Wait::no ? MSG_DONTWAIT : 0);
    ssize_t sent = 0;
    do
        sent = ::sendmsg(socket_.get(), &header, flags);
    while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(bytes.size());
}

Incoming MessageSocket::receive(Wait wait)
{
    buffer_.resize(header_bytes + payload_limit);
    iovec part{buffer_.data(), buffer_.size()};
    ControlBuffer control;
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control.bytes.data();
    header.msg_controllen = control.bytes.size();
    ssize_t got = 0;
    do
        got = ::recvmsg(socket_.get(), &header, MSG_CMSG_CLOEXEC | (wait == Wait::no ? MSG_DONTWAIT : 0));
    while (got < 0 && errno == EINTR);

    Incoming incoming;
    if (got <= 0) {
        incoming.status = no_message(got);
        return incoming;
    }
    incoming.descriptors = detach(header);
    auto message = decode_message({buffer_.data(), static_cast<std::size_t>(got)});
    const bool is_complete = (header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0;
    incoming.status = is_complete && message ? Received::message : Received::broken;
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
