#pragma once
// Accepts connections, counts them and stops them. Its own state is used on one strand.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

#include "server/net/connection.hpp"
#include "server/net/endpoint.hpp"

namespace vitrine::server {

class Listener {
public:
    // Binds; throws boost::system::system_error when the address is not available.
    Listener(asio::io_context& io, const Endpoint& endpoint, HttpHandler& handler, const NetLimits& limits,
             WorkPool& work);

    const Endpoint& endpoint() const { return endpoint_; } // with the actual port
    void start();
    // Any thread. Accepts no new connections; existing ones finish their requests and are aborted after
    // limits.stop_time. Calls `done` when the last one has ended.
    void stop(std::function<void()> done);
    std::size_t connections() const { return count_; }

private:
    asio::awaitable<void> accept_loop();
    void begin(asio::ip::tcp::socket socket);
    void reject_connection(asio::ip::tcp::socket socket);
    void ended(std::uint64_t id);

    asio::io_context& io_;
    asio::strand<asio::io_context::executor_type> strand_;
    asio::ip::tcp::acceptor acceptor_;
    Endpoint endpoint_;
    HttpHandler& handler_;
    const NetLimits& limits_;
    WorkPool& work_;
    asio::steady_timer deadline_;
    std::unordered_map<std::uint64_t, std::shared_ptr<Connection>> connections_;
    std::uint64_t next_id_ = 0;
    std::size_t rejecting_ = 0; // connections over the limit that are being answered
    std::atomic<std::size_t> count_ = 0;
    std::function<void()> done_;
};

} // namespace vitrine::server
