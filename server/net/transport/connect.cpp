#include "server/net/transport/connect.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include "server/net/transport/endpoint.hpp"

namespace vitrine::server {
namespace {

using asio::ip::tcp;
using Error = std::unexpected<std::string>;
using GenericEndpoint = asio::generic::stream_protocol::endpoint;
constexpr auto with_error = asio::as_tuple(asio::use_awaitable);

std::optional<Endpoint> parse_address(std::string_view address)
{
    const bool tls = address.starts_with("https://");
    if (tls || address.starts_with("http://")) address.remove_prefix(address.find("//") + 2);
    auto endpoint = parse_endpoint(address);
    if (!endpoint || (!endpoint->is_unix() && endpoint->port == 0)) return std::nullopt;
    endpoint->tls = tls;
    return endpoint;
}

asio::awaitable<std::expected<std::vector<GenericEndpoint>, std::string>> look_up(Endpoint endpoint)
{
    std::vector<GenericEndpoint> found;
    if (endpoint.is_unix()) {
        found.emplace_back(asio::local::stream_protocol::endpoint(endpoint.socket_path));
        co_return found;
    }
    tcp::resolver resolver(co_await asio::this_coro::executor);
    auto [error, results] =
        co_await resolver.async_resolve(endpoint.host, std::to_string(endpoint.port), with_error);
    if (error) co_return Error(fmt::format("{} cannot be looked up: {}", endpoint.host, error.message()));
    for (const auto& result : results)
        found.emplace_back(result.endpoint());
    co_return found;
}

// A connection that is being opened; shared with the handler of its timer.
struct ConnectAttempt {
    std::optional<Stream::Socket> socket;
    std::optional<Stream> stream; // made of the socket
    bool is_late = false;

    void expire()
    {
        boost::system::error_code ignored;
        is_late = true;
        if (stream)
            stream->close();
        else if (socket)
            socket->close(ignored);
    }
};

// Connects to the first address that answers. Returns what is wrong; empty: nothing.
asio::awaitable<std::string> open_socket(ConnectAttempt& attempt, Endpoint endpoint)
{
    const auto found = co_await look_up(endpoint);
    if (!found) co_return found.error();
    std::string failure = "it has no address";
    for (const auto& one : *found) {
        if (attempt.is_late) break;
        attempt.socket.emplace(co_await asio::this_coro::executor);
        auto [error] = co_await attempt.socket->async_connect(one, with_error);
        boost::system::error_code ignored;
        if (!error && !endpoint.is_unix()) attempt.socket->set_option(tcp::no_delay(true), ignored);
        if (!error) co_return "";
        failure = error.message();
    }
    co_return failure;
}

asio::awaitable<std::string> open_stream(ConnectAttempt& attempt, Endpoint endpoint,
                                         std::filesystem::path authorities)
{
    std::shared_ptr<const TlsContext> tls;
    if (endpoint.tls) {
        auto made = TlsContext::for_client(authorities, endpoint.host);
        if (!made) co_return made.error();
        tls = *std::move(made);
    }
    auto failure = co_await open_socket(attempt, endpoint);
    if (!failure.empty() || attempt.is_late) co_return failure;
    attempt.stream.emplace(std::move(*attempt.socket), std::move(tls));
    if (attempt.stream->has_tls()) failure = co_await attempt.stream->handshake();
    co_return failure.empty() ? "" : "the TLS handshake has failed: " + failure;
}

} // namespace

asio::awaitable<std::expected<Stream, std::string>>
connect_stream(std::string address, std::filesystem::path authorities, std::chrono::milliseconds time)
{
    const auto endpoint = parse_address(address);
    if (!endpoint) co_return Error(address + " is no address of a server");
    const auto attempt = std::make_shared<ConnectAttempt>();
    asio::steady_timer timer(co_await asio::this_coro::executor, time);
    timer.async_wait([attempt](boost::system::error_code cancelled) {
        if (!cancelled) attempt->expire();
    });
    const auto failure = co_await open_stream(*attempt, *endpoint, std::move(authorities));
    timer.cancel();
    if (attempt->is_late) co_return Error("it does not answer");
    if (!failure.empty()) co_return Error(failure);
    co_return std::move(*attempt->stream);
}

} // namespace vitrine::server
