#include "server/net/transport/stream.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <sys/socket.h>
#include <sys/uio.h>

namespace vitrine::server {
namespace {

// Answers of the protocol (to changes of keys, for example) that a peer causes and does not read.
constexpr std::size_t max_unread_output = 64 * 1024;
// Messages of the protocol that carry nothing: OpenSSL does not limit changes of keys. A record of plain
// bytes is shorter than both.
constexpr std::size_t max_idle_input = 256 * 1024;
constexpr int max_receives = 4; // in one step; then other connections have their turn, and deadlines

boost::system::error_code last_socket_error()
{
    if (errno == EAGAIN || errno == EWOULDBLOCK) return asio::error::would_block;
    return {errno, boost::system::system_category()};
}

} // namespace

Stream::Stream(Socket socket, std::shared_ptr<const TlsContext> tls)
    : socket_(std::move(socket)), peer_(std::make_shared<Peer>(peer_of(socket_.native_handle()))),
      tls_(tls ? std::make_unique<TlsEngine>(std::move(tls)) : nullptr)
{
}

asio::awaitable<std::string> Stream::handshake()
{
    constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
    for (;;) {
        const auto step = tls_->handshake();
        ErrorCode error;
        send_output(error);
        while (error == asio::error::would_block) {
            auto [failed] = co_await socket_.async_wait(Socket::wait_write, as_result);
            error = failed;
            if (!error) send_output(error);
        }
        if (step == TlsEngine::Step::failed) co_return tls_->failure();
        if (error) co_return error.message();
        if (step == TlsEngine::Step::done) break;
        receive(error);
        if (error == asio::error::would_block) {
            auto [failed] = co_await socket_.async_wait(Socket::wait_read, as_result);
            error = failed;
        }
        if (error) co_return error.message();
    }
    idle_input_ = 0;
    tls_facts_ = std::make_shared<const TlsFacts>(tls_->facts());
    co_return "";
}

void Stream::cancel()
{
    boost::system::error_code ignored;
    socket_.cancel(ignored);
}

void Stream::close()
{
    send_close_notify();
    boost::system::error_code ignored;
    socket_.close(ignored);
}

void Stream::end_output()
{
    send_close_notify();
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
    if (tls_) return tls_->pending();
    boost::system::error_code ignored;
    return socket_.available(ignored);
}

std::size_t Stream::send_now(std::span<const std::string_view> parts)
{
    if (tls_) return send_encrypted(parts);
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

void Stream::send_raw(std::string_view bytes)
{
    static_cast<void>(::send(native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
}

std::span<char> Stream::record_space()
{
    thread_local std::array<char, TlsEngine::max_record_bytes> space;
    return space;
}

std::size_t Stream::send_encrypted(std::span<const std::string_view> parts)
{
    ErrorCode error;
    std::size_t sent = 0, filled = 0;
    const auto space = record_space();
    const auto send_record = [&] {
        sent += write_encrypted({space.data(), std::exchange(filled, 0)}, error);
        return !error;
    };
    if (has_unsent()) return 0;
    for (auto part : parts) {
        while (!part.empty()) {
            const auto size = std::min(part.size(), space.size() - filled);
            std::memcpy(space.data() + filled, part.data(), size);
            filled += size;
            part.remove_prefix(size);
            if (filled == space.size() && !send_record()) return sent;
        }
    }
    send_record();
    return sent;
}

std::size_t Stream::write_encrypted(std::string_view plain, ErrorCode& error)
{
    if (plain.empty()) return 0;
    const auto count = tls_->write(plain);
    if (count == 0)
        error = asio::error::broken_pipe;
    else
        send_output(error);
    return count;
}

void Stream::send_output(ErrorCode& error)
{
    while (has_unsent()) {
        const auto bytes = tls_->output();
        const auto sent = ::send(native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) {
            error = last_socket_error();
            return;
        }
        tls_->consume_output(static_cast<std::size_t>(sent));
    }
}

void Stream::receive(ErrorCode& error)
{
    const auto space = record_space();
    for (;;) {
        const auto got = ::recv(native_handle(), space.data(), space.size(), MSG_DONTWAIT);
        if (got < 0 && errno == EINTR) continue;
        if (got > 0) {
            idle_input_ += static_cast<std::size_t>(got);
            return tls_->receive({space.data(), static_cast<std::size_t>(got)});
        }
        if (got == 0) return tls_->receive_end();
        error = last_socket_error();
        return;
    }
}

std::size_t Stream::read_encrypted(asio::mutable_buffer into, ErrorCode& error)
{
    if (into.size() == 0) return 0;
    for (int receives = 0; !error; ++receives) {
        std::size_t count = 0;
        const auto step = tls_->read({static_cast<std::byte*>(into.data()), into.size()}, count);
        ErrorCode unsent; // left to the next write
        send_output(unsent);
        if (step == TlsEngine::Step::done) {
            idle_input_ = 0;
            return count;
        }
        if (step == TlsEngine::Step::ended)
            error = asio::error::eof;
        else if (step == TlsEngine::Step::failed || tls_->output().size() > max_unread_output ||
                 idle_input_ > max_idle_input)
            error = asio::error::connection_aborted;
        else if (receives == max_receives)
            error = asio::error::would_block;
        else
            receive(error);
    }
    return 0;
}

void Stream::send_close_notify()
{
    if (!tls_ || !socket_.is_open()) return;
    tls_->close();
    ErrorCode ignored;
    send_output(ignored);
}

} // namespace vitrine::server
