#pragma once
// Accepts connections, counts them and stops them. Everything of its own happens on one strand.

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
    // Binds; throws boost::system::system_error when the address cannot be had.
    Listener(asio::io_context& io, const Endpoint& endpoint, HttpHandler& handler, const NetLimits& limits,
             WorkPool& work);

    const Endpoint& endpoint() const { return endpoint_; } // with the real port
    void start();
    // Any thread. No new connections; those there finish what they do; the rest is cut off after
    // limits.stop_time. `done` runs when the last one is gone.
    void stop(std::function<void()> done);
    std::size_t connections() const { return count_; }

private:
    asio::awaitable<void> accept_loop();
    void begin(asio::ip::tcp::socket socket);
    void refuse(asio::ip::tcp::socket socket);
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
    std::size_t rejecting_ = 0; // connections that are too many and are being told so
    std::atomic<std::size_t> count_ = 0;
    std::function<void()> done_;
};

} // namespace vitrine::server
