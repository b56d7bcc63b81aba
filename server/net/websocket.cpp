#include "server/net/websocket.hpp"

#include <algorithm>
#include <array>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>
#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "server/net/async.hpp"

namespace vitrine::server {
namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
using WebSocketStream = websocket::stream<Stream>;

constexpr std::size_t max_message_bytes = 64 * 1024;

struct WebSocketEnds {
    WebSocketStream stream;
    std::shared_ptr<WebSocketSession> session;
    Signal writer_ended;
    bool writing = true;
};

asio::awaitable<bool> send(WebSocketStream& stream, const WebSocketText& message)
{
    stream.text(true);
    auto [error, sent] = co_await stream.async_write(asio::buffer(message.text), as_result);
    co_return !error;
}

asio::awaitable<bool> send(WebSocketStream& stream, const WebSocketBinary& message)
{
    stream.binary(true);
    std::array<asio::const_buffer, 2> parts{asio::buffer(*message.head), asio::buffer(*message.payload)};
    auto [error, sent] = co_await stream.async_write(parts, as_result);
    co_return !error;
}

asio::awaitable<bool> send(WebSocketStream& stream, const WebSocketClose& message)
{
    websocket::close_reason reason(static_cast<websocket::close_code>(message.code), message.reason);
    auto [error] = co_await stream.async_close(reason, as_result);
    static_cast<void>(error); // the peer may have closed first
    co_return false;
}

asio::awaitable<bool> send_any(WebSocketStream& stream, const WebSocketMessage& message)
{
    if (auto text = std::get_if<WebSocketText>(&message)) co_return co_await send(stream, *text);
    if (auto binary = std::get_if<WebSocketBinary>(&message)) co_return co_await send(stream, *binary);
    co_return co_await send(stream, std::get<WebSocketClose>(message));
}

asio::awaitable<void> write_loop(std::shared_ptr<WebSocketEnds> ends)
{
    try {
        for (bool open = true; open;) {
            WebSocketMessage message = co_await ends->session->next();
            open = co_await send_any(ends->stream, message);
        }
    } catch (const std::exception&) {
        // An error in the session closes this connection only.
    }
    ends->stream.next_layer().cancel();
    ends->writing = false;
    ends->writer_ended.notify();
}

asio::awaitable<beast::error_code> read_loop(WebSocketEnds& ends)
{
    beast::flat_buffer buffer;
    for (;;) {
        auto [error, received] = co_await ends.stream.async_read(buffer, as_result);
        if (error) co_return error;
        std::string_view message(static_cast<const char*>(buffer.data().data()), buffer.size());
        if (ends.stream.got_text()) {
            ends.session->receive(message);
        } else {
            ends.session->receive_binary(message);
        }
        buffer.consume(buffer.size());
    }
}

using Times = websocket::stream_base::timeout;

void prepare(WebSocketStream& stream, const Times& times)
{
    stream.set_option(times);
    stream.read_message_max(max_message_bytes);
    stream.auto_fragment(false);
}

// After the handshake: returns when both sides have closed. `error`: what has ended the reading.
asio::awaitable<void> run_session(std::shared_ptr<WebSocketEnds> ends, beast::error_code& error)
{
    const auto strand = co_await asio::this_coro::executor;
    ends->session->start(strand);
    asio::co_spawn(strand, write_loop(ends), asio::detached);
    error = co_await read_loop(*ends);
    ends->session->disconnect();
    while (ends->writing) {
        co_await ends->writer_ended.wait(std::chrono::steady_clock::now() + std::chrono::seconds(1));
    }
}

// What has become of the client's handshake; empty: it has succeeded.
std::string handshake_failure(beast::error_code error, const websocket::response_type& response)
{
    if (error == websocket::error::upgrade_declined)
        return fmt::format("the peer answered with status {}", response.result_int());
    return error ? error.message() : "";
}

// A list may be sent as several fields of its name.
bool names(const Request& request, std::string_view name, std::string_view token)
{
    return std::ranges::any_of(request.headers, [&](const auto& field) {
        return ascii::equal_ignoring_case(field.first, name) &&
               any_element(field.second, [&](std::string_view element) {
                   return ascii::equal_ignoring_case(element, token);
               });
    });
}

// 16 bytes in base64.
bool is_key(std::string_view text)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return text.size() == 24 && text.ends_with("==") && text.find_first_not_of(digits) == 22;
}

} // namespace

bool contains_token(std::string_view field, std::string_view token)
{
    return any_element(field, [&](std::string_view element) { return element == token; });
}

bool wants_websocket(const Request& request)
{
    return names(request, "Upgrade", "websocket");
}

bool has_websocket_version(const Request& request)
{
    return request.headers.find("Sec-WebSocket-Version") == "13";
}

std::string_view handshake_error(const Request& request)
{
    if (request.method != Method::get || request.is_http_1_0)
        return "A WebSocket is opened by GET of HTTP/1.1.";
    if (!names(request, "Connection", "Upgrade")) return "The field Connection must have Upgrade.";
    const bool has_key = request.headers.count("Sec-WebSocket-Key") == 1;
    if (!has_key || !is_key(*request.headers.find("Sec-WebSocket-Key")))
        return "Sec-WebSocket-Key must be 16 bytes in base64.";
    return {};
}

asio::awaitable<void> run_websocket(Stream transport, UpgradeRequest request,
                                    std::shared_ptr<WebSocketSession> session, const NetLimits& limits)
{
    auto strand = co_await asio::this_coro::executor;
    auto ends = std::make_shared<WebSocketEnds>(
        WebSocketEnds{WebSocketStream(std::move(transport)), session, Signal(strand), true});
    prepare(ends->stream, Times{std::chrono::seconds(10), limits.websocket_idle_time, true});
    ends->stream.set_option(websocket::stream_base::decorator(
        [protocol = std::string(session->protocol())](websocket::response_type& response) {
            response.set(beast::http::field::sec_websocket_protocol, protocol);
        }));
    auto [error] = co_await ends->stream.async_accept(request, as_result);
    if (error) co_return session->disconnect();
    co_await run_session(ends, error);
}

asio::awaitable<std::string> run_websocket_client(Stream transport, WebSocketTarget target,
                                                  std::shared_ptr<WebSocketSession> session)
{
    auto strand = co_await asio::this_coro::executor;
    auto ends = std::make_shared<WebSocketEnds>(
        WebSocketEnds{WebSocketStream(std::move(transport)), session, Signal(strand), true});
    prepare(ends->stream, Times{target.handshake_time, target.idle_time, true});
    ends->stream.set_option(websocket::stream_base::decorator(
        [protocol = std::string(session->protocol())](websocket::request_type& request) {
            request.set(beast::http::field::sec_websocket_protocol, protocol);
        }));
    websocket::response_type response;
    auto [error] = co_await ends->stream.async_handshake(response, target.host, target.path, as_result);
    if (auto failure = handshake_failure(error, response); !failure.empty()) {
        session->disconnect();
        co_return failure;
    }
    co_await run_session(ends, error);
    if (error == beast::error::timeout) co_return "it answers no more";
    const std::string reason(ends->stream.reason().reason.c_str());
    if (error == websocket::error::closed)
        co_return "it has closed the connection" + (reason.empty() ? reason : ": " + reason);
    co_return error.message();
}

} // namespace vitrine::server
