#include "server/util/peer_socket.hpp"

#include <cerrno>

#include <poll.h>
#include <sys/socket.h>

namespace vitrine::server {
namespace {

enum class PeerState { connected, ended, gone };

// Reads nothing: what the peer has sent stays in the socket.
PeerState state_of(int descriptor)
{
    if (descriptor < 0) return PeerState::gone;
    char byte = 0;
    const auto count = ::recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (count > 0) return PeerState::connected;
    if (count == 0) return PeerState::ended;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? PeerState::connected : PeerState::gone;
}

// Also behind bytes that nobody has read.
bool has_sent_end(int descriptor)
{
    pollfd ended{.fd = descriptor, .events = POLLRDHUP, .revents = 0};
    return ::poll(&ended, 1, 0) == 1 && (ended.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

} // namespace

bool PeerSocket::is_gone() const
{
    return state_of(descriptor_) == PeerState::gone;
}

bool PeerSocket::has_ended() const
{
    return state_of(descriptor_) != PeerState::connected || (encrypted_ && has_sent_end(descriptor_));
}

} // namespace vitrine::server
