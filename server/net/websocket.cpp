#include "server/net/websocket.hpp"

#include <array>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>

#include "server/net/async.hpp"

namespace vitrine::server {
namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
using WebSocketStream = websocket::stream<Stream>;

constexpr std::size_t max_message_bytes = 64 * 1024;

struct Link {
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

asio::awaitable<void> write_loop(std::shared_ptr<Link> link)
{
    try {
        for (bool open = true; open;) {
            WebSocketMessage message = co_await link->session->next();
            open = co_await send_any(link->stream, message);
        }
    } catch (const std::exception&) {
        // An error in the session closes this connection only.
    }
    link->stream.next_layer().cancel();
    link->writing = false;
    link->writer_ended.notify();
}

asio::awaitable<void> read_loop(Link& link)
{
    beast::flat_buffer buffer;
    for (;;) {
        auto [error, received] = co_await link.stream.async_read(buffer, as_result);
        if (error) co_return;
        std::string_view message(static_cast<const char*>(buffer.data().data()), buffer.size());
        if (link.stream.got_text()) {
            link.session->receive(message);
        } else {
            link.session->receive_binary();
        }
        buffer.consume(buffer.size());
    }
}

void prepare(WebSocketStream& stream, const std::string& protocol, const NetLimits& limits)
{
    websocket::stream_base::timeout times{std::chrono::seconds(10), limits.websocket_idle_time, true};
    stream.set_option(times);
    stream.set_option(websocket::stream_base::decorator([protocol](websocket::response_type& response) {
        response.set(beast::http::field::sec_websocket_protocol, protocol);
    }));
    stream.read_message_max(max_message_bytes);
    stream.auto_fragment(false);
}

} // namespace

asio::awaitable<void> run_websocket(Stream transport, UpgradeRequest request,
                                    std::shared_ptr<WebSocketSession> session, const NetLimits& limits)
{
    auto strand = co_await asio::this_coro::executor;
    auto link =
        std::make_shared<Link>(Link{WebSocketStream(std::move(transport)), session, Signal(strand), true});
    prepare(link->stream, std::string(session->protocol()), limits);
    auto [error] = co_await link->stream.async_accept(request, as_result);
    if (error) co_return session->disconnect();
    session->start(strand);
    asio::co_spawn(strand, write_loop(link), asio::detached);
    co_await read_loop(*link);
    session->disconnect();
    while (link->writing) {
        co_await link->writer_ended.wait(std::chrono::steady_clock::now() + std::chrono::seconds(1));
    }
}

} // namespace vitrine::server
