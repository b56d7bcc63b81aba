#include "server/net/body_reader.hpp"

#include <algorithm>

#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>

#include "server/net/async.hpp"

namespace vitrine::server {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::size_t body_piece_bytes = 64 * 1024;
constexpr std::uint64_t drain_bytes = 256 * 1024; // of an unread body, before the connection is closed

// Whether the peer has sent something that is no chunk.
bool is_malformed(beast::error_code error)
{
    return error.category() == http::make_error_code(http::error::bad_chunk).category() &&
           error != http::error::end_of_stream && error != http::error::partial_message;
}

} // namespace

BodyReader::BodyReader(Stream& stream, SocketDeadline& deadline, beast::flat_buffer& buffer,
                       RequestParser& parser, const NetLimits& limits)
    : stream_(stream), deadline_(deadline), buffer_(buffer), parser_(parser), limits_(limits)
{
    const auto expect = parser.get().find(http::field::expect);
    const bool is_expected = expect != parser.get().end() && beast::iequals(expect->value(), "100-continue");
    expects_continue_ = is_expected && parser.get().version() >= 11; // RFC 9110, 10.1.1
}

// The connection may be idle from now on.
BodyReader::~BodyReader()
{
    if (!piece_.empty() && buffer_.size() == 0) buffer_.shrink_to_fit();
}

asio::awaitable<std::span<const std::byte>> BodyReader::next()
{
    if (parser_.is_done()) co_return std::span<const std::byte>{};
    if (expects_continue_) co_await send_continue();
    if (piece_.empty()) piece_.resize(body_piece_bytes);
    buffer_.reserve(next_bytes()); // Beast reads no more at once than the buffer has room for
    auto& body = parser_.get().body();
    body.data = piece_.data();
    body.size = piece_.size();
    deadline_.set(limits_.body_time);
    auto [error, n] = co_await http::async_read(stream_, buffer_, parser_, as_result);
    deadline_.clear();
    if (error && deadline_.expired()) throw BodyTimeout();
    if (error == http::error::need_buffer) error = {};
    if (is_malformed(error)) throw BodyMalformed();
    if (error) throw PeerDisconnected(error.message());
    co_return std::span(piece_).first(piece_.size() - body.size);
}

bool BodyReader::has_arrived() const
{
    if (parser_.is_done()) return true;
    return buffer_.size() + stream_.available() >= next_bytes();
}

// Beast adds the trailer to the fields of the head, which was read before the body.
std::string_view BodyReader::trailer(std::string_view name) const
{
    if (!parser_.is_done() || !parser_.chunked()) return {};
    const auto field = parser_.get().find(beast::string_view(name.data(), name.size()));
    if (field == parser_.get().end()) return {};
    return {field->value().data(), field->value().size()};
}

std::size_t BodyReader::next_bytes() const
{
    const auto rest = parser_.content_length_remaining();
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(rest.value_or(body_piece_bytes), body_piece_bytes));
}

asio::awaitable<bool> BodyReader::drain()
{
    if (parser_.is_done()) co_return true;
    auto length = parser_.content_length();
    bool short_rest = length && *length <= drain_bytes;
    if (!short_rest || expects_continue_) co_return false; // the peer waits for 100 Continue
    try {
        while (!parser_.is_done())
            co_await next();
    } catch (const BodyTimeout&) { // the response is complete already
        co_return false;
    } catch (const BodyMalformed&) {
        co_return false;
    }
    co_return true;
}

asio::awaitable<void> BodyReader::send_continue()
{
    expects_continue_ = false;
    deadline_.set(limits_.body_time);
    constexpr std::string_view line = "HTTP/1.1 100 Continue\r\n\r\n";
    auto [error, n] = co_await asio::async_write(stream_, asio::buffer(line), as_result);
    deadline_.clear();
    if (error) throw PeerDisconnected(error.message());
}

} // namespace vitrine::server
