#include "server/net/socket_writer.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <boost/asio/write.hpp>

#include "server/net/async.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_parts = 4;
constexpr std::size_t text_piece_bytes = 64 * 1024;
constexpr std::uint64_t file_piece_bytes = 256 * 1024;

} // namespace

std::size_t SocketWriter::send_now(std::span<const std::string_view> parts)
{
    std::array<iovec, max_parts> vectors{};
    assert(parts.size() <= vectors.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
        vectors[i] = {const_cast<char*>(parts[i].data()), parts[i].size()};
    msghdr message{};
    message.msg_iov = vectors.data();
    message.msg_iovlen = parts.size();
    const auto sent = ::sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    return static_cast<std::size_t>(std::max<ssize_t>(sent, 0));
}

asio::awaitable<bool> SocketWriter::write(std::string_view bytes)
{
    co_return co_await write(bytes, {});
}

asio::awaitable<bool> SocketWriter::write(std::string_view head, std::string_view body)
{
    const auto sent = send_now(std::array{head, body});
    if (sent < head.size() && !co_await write_rest(head.substr(sent))) co_return false;
    co_return co_await write_rest(body.substr(std::min(sent - std::min(sent, head.size()), body.size())));
}

asio::awaitable<bool> SocketWriter::write_rest(std::string_view bytes)
{
    while (!bytes.empty()) {
        auto piece = bytes.substr(0, text_piece_bytes);
        deadline_.set(limits_.body_time);
        auto [error, n] = co_await asio::async_write(socket_, asio::buffer(piece), as_result);
        deadline_.clear();
        if (error) co_return false;
        bytes.remove_prefix(piece.size());
    }
    co_return true;
}

asio::awaitable<bool> SocketWriter::write(FileSlice slice)
{
    auto piece = std::make_shared<std::vector<char>>(std::min(file_piece_bytes, slice.length));
    while (slice.length > 0) {
        auto want = std::min<std::uint64_t>(piece->size(), slice.length);
        auto got = co_await run_on_pool(work_, [piece, want, slice] {
            return ::pread(slice.file->descriptor(), piece->data(), want, static_cast<off_t>(slice.offset));
        });
        if (got <= 0)
            co_return false; // shorter than Content-Length: abort, so that the peer detects the error
        if (!co_await write(std::string_view(piece->data(), static_cast<std::size_t>(got)))) co_return false;
        slice.offset += static_cast<std::uint64_t>(got);
        slice.length -= static_cast<std::uint64_t>(got);
    }
    co_return true;
}

asio::awaitable<void> SocketWriter::linger()
{
    if (!socket_.is_open()) co_return;
    boost::system::error_code ignored;
    socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    deadline_.set(std::chrono::seconds(2));
    std::array<char, 16 * 1024> scrap;
    for (std::size_t drained_bytes = 0; drained_bytes < (4u << 20);) {
        auto [error, n] = co_await socket_.async_read_some(asio::buffer(scrap), as_result);
        if (error) co_return;
        drained_bytes += n;
    }
}

} // namespace vitrine::server
