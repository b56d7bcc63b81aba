#include "server/net/transport/peer.hpp"

#include <cstring>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <fmt/format.h>
#include <sys/socket.h>

namespace vitrine::server {
namespace {

Peer unix_peer(int descriptor)
{
    ucred found{};
    socklen_t size = sizeof(found);
    if (::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &found, &size) != 0) return {};
    return {UnixCredentials{found.pid, found.uid, found.gid}, fmt::format("unix:{}", found.uid)};
}

} // namespace

Peer peer_of(int descriptor)
{
    boost::asio::ip::tcp::endpoint endpoint;
    sockaddr_storage storage{};
    socklen_t size = sizeof(storage);
    if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return {};
    if (storage.ss_family == AF_UNIX) return unix_peer(descriptor);
    const bool is_ip = storage.ss_family == AF_INET || storage.ss_family == AF_INET6;
    if (!is_ip || size > endpoint.capacity()) return {};
    std::memcpy(endpoint.data(), &storage, size);
    endpoint.resize(size);
    return {endpoint.address(), endpoint.address().to_string()};
}

} // namespace vitrine::server
