#include "server/net/socket_writer.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/write.hpp>

#include "server/net/async.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t text_piece_bytes = 64 * 1024;
constexpr std::uint64_t file_piece_bytes = 64 * 1024;
constexpr std::uint64_t read_ahead_bytes = 256 * 1024;

// Removes the first `most` bytes of the slice, or all, and returns them.
FileSlice take_front(FileSlice& slice, std::uint64_t most)
{
    FileSlice front{slice.file, slice.offset, std::min(most, slice.length)};
    slice.offset += front.length;
    slice.length -= front.length;
    return front;
}

// Reads the slice into the page cache, so that sending it does not wait for the disk: readahead() only starts
// that, a byte of each page waits for it. Returns the number of bytes; errors are left to the sending.
std::uint64_t read_ahead(const FileSlice& slice)
{
    constexpr std::uint64_t page_bytes = 4096;
    const int file = slice.file->descriptor();
    ::readahead(file, static_cast<off64_t>(slice.offset), slice.length);
    for (std::uint64_t at = 0; at < slice.length; at += page_bytes) {
        char byte = 0;
        if (::pread(file, &byte, 1, static_cast<off_t>(slice.offset + at)) <= 0) return at;
    }
    return slice.length;
}

// The bytes that the socket has no room for are read again later: no memory waits for the peer.
ssize_t send_copy(int socket, const FileSlice& piece)
{
    std::array<char, file_piece_bytes> bytes;
    const auto got =
        ::pread(piece.file->descriptor(), bytes.data(), std::min<std::uint64_t>(bytes.size(), piece.length),
                static_cast<off_t>(piece.offset));
    if (got <= 0) return got;
    return ::send(socket, bytes.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL | MSG_DONTWAIT);
}

// As send(2); 0 at the end of the file.
ssize_t send_file(int socket, const FileSlice& piece)
{
    auto offset = static_cast<off_t>(piece.offset);
    const auto sent = ::sendfile(socket, piece.file->descriptor(), &offset, piece.length);
    const bool unsupported = sent < 0 && (errno == EINVAL || errno == ENOSYS); // by this file system
    return unsupported ? send_copy(socket, piece) : sent;
}

} // namespace

asio::awaitable<bool> SocketWriter::write(std::string_view bytes)
{
    co_return co_await write(bytes, {});
}

asio::awaitable<bool> SocketWriter::write(std::string_view head, std::string_view body)
{
    const auto sent = send_now(std::array{head, body});
    if (sent < head.size() && !co_await write_rest(head.substr(sent))) co_return false;
    if (!co_await write_rest(body.substr(std::min(sent - std::min(sent, head.size()), body.size()))))
        co_return false;
    co_return !stream_.has_unsent() || co_await flush();
}

// Sends encrypted bytes that the socket had no room for.
asio::awaitable<bool> SocketWriter::flush()
{
    deadline_.set(limits_.body_time);
    auto [error, n] = co_await stream_.async_write_some(asio::const_buffer(), as_result);
    deadline_.clear();
    co_return !error;
}

asio::awaitable<bool> SocketWriter::write_rest(std::string_view bytes)
{
    while (!bytes.empty()) {
        auto piece = bytes.substr(0, text_piece_bytes);
        deadline_.set(limits_.body_time);
        auto [error, n] = co_await asio::async_write(stream_, asio::buffer(piece), as_result);
        deadline_.clear();
        if (error) co_return false;
        bytes.remove_prefix(piece.size());
    }
    co_return true;
}

asio::awaitable<bool> SocketWriter::write(FileSlice slice)
{
    if (!stream_.make_non_blocking()) co_return false;
    while (slice.length > 0) {
        auto window = take_front(slice, read_ahead_bytes);
        co_await run_on_pool(work_, [window] { return read_ahead(window); });
        while (window.length > 0) {
            deadline_.set(limits_.body_time);
            const bool sent = co_await write_piece(take_front(window, file_piece_bytes));
            deadline_.clear();
            if (!sent) co_return false;
        }
    }
    co_return true;
}

// Sends the first bytes of the slice as one record; 0: the file is shorter, or the peer is gone.
std::size_t SocketWriter::send_record(const FileSlice& piece)
{
    std::array<char, TlsEngine::max_record_bytes> bytes;
    const auto got =
        ::pread(piece.file->descriptor(), bytes.data(), std::min<std::uint64_t>(bytes.size(), piece.length),
                static_cast<off_t>(piece.offset));
    return got > 0 ? send_now(std::array{std::string_view(bytes.data(), static_cast<std::size_t>(got))}) : 0;
}

asio::awaitable<bool> SocketWriter::write_encrypted(FileSlice piece)
{
    while (piece.length > 0) {
        const auto sent = send_record(piece);
        if (sent == 0) co_return false;
        take_front(piece, sent);
        if (stream_.has_unsent() && !co_await flush()) co_return false;
    }
    co_return true;
}

asio::awaitable<bool> SocketWriter::write_piece(FileSlice piece)
{
    if (stream_.has_tls()) co_return co_await write_encrypted(std::move(piece));
    while (piece.length > 0) {
        const auto sent = send_file(stream_.native_handle(), piece);
        if (sent > 0) {
            take_front(piece, static_cast<std::uint64_t>(sent));
            continue;
        }
        if (sent == 0 || (errno != EAGAIN && errno != EINTR))
            co_return false; // shorter than Content-Length: abort, so that the peer detects the error
        auto [error] = co_await stream_.async_wait_write(as_result);
        if (error || deadline_.expired()) co_return false;
    }
    co_return true;
}

asio::awaitable<void> SocketWriter::linger()
{
    if (!stream_.is_open()) co_return;
    stream_.end_output();
    co_await drain();
}

asio::awaitable<void> SocketWriter::reject_plain_http()
{
    const auto text = text_response(400, "text/plain", "This port speaks HTTPS.\n");
    stream_.send_raw(serialize_head(text, false) + std::get<std::string>(text.body));
    stream_.end_output();
    co_await drain();
}

// Drops what the peer still sends.
asio::awaitable<void> SocketWriter::drain()
{
    deadline_.set(std::chrono::seconds(2));
    std::array<char, 16 * 1024> scrap;
    for (std::size_t drained_bytes = 0; drained_bytes < (4u << 20);) {
        auto [error, n] = co_await stream_.async_read_raw(asio::buffer(scrap), as_result);
        if (error) co_return;
        drained_bytes += n;
    }
}

} // namespace vitrine::server
