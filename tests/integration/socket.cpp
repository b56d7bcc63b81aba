#include "tests/integration/socket.hpp"

#include <algorithm>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace vitrine::test {

using std::chrono::steady_clock;

bool readable(int descriptor, steady_clock::time_point until)
{
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - steady_clock::now()).count();
    pollfd wait{.fd = descriptor, .events = POLLIN, .revents = 0};
    return ::poll(&wait, 1, static_cast<int>(std::max<long>(0, left))) > 0;
}

Socket::Socket(int port) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int at_once = 1; // as in browsers: small messages do not wait for the previous acknowledgement
    ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof(at_once));
    if (::connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) close();
}

Socket::~Socket()
{
    close();
}

void Socket::close()
{
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

bool Socket::send(std::string_view bytes)
{
    while (!bytes.empty()) {
        auto sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

std::string Socket::receive(std::chrono::milliseconds limit)
{
    if (!rest_.empty()) return std::exchange(rest_, {});
    if (descriptor_ < 0 || !readable(descriptor_, steady_clock::now() + limit)) return {};
    std::string piece(64 * 1024, '\0');
    auto got = ::recv(descriptor_, piece.data(), piece.size(), 0);
    piece.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return piece;
}

std::string Socket::receive_until(std::string_view end, std::chrono::milliseconds limit)
{
    std::string text;
    for (auto until = steady_clock::now() + limit;;) {
        auto at = text.find(end);
        if (at != text.npos) {
            rest_ = text.substr(at + end.size()) + rest_;
            return text.substr(0, at + end.size());
        }
        auto piece =
            receive(std::chrono::duration_cast<std::chrono::milliseconds>(until - steady_clock::now()));
        if (piece.empty()) return text;
        text += piece;
    }
}

std::string Socket::receive_exactly(std::size_t count, std::chrono::milliseconds limit)
{
    std::string text;
    while (text.size() < count) {
        auto piece = receive(limit);
        if (piece.empty()) return text;
        text += piece;
    }
    rest_ = text.substr(count) + rest_;
    return text.substr(0, count);
}

std::string Socket::receive_all(std::chrono::milliseconds limit)
{
    std::string text;
    for (auto piece = receive(limit); !piece.empty(); piece = receive(limit))
        text += piece;
    return text;
}

bool Socket::ended(std::chrono::milliseconds limit)
{
    std::string piece(64 * 1024, '\0');
    auto until = steady_clock::now() + limit;
    while (readable(descriptor_, until)) {
        if (::recv(descriptor_, piece.data(), piece.size(), 0) <= 0) return true;
    }
    return false;
}

} // namespace vitrine::test
