#pragma once
// Accepts connections, gives each to the thread that has the fewest, counts them and stops them. Its own
// state is used on the first thread. (One acceptor and not one per thread with SO_REUSEPORT: the kernel would
// distribute by a hash, so that of few connections one thread may get most, and another process of the user
// could take part.)

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <span>
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
#include "server/net/transport/tls_certificates.hpp"
#include "server/net/transport/tls_handshakes.hpp"
#include "server/net/transport/unix_socket.hpp"

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

// For connections with TLS.
struct TlsServer {
    TlsCertificates& certificates;
    TlsHandshakes& handshakes;
};

class Listener {
public:
    using Acceptor = asio::basic_socket_acceptor<asio::generic::stream_protocol>;

    // Binds all endpoints; throws std::runtime_error when one is not available. `tls`: null if no endpoint
    // has TLS.
    Listener(IoThreads& threads, std::span<const Endpoint> endpoints, HttpHandler& handler,
             const NetLimits& limits, WorkPool& work, const TlsServer* tls);

    std::vector<Endpoint> endpoints() const; // with the actual ports
    void start();
    // Any thread. Accepts no new connections; existing ones finish their requests and are aborted after
    // limits.stop_time. Calls `done` when the last one has ended.
    void stop(std::function<void()> done);
    std::size_t connections() const { return count_; }

private:
    // An endpoint that accepts connections.
    struct Gate {
        Endpoint endpoint;
        std::unique_ptr<UnixSocketFile> file; // null: TCP
        Acceptor acceptor;
    };
    Gate open_gate(const Endpoint& endpoint);
    asio::awaitable<void> accept_loop(Gate& gate);
    asio::awaitable<void> serve(std::uint64_t id, std::shared_ptr<Connection> connection, bool has_tls);
    std::size_t least_used_thread() const;
    void begin(Stream stream, std::size_t thread);
    void begin_handshake(std::uint64_t id);
    void reject_connection(Stream stream);
    void ended(std::uint64_t id);

    IoThreads& threads_;
    asio::io_context::executor_type executor_; // of the first thread
    std::deque<Gate> gates_;
    HttpHandler& handler_;
    const NetLimits& limits_;
    WorkPool& work_;
    const TlsServer* tls_;
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
    std::set<std::uint64_t> handshakes_; // connections whose handshake has not ended, oldest first
    std::size_t rejecting_ = 0;          // connections over the limit that are being answered
    std::atomic<std::size_t> count_ = 0;
    std::function<void()> done_;
};

} // namespace vitrine::server
