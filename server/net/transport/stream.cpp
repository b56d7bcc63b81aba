#include "server/net/transport/stream.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include <sys/socket.h>
#include <sys/uio.h>

namespace vitrine::server {

void Stream::cancel()
{
    boost::system::error_code ignored;
    socket_.cancel(ignored);
}

void Stream::close()
{
    boost::system::error_code ignored;
    socket_.close(ignored);
}

void Stream::end_output()
{
    boost::system::error_code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
}

bool Stream::make_non_blocking()
{
    boost::system::error_code error;
    socket_.native_non_blocking(true, error);
    return !error;
}

std::size_t Stream::available()
{
    boost::system::error_code ignored;
    return socket_.available(ignored);
}

std::size_t Stream::send_now(std::span<const std::string_view> parts)
{
    std::array<iovec, max_parts> vectors{};
    assert(parts.size() <= vectors.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
        vectors[i] = {const_cast<char*>(parts[i].data()), parts[i].size()};
    msghdr message{};
    message.msg_iov = vectors.data();
    message.msg_iovlen = parts.size();
    const auto sent = ::sendmsg(native_handle(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    return static_cast<std::size_t>(std::max<ssize_t>(sent, 0));
}

} // namespace vitrine::server
