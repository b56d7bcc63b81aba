#include "server/net/connection.hpp"

#include <array>
#include <chrono>
#include <unistd.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <fmt/format.h>

#include "server/net/async.hpp"
#include "server/net/websocket.hpp"

namespace vitrine::server {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using Parser = http::request_parser<http::buffer_body>;

constexpr auto waiting = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t piece_bytes = 64 * 1024;
constexpr std::size_t file_piece_bytes = 256 * 1024;
constexpr std::size_t drain_bytes = 256 * 1024; // of an unread body, before the connection is given up

std::string_view view(beast::string_view text)
{
    return {text.data(), text.size()};
}

Request to_request(const Parser& parser)
{
    const auto& message = parser.get();
    Request request;
    request.method_name = view(message.method_string());
    request.method = parse_method(request.method_name);
    for (const auto& field : message) {
        request.headers.add(std::string(view(field.name_string())), std::string(view(field.value())));
    }
    if (auto length = parser.content_length()) request.content_length = *length;
    request.id = make_request_id();
    return request;
}

// A request's body through Beast's parser. Each 64 KiB must arrive within body_time.
class ParserBody final : public BodySource {
public:
    ParserBody(beast::tcp_stream& stream, beast::flat_buffer& buffer, Parser& parser, const NetLimits& limits)
        : stream_(stream), buffer_(buffer), parser_(parser), limits_(limits)
    {
        auto expect = parser.get().find(http::field::expect);
        expects_continue_ = expect != parser.get().end() && beast::iequals(expect->value(), "100-continue");
    }

    asio::awaitable<std::span<const std::byte>> next() override
    {
        if (parser_.is_done()) co_return std::span<const std::byte>{};
        if (expects_continue_) co_await send_continue();
        if (piece_.empty()) piece_.resize(piece_bytes);
        auto& body = parser_.get().body();
        body.data = piece_.data();
        body.size = piece_.size();
        stream_.expires_after(limits_.body_time);
        auto [error, n] = co_await http::async_read(stream_, buffer_, parser_, waiting);
        if (error && error != http::error::need_buffer) throw BodyBroken(error.message());
        co_return std::span(piece_).first(piece_.size() - body.size);
    }

    // Reads what is left so that the next request can be found; false when it is not worth it.
    asio::awaitable<bool> drain()
    {
        if (expects_continue_ && !parser_.is_done()) co_return false; // the peer still waits to be asked
        for (std::size_t seen = 0; !parser_.is_done();) {
            seen += (co_await next()).size();
            if (seen > drain_bytes) co_return false;
        }
        co_return true;
    }

private:
    asio::awaitable<void> send_continue()
    {
        expects_continue_ = false;
        constexpr std::string_view line = "HTTP/1.1 100 Continue\r\n\r\n";
        auto [error, n] = co_await asio::async_write(stream_, asio::buffer(line), waiting);
        if (error) throw BodyBroken(error.message());
    }

    beast::tcp_stream& stream_;
    beast::flat_buffer& buffer_;
    Parser& parser_;
    const NetLimits& limits_;
    bool expects_continue_ = false;
    std::vector<std::byte> piece_;
};

class HttpConnection final : public Connection, public std::enable_shared_from_this<HttpConnection> {
public:
    HttpConnection(asio::ip::tcp::socket socket, HttpHandler& handler, const NetLimits& limits,
                   WorkPool& work)
        : stream_(std::move(socket)), strand_(stream_.get_executor()),
          buffer_(limits.header_bytes + piece_bytes), handler_(handler), limits_(limits), work_(work)
    {
    }

    asio::awaitable<void> run() override
    {
        try {
            bool keep = true;
            while (keep && !stopping_ && co_await await_request())
                keep = co_await serve_one();
            if (!keep && !upgraded_) co_await linger();
        } catch (const std::exception&) {
            // The peer broke off; whatever it was in the middle of has been unwound.
        }
        if (!upgraded_) stream_.close();
    }

    void stop() override
    {
        asio::dispatch(strand_, [self = shared_from_this()] {
            self->stopping_ = true;
            if (self->idle_) self->stream_.cancel();
            if (self->flowing_) self->flowing_->stop();
            if (self->session_) self->session_->stop();
        });
    }

    void abort() override
    {
        asio::dispatch(strand_, [self = shared_from_this()] {
            self->stopping_ = true;
            if (self->flowing_) self->flowing_->stop();
            if (self->session_) self->session_->disconnect();
            if (!self->upgraded_) self->stream_.close();
        });
    }

private:
    // Waits for the first byte, so that the idle time and the header's time are two things.
    asio::awaitable<bool> await_request()
    {
        if (buffer_.size() > 0) co_return true;
        idle_ = true;
        stream_.expires_after(limits_.idle_time);
        auto [error, n] = co_await stream_.async_read_some(buffer_.prepare(4096), waiting);
        idle_ = false;
        buffer_.commit(n);
        co_return !error;
    }

    // False: the connection ends here.
    asio::awaitable<bool> serve_one()
    {
        Parser parser;
        parser.header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
        parser.body_limit(boost::none); // limits are the routes'
        stream_.expires_after(limits_.header_time);
        auto [error, n] = co_await http::async_read_header(stream_, buffer_, parser, waiting);
        if (error) co_return co_await refuse_header(error);
        Request request = to_request(parser);
        auto target = view(parser.get().target());
        bool keep = parser.keep_alive();
        if (target.size() > limits_.target_bytes) co_return co_await refuse(414, "The URL is too long.");
        if (parser.get().version() != 11 && parser.get().version() != 10) {
            co_return co_await refuse(400, "Only HTTP/1.1 and HTTP/1.0 are spoken here.");
        }
        if (request.headers.count("Host") != 1)
            co_return co_await refuse(400, "Send exactly one Host field.");
        auto parsed = parse_target(target == "*" ? "/*" : target);
        if (!parsed)
            co_return co_await refuse(
                400, "The URL is not valid: a path with correct escapes in UTF-8 is needed.");
        request.target = std::move(*parsed);
        ParserBody body(stream_, buffer_, parser, limits_);
        Response response = co_await handler_.handle(request, body);
        if (auto session = std::get_if<std::unique_ptr<SocketSession>>(&response.body)) {
            co_await upgrade(parser, std::move(*session));
            co_return false;
        }
        keep = keep && !response.close && !stopping_;
        // A short rest is read over, so that the connection can go on; after a long one it ends.
        bool drained = parser.is_done() || (keep && small_rest(request) && co_await body.drain());
        keep = keep && drained;
        if (!co_await respond(response, request.method == Method::head, keep)) co_return false;
        co_return keep;
    }

    static bool small_rest(const Request& request)
    {
        return request.content_length && *request.content_length <= drain_bytes;
    }

    asio::awaitable<bool> refuse_header(beast::error_code error)
    {
        if (error == http::error::header_limit || error == http::error::buffer_overflow) {
            co_return co_await refuse(431, "The header of the request is too large.");
        }
        bool grammar = error.category() == http::make_error_code(http::error::bad_method).category();
        if (!grammar || error == http::error::end_of_stream || error == http::error::partial_message)
            co_return false;
        co_return co_await refuse(400, "This is not a valid HTTP request.");
    }

    asio::awaitable<bool> refuse(int status, std::string_view why)
    {
        Response response = handler_.refuse(status, why);
        co_await respond(response, false, false);
        co_return false;
    }

    asio::awaitable<bool> respond(Response& response, bool head_only, bool keep)
    {
        auto head = serialize_head(response, keep);
        bool bodiless = head_only || response.status == 304 || response.status == 204;
        if (bodiless) co_return co_await write(head);
        if (auto text = std::get_if<std::string>(&response.body)) co_return co_await write_pair(head, *text);
        if (auto bytes = std::get_if<SharedBytes>(&response.body)) {
            auto data = reinterpret_cast<const char*>((*bytes)->data());
            co_return co_await write_pair(head, std::string_view(data, (*bytes)->size()));
        }
        if (!co_await write(head)) co_return false;
        if (auto file = std::get_if<FileSlice>(&response.body)) co_return co_await write_file(*file);
        co_return co_await write_stream(*std::get<std::unique_ptr<StreamBody>>(response.body));
    }

    // Head and the first piece leave in one segment.
    asio::awaitable<bool> write_pair(std::string_view head, std::string_view body)
    {
        auto first = body.substr(0, piece_bytes);
        std::array<asio::const_buffer, 2> parts{asio::buffer(head), asio::buffer(first)};
        stream_.expires_after(limits_.body_time);
        auto [error, n] = co_await asio::async_write(stream_, parts, waiting);
        if (error) co_return false;
        co_return co_await write(body.substr(first.size()));
    }

    asio::awaitable<bool> write(std::string_view bytes)
    {
        while (!bytes.empty()) {
            auto piece = bytes.substr(0, piece_bytes);
            stream_.expires_after(limits_.body_time);
            auto [error, n] = co_await asio::async_write(stream_, asio::buffer(piece), waiting);
            if (error) co_return false;
            bytes.remove_prefix(piece.size());
        }
        co_return true;
    }

    asio::awaitable<bool> write_file(FileSlice slice)
    {
        auto piece =
            std::make_shared<std::vector<char>>(std::min<std::uint64_t>(file_piece_bytes, slice.length));
        while (slice.length > 0) {
            auto want = std::min<std::uint64_t>(piece->size(), slice.length);
            auto got = co_await on_work(work_, [piece, want, slice] {
                return ::pread(slice.file->descriptor(), piece->data(), want,
                               static_cast<off_t>(slice.offset));
            });
            if (got <= 0) co_return false; // shorter than announced: the peer must see a broken transfer
            if (!co_await write(std::string_view(piece->data(), static_cast<std::size_t>(got))))
                co_return false;
            slice.offset += static_cast<std::uint64_t>(got);
            slice.length -= static_cast<std::uint64_t>(got);
        }
        co_return true;
    }

    // Chunks until the stream ends, the peer leaves or the server stops.
    asio::awaitable<bool> write_stream(StreamBody& body)
    {
        flowing_ = &body;
        if (stopping_) body.stop();
        auto self = shared_from_this();
        asio::co_spawn(strand_, [self]() { return self->watch_peer(); }, asio::detached);
        bool good = true;
        while (good) {
            auto piece = co_await body.next();
            if (piece.empty()) break;
            good = co_await write(fmt::format("{:x}\r\n{}\r\n", piece.size(), piece));
        }
        flowing_ = nullptr;
        if (good) co_await write("0\r\n\r\n");
        co_return false; // watch_peer() may have eaten what came next
    }

    asio::awaitable<void> watch_peer()
    {
        std::array<char, 512> scrap;
        boost::system::error_code error;
        while (!error && flowing_) {
            auto result = co_await stream_.socket().async_read_some(asio::buffer(scrap), waiting);
            error = std::get<0>(result);
        }
        if (flowing_) flowing_->stop();
    }

    asio::awaitable<void> upgrade(Parser& parser, std::shared_ptr<SocketSession> session)
    {
        session_ = session;
        upgraded_ = true;
        if (stopping_) session->stop();
        co_await run_socket(std::move(stream_), parser.release(), session);
        session_ = nullptr;
    }

    // Lets the last answer arrive: closing with unread input makes the kernel reset the connection and the
    // peer lose what we said.
    asio::awaitable<void> linger()
    {
        if (!stream_.socket().is_open()) co_return;
        boost::system::error_code ignored;
        stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
        stream_.expires_after(std::chrono::seconds(2));
        std::array<char, 16 * 1024> scrap;
        for (std::size_t seen = 0; seen < (4u << 20);) {
            auto [error, n] = co_await stream_.async_read_some(asio::buffer(scrap), waiting);
            if (error) co_return;
            seen += n;
        }
    }

    beast::tcp_stream stream_; // empty once it has become a WebSocket
    asio::any_io_executor strand_;
    beast::flat_buffer buffer_;
    HttpHandler& handler_;
    const NetLimits& limits_;
    WorkPool& work_;
    bool idle_ = false;
    bool stopping_ = false;
    bool upgraded_ = false;
    StreamBody* flowing_ = nullptr;
    std::shared_ptr<SocketSession> session_;
};

} // namespace

std::shared_ptr<Connection> make_connection(asio::ip::tcp::socket socket, HttpHandler& handler,
                                            const NetLimits& limits, WorkPool& work)
{
    return std::make_shared<HttpConnection>(std::move(socket), handler, limits, work);
}

} // namespace vitrine::server
