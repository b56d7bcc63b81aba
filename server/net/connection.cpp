#include "server/net/connection.hpp"

#include <array>
#include <tuple>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <fmt/format.h>

#include "server/net/async.hpp"
#include "server/net/body_reader.hpp"
#include "server/net/cached_response_writer.hpp"
#include "server/net/request_scan.hpp"
#include "server/net/socket_writer.hpp"
#include "server/net/websocket.hpp"

namespace vitrine::server {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::size_t body_read_ahead = 64 * 1024; // bytes buffered beyond a header
constexpr std::size_t read_bytes = 4096;           // of the first read of a request

class HttpConnection final : public Connection, public std::enable_shared_from_this<HttpConnection> {
public:
    HttpConnection(Stream stream, HttpHandler& handler, const NetLimits& limits, WorkPool& work)
        : stream_(std::move(stream)),
          socket_(std::make_shared<PeerSocket>(stream_.native_handle(), stream_.has_tls())),
          peer_(stream_.peer()), strand_(stream_.get_executor()), deadline_(stream_),
          buffer_(limits.max_header_bytes + body_read_ahead), writer_(stream_, deadline_, limits, work),
          handler_(handler), limits_(limits)
    {
    }

    asio::awaitable<std::string> handshake() override
    {
        idle_ = in_handshake_ = true;
        deadline_.set(limits_.handshake_time);
        std::string failure;
        try {
            failure = co_await stream_.handshake();
            idle_ = in_handshake_ = false;
            deadline_.clear();
            if (failure.empty()) co_return failure;
            if (deadline_.expired()) failure = "it took too long";
            if (!stream_.is_open() && !stopping_) failure = "too many began after it";
            if (stream_.got_plain_http()) {
                co_await writer_.reject_plain_http();
                failure = "the peer speaks HTTP without TLS";
            }
        } catch (const std::exception& error) { // no memory
            failure = error.what();
        }
        close();
        deadline_.detach();
        co_return failure;
    }

    void displace_handshake() override
    {
        asio::dispatch(strand_, [self = shared_from_this()] {
            if (self->in_handshake_) self->stream_.close();
        });
    }

    const std::shared_ptr<const Peer>& peer() const override { return peer_; }

    asio::awaitable<void> run() override
    {
        try {
            bool keep_alive = true;
            while (keep_alive && !stopping_ && co_await await_request()) {
                if (const auto answered = respond_from_cache())
                    keep_alive = (cached_.is_sent() || co_await cached_.send_rest()) && *answered;
                else
                    keep_alive = co_await serve_one();
            }
            if (!keep_alive && !upgraded_) co_await writer_.linger();
        } catch (const std::exception&) { // the peer has disconnected; the handler has been unwound
        }
        if (!upgraded_) close();
        deadline_.detach();
    }

    void stop() override
    {
        asio::dispatch(strand_, [self = shared_from_this()] {
            self->stopping_ = true;
            if (self->idle_) self->stream_.cancel();
            if (self->event_stream_) self->event_stream_->stop();
            if (self->websocket_) self->websocket_->stop();
        });
    }

    void abort() override
    {
        asio::dispatch(strand_, [self = shared_from_this()] {
            self->stopping_ = true;
            if (self->event_stream_) self->event_stream_->stop();
            if (self->websocket_) self->websocket_->disconnect();
            if (!self->upgraded_) self->close();
        });
    }

private:
    // The value of Strict-Transport-Security; empty: none.
    std::string strict_transport() const
    {
        if (!stream_.has_tls() || limits_.hsts_seconds == 0) return {};
        return fmt::format("max-age={}", limits_.hsts_seconds);
    }

    void close()
    {
        socket_->close();
        stream_.close();
    }

    // Waits for the first byte, so that the idle time and the header time are separate limits.
    asio::awaitable<bool> await_request()
    {
        if (buffer_.size() > 0) co_return true;
        idle_ = true;
        deadline_.set(limits_.idle_time);
        auto [error, n] = co_await stream_.async_read_some(buffer_.prepare(read_bytes), as_result);
        idle_ = false;
        deadline_.clear();
        buffer_.commit(n);
        co_return !error;
    }

    // Answers the request at the beginning of the buffer if it is complete and needs no handler, and returns
    // whether the connection stays open; otherwise changes nothing. What the socket has no room for is left
    // to cached_.send_rest().
    std::optional<bool> respond_from_cache()
    {
        ScannedRequest scanned;
        const std::string_view received(static_cast<const char*>(buffer_.data().data()), buffer_.size());
        if (!scan_request(received, limits_.max_target_bytes, limits_.max_header_bytes, scanned))
            return std::nullopt;
        thread_local Request request; // its memory is used again
        request.method = scanned.method;
        request.headers.clear();
        for (const auto& [name, value] : scanned.fields())
            request.headers.add_copy(name, value);
        if (request.peer != peer_) request.peer = peer_;
        if (request.tls != stream_.tls_facts()) request.tls = stream_.tls_facts();
        auto hit = handler_.find_cached(request, scanned.target);
        if (!hit.response) return std::nullopt;
        buffer_.consume(scanned.size_bytes);
        cached_.send(std::move(hit), scanned.method == Method::head, scanned.keep_alive);
        return scanned.keep_alive;
    }

    asio::awaitable<beast::error_code> read_header(RequestParser& parser)
    {
        deadline_.set(limits_.header_time);
        auto [error, n] = co_await http::async_read_header(stream_, buffer_, parser, as_result);
        deadline_.clear();
        co_return error&& deadline_.expired() ? beast::error_code(beast::error::timeout) : error;
    }

    // Returns false when the connection ends.
    asio::awaitable<bool> serve_one()
    {
        RequestParser parser;
        parser.header_limit(static_cast<std::uint32_t>(limits_.max_header_bytes));
        parser.body_limit(boost::none); // each route has its own limit
        auto error = co_await read_header(parser);
        if (error) co_return co_await reject_header(error);
        auto head = read_head(parser, limits_);
        if (!head) co_return co_await reject(head.error().status, head.error().reason);
        Request& request = *head;
        bool keep_alive = parser.keep_alive();
        may_send_chunks_ = !request.is_http_1_0;
        request.socket = socket_;
        request.peer = peer_;
        request.tls = stream_.tls_facts();
        BodyReader body(stream_, deadline_, buffer_, parser, limits_);
        Response response = co_await handler_.handle(request, body);
        if (auto session = std::get_if<std::unique_ptr<WebSocketSession>>(&response.body)) {
            co_await upgrade(parser, std::move(*session));
            co_return false;
        }
        keep_alive = keep_alive && !response.close && !stopping_;
        keep_alive = keep_alive && co_await body.drain();
        if (!co_await respond(response, request.method == Method::head, keep_alive)) co_return false;
        co_return keep_alive;
    }

    asio::awaitable<bool> reject_header(beast::error_code error)
    {
        if (error == beast::error::timeout)
            co_return co_await reject(408, "The header did not arrive in time.");
        if (error == http::error::header_limit || error == http::error::buffer_overflow)
            co_return co_await reject(431, "The request header is too large.");
        bool grammar = error.category() == http::make_error_code(http::error::bad_method).category();
        if (!grammar || error == http::error::end_of_stream || error == http::error::partial_message)
            co_return false;
        co_return co_await reject(400, "This is not a valid HTTP request.");
    }

    asio::awaitable<bool> reject(int status, std::string_view why)
    {
        Response response = handler_.reject(status, why);
        co_await respond(response, false, false);
        co_return false;
    }

    asio::awaitable<bool> respond(Response& response, bool head_only, bool keep_alive)
    {
        if (const auto hsts = strict_transport(); !hsts.empty())
            response.headers.set("Strict-Transport-Security", hsts);
        auto head = serialize_head(response, keep_alive, may_send_chunks_);
        bool bodiless = head_only || response.status == 304 || response.status == 204;
        if (bodiless) co_return co_await writer_.write(head);
        if (const auto bytes = body_bytes(response.body)) co_return co_await writer_.write(head, *bytes);
        if (!co_await writer_.write(head)) co_return false;
        if (auto file = std::get_if<FileSlice>(&response.body)) co_return co_await writer_.write(*file);
        co_return co_await write_stream(*std::get<std::unique_ptr<EventStreamBody>>(response.body));
    }

    // Writes the pieces until the stream ends, the peer disconnects or the server stops.
    asio::awaitable<bool> write_stream(EventStreamBody& body)
    {
        event_stream_ = &body;
        if (stopping_) body.stop();
        auto self = shared_from_this();
        asio::co_spawn(strand_, [self]() { return self->watch_peer(); }, asio::detached);
        bool good = true;
        while (good) {
            auto piece = co_await body.next();
            if (piece.empty()) break;
            good = co_await writer_.write(
                may_send_chunks_ ? fmt::format("{:x}\r\n{}\r\n", piece.size(), piece) : piece);
        }
        event_stream_ = nullptr;
        if (good && may_send_chunks_ && body.is_complete()) co_await writer_.write("0\r\n\r\n");
        co_return false; // watch_peer() may have consumed bytes of the next request
    }

    asio::awaitable<void> watch_peer()
    {
        std::array<char, 512> scrap;
        boost::system::error_code error;
        while (!error && event_stream_) {
            std::tie(error, std::ignore) = co_await stream_.async_read_some(asio::buffer(scrap), as_result);
        }
        if (event_stream_) event_stream_->stop();
    }

    asio::awaitable<void> upgrade(RequestParser& parser, std::shared_ptr<WebSocketSession> session)
    {
        websocket_ = session;
        upgraded_ = true;
        if (stopping_) session->stop();
        deadline_.clear();
        co_await run_websocket(std::move(stream_), parser.release(), session, limits_);
        websocket_ = nullptr;
    }

    Stream stream_; // moved from after an upgrade to a WebSocket
    std::shared_ptr<PeerSocket> socket_;
    std::shared_ptr<const Peer> peer_;
    asio::any_io_executor strand_;
    SocketDeadline deadline_;
    beast::flat_buffer buffer_;
    SocketWriter writer_;
    HttpHandler& handler_;
    const NetLimits& limits_;
    CachedResponseWriter cached_{writer_, strict_transport()};
    bool idle_ = false;
    bool in_handshake_ = false;
    bool stopping_ = false;
    bool upgraded_ = false;
    bool may_send_chunks_ = true; // the present request is one of HTTP/1.1
    EventStreamBody* event_stream_ = nullptr;
    std::shared_ptr<WebSocketSession> websocket_;
};

} // namespace

std::shared_ptr<Connection> make_connection(Stream stream, HttpHandler& handler, const NetLimits& limits,
                                            WorkPool& work)
{
    return std::make_shared<HttpConnection>(std::move(stream), handler, limits, work);
}

} // namespace vitrine::server
