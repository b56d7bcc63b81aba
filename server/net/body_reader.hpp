#pragma once
// Reads a request's body through Beast's parser.

#include <vector>

#include <boost/beast/core/flat_buffer.hpp>

#include "server/net/limits.hpp"
#include "server/net/request_head.hpp"
#include "server/net/stream_body.hpp"
#include "server/net/transport/socket_deadline.hpp"
#include "server/net/transport/stream.hpp"

namespace vitrine::server {

// Lives as long as the request is handled, and so do its arguments. Each 64 KiB must arrive within body_time.
class BodyReader final : public BodySource {
public:
    BodyReader(Stream& stream, SocketDeadline& deadline, boost::beast::flat_buffer& buffer,
               RequestParser& parser, const NetLimits& limits);
    ~BodyReader() override;
    BodyReader(const BodyReader&) = delete;
    BodyReader& operator=(const BodyReader&) = delete;

    asio::awaitable<std::span<const std::byte>> next() override;
    bool has_arrived() const override;
    std::string_view trailer(std::string_view name) const override;
    // Reads and discards the rest, so that the next request can be parsed; returns false when too much is
    // left.
    asio::awaitable<bool> drain();

private:
    asio::awaitable<void> send_continue();
    std::size_t next_bytes() const; // of the next piece, at most

    Stream& stream_;
    SocketDeadline& deadline_;
    boost::beast::flat_buffer& buffer_;
    RequestParser& parser_;
    const NetLimits& limits_;
    bool expects_continue_ = false;
    std::vector<std::byte> piece_;
};

} // namespace vitrine::server
