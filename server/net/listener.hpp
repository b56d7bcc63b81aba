#pragma once
// Accepts connections, gives each to the thread that has the fewest, counts them and stops them. Its own
// state is used on the first thread. (One acceptor and not one per thread with SO_REUSEPORT: the kernel would
// distribute by a hash, so that of few connections one thread may get most, and another process of the user
// could take part.)

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/net/connection.hpp"
#include "server/net/transport/address_counts.hpp"
#include "server/net/transport/asio.hpp"
#include "server/net/transport/endpoint.hpp"

namespace vitrine::server {

// Threads for network I/O. Each has an io_context of its own, which nothing else runs, so that a connection
// needs no strand and no two threads wait for the same epoll descriptor.
class IoThreads {
public:
    explicit IoThreads(unsigned threads);

    std::size_t size() const { return contexts_.size(); }
    asio::io_context& context(std::size_t thread) { return *contexts_[thread]; }

    // Runs the first context on the calling thread and the others on threads of their own. Returns after
    // finish(), when no context has work.
    void run();
    // Any thread: contexts without work end.
    void finish();

private:
    std::vector<std::unique_ptr<asio::io_context>> contexts_;
    std::vector<asio::executor_work_guard<asio::io_context::executor_type>> work_;
};

class Listener {
public:
    using Acceptor = asio::basic_socket_acceptor<asio::generic::stream_protocol>;

    // Binds; throws boost::system::system_error when the address is not available.
    Listener(IoThreads& threads, const Endpoint& endpoint, HttpHandler& handler, const NetLimits& limits,
             WorkPool& work);

    const Endpoint& endpoint() const { return endpoint_; } // with the actual port
    void start();
    // Any thread. Accepts no new connections; existing ones finish their requests and are aborted after
    // limits.stop_time. Calls `done` when the last one has ended.
    void stop(std::function<void()> done);
    std::size_t connections() const { return count_; }

private:
    asio::awaitable<void> accept_loop();
    std::size_t least_used_thread() const;
    void begin(Stream stream, std::size_t thread);
    void reject_connection(Stream stream);
    void ended(std::uint64_t id);

    IoThreads& threads_;
    asio::io_context::executor_type executor_; // of the first thread
    Acceptor acceptor_;
    Endpoint endpoint_;
    HttpHandler& handler_;
    const NetLimits& limits_;
    WorkPool& work_;
    asio::steady_timer deadline_;
    struct Entry {
        std::shared_ptr<Connection> connection;
        std::size_t thread = 0;
        std::shared_ptr<const Peer> peer;
    };
    std::unordered_map<std::uint64_t, Entry> connections_;
    std::vector<std::size_t> per_thread_; // connections
    AddressCounts per_address_;
    std::uint64_t next_id_ = 0;
    std::size_t rejecting_ = 0; // connections over the limit that are being answered
    std::atomic<std::size_t> count_ = 0;
    std::function<void()> done_;
};

} // namespace vitrine::server
