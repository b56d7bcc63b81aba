#include "server/net/socket_writer.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <unistd.h>

#include <boost/asio/write.hpp>

#include "server/net/async.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t text_piece_bytes = 64 * 1024;
constexpr std::uint64_t file_piece_bytes = 256 * 1024;

} // namespace

asio::awaitable<bool> SocketWriter::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        auto piece = bytes.substr(0, text_piece_bytes);
        stream_.expires_after(limits_.body_time);
        auto [error, n] = co_await asio::async_write(stream_, asio::buffer(piece), as_result);
        if (error) co_return false;
        bytes.remove_prefix(piece.size());
    }
    co_return true;
}

asio::awaitable<bool> SocketWriter::write(std::string_view head, std::string_view body)
{
    auto first = body.substr(0, text_piece_bytes);
    std::array<asio::const_buffer, 2> parts{asio::buffer(head), asio::buffer(first)};
    stream_.expires_after(limits_.body_time);
    auto [error, n] = co_await asio::async_write(stream_, parts, as_result);
    if (error) co_return false;
    co_return co_await write(body.substr(first.size()));
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
    if (!stream_.socket().is_open()) co_return;
    boost::system::error_code ignored;
    stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    stream_.expires_after(std::chrono::seconds(2));
    std::array<char, 16 * 1024> scrap;
    for (std::size_t drained_bytes = 0; drained_bytes < (4u << 20);) {
        auto [error, n] = co_await stream_.async_read_some(asio::buffer(scrap), as_result);
        if (error) co_return;
        drained_bytes += n;
    }
}

} // namespace vitrine::server
