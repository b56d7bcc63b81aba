#include "server/net/listener.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include "server/net/async.hpp"
#include "server/net/socket_writer.hpp"

namespace vitrine::server {
namespace {

using asio::ip::tcp;

constexpr std::size_t max_pending_rejections = 64; // rejections in progress

Listener::Acceptor open_acceptor(const asio::any_io_executor& executor, const Endpoint& endpoint)
{
    tcp::resolver resolver(executor);
    tcp::endpoint found = *resolver.resolve(endpoint.host, std::to_string(endpoint.port)).begin();
    Listener::Acceptor acceptor(executor);
    acceptor.open(found.protocol());
    acceptor.set_option(Listener::Acceptor::reuse_address(true));
    acceptor.bind(found);
    acceptor.listen(1024);
    return acceptor;
}

std::uint16_t bound_port(const Listener::Acceptor& acceptor)
{
    const auto bound = acceptor.local_endpoint();
    tcp::endpoint endpoint;
    if (bound.size() > endpoint.capacity()) return 0;
    std::memcpy(endpoint.data(), bound.data(), bound.size());
    endpoint.resize(bound.size());
    return endpoint.port();
}

// Answers a connection over the limit with 503 and waits briefly for the response to arrive.
asio::awaitable<void> reject(Stream stream, const NetLimits& limits, WorkPool& work)
{
    SocketDeadline deadline(stream);
    SocketWriter writer(stream, deadline, limits, work);
    Response busy = text_response(503, "text/plain", "Too many connections; try again later.\n");
    busy.headers.add("Retry-After", "2");
    auto sent = co_await writer.write(serialize_head(busy, false), std::get<std::string>(busy.body));
    if (sent) co_await writer.linger();
}

} // namespace

IoThreads::IoThreads(unsigned threads)
{
    for (unsigned i = 0; i < threads; ++i) {
        contexts_.push_back(std::make_unique<asio::io_context>(1)); // run by one thread
        work_.push_back(asio::make_work_guard(*contexts_.back()));
    }
}

void IoThreads::run()
{
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < contexts_.size(); ++i)
        threads.emplace_back([this, i] { contexts_[i]->run(); });
    contexts_.front()->run();
}

void IoThreads::finish()
{
    for (auto& guard : work_)
        guard.reset();
}

Listener::Listener(IoThreads& threads, std::span<const Endpoint> endpoints, HttpHandler& handler,
                   const NetLimits& limits, WorkPool& work, const TlsServer* tls)
    : threads_(threads), executor_(threads.context(0).get_executor()), handler_(handler), limits_(limits),
      work_(work), tls_(tls), deadline_(executor_), per_thread_(threads.size(), 0),
      per_address_(limits.max_connections_per_address)
{
    for (const auto& endpoint : endpoints)
        gates_.push_back(open_gate(endpoint));
}

Listener::Gate Listener::open_gate(const Endpoint& endpoint)
{
    if (!endpoint.is_unix()) {
        Gate gate{endpoint, nullptr, open_acceptor(executor_, endpoint)};
        gate.endpoint.port = bound_port(gate.acceptor);
        return gate;
    }
    auto file = std::make_unique<UnixSocketFile>(endpoint.socket_path, endpoint.socket_mode);
    const asio::local::stream_protocol protocol;
    Acceptor acceptor(executor_);
    acceptor.assign(asio::generic::stream_protocol(protocol), file->release());
    return {endpoint, std::move(file), std::move(acceptor)};
}

std::vector<Endpoint> Listener::endpoints() const
{
    std::vector<Endpoint> all;
    for (const auto& gate : gates_)
        all.push_back(gate.endpoint);
    return all;
}

void Listener::start()
{
    for (auto& gate : gates_)
        asio::co_spawn(executor_, accept_loop(gate), asio::detached);
}

asio::awaitable<void> Listener::accept_loop(Gate& gate)
{
    asio::steady_timer pause(executor_);
    while (gate.acceptor.is_open()) {
        const auto thread = least_used_thread();
        Stream::Socket socket(threads_.context(thread));
        auto [error] = co_await gate.acceptor.async_accept(socket, as_result);
        if (!gate.acceptor.is_open()) break;
        if (error) { // no descriptors left, or the peer has disconnected: continue
            pause.expires_after(std::chrono::milliseconds(100));
            co_await pause.async_wait(as_result);
            continue;
        }
        boost::system::error_code ignored;
        if (!gate.endpoint.is_unix()) socket.set_option(tcp::no_delay(true), ignored);
        try {
            begin(Stream(std::move(socket), gate.endpoint.tls ? tls_->certificates.current() : nullptr),
                  thread);
        } catch (const std::exception&) { // no memory: this connection is closed
        }
    }
}

std::size_t Listener::least_used_thread() const
{
    return static_cast<std::size_t>(std::ranges::min_element(per_thread_) - per_thread_.begin());
}

void Listener::begin(Stream stream, std::size_t thread)
{
    const auto peer = stream.peer();
    if (connections_.size() >= limits_.max_connections || !per_address_.add(peer->address))
        return reject_connection(std::move(stream));
    auto id = next_id_++;
    auto executor = stream.get_executor();
    const bool has_tls = stream.has_tls();
    std::shared_ptr<Connection> connection;
    try {
        connection = make_connection(std::move(stream), handler_, limits_, work_);
        connections_.emplace(id, Entry{connection, thread, peer});
    } catch (...) {
        per_address_.remove(peer->address);
        throw;
    }
    ++per_thread_[thread];
    count_ = connections_.size();
    try {
        if (has_tls) begin_handshake(id);
        asio::co_spawn(executor, serve(id, connection, has_tls),
                       [this, id, connection](const std::exception_ptr&) {
                           asio::post(executor_, [this, id] { ended(id); });
                       });
    } catch (...) {
        ended(id);
        throw;
    }
}

// Silent peers thus cannot keep others out: neither one of many addresses, nor one that begins many.
void Listener::begin_handshake(std::uint64_t id)
{
    if (handshakes_.size() >= limits_.max_handshakes) {
        const auto displaced = oldest_of_most_frequent(
            handshakes_, [this](std::uint64_t one) { return connections_.at(one).peer->address; });
        handshakes_.erase(displaced);
        connections_.at(displaced).connection->displace_handshake();
    }
    handshakes_.insert(id);
}

// On the thread of the connection.
asio::awaitable<void> Listener::serve(std::uint64_t id, std::shared_ptr<Connection> connection, bool has_tls)
{
    if (has_tls) {
        const auto failure = co_await connection->handshake();
        asio::post(executor_, [this, id] { handshakes_.erase(id); });
        if (failure.empty())
            tls_->handshakes.succeed();
        else
            tls_->handshakes.fail(*connection->peer(), failure);
        if (!failure.empty()) co_return;
    }
    co_await connection->run();
}

void Listener::reject_connection(Stream stream)
{
    if (stream.has_tls()) return;                     // without a handshake, the response could not be read
    if (rejecting_ >= max_pending_rejections) return; // close without a response
    ++rejecting_;
    auto executor = stream.get_executor();
    asio::co_spawn(executor, reject(std::move(stream), limits_, work_),
                   [this](const std::exception_ptr&) { asio::post(executor_, [this] { --rejecting_; }); });
}

void Listener::ended(std::uint64_t id)
{
    const auto found = connections_.find(id);
    --per_thread_[found->second.thread];
    handshakes_.erase(id);
    per_address_.remove(found->second.peer->address);
    connections_.erase(found);
    count_ = connections_.size();
    if (!connections_.empty() || !done_) return;
    deadline_.cancel();
    std::exchange(done_, nullptr)();
}

void Listener::stop(std::function<void()> done)
{
    asio::dispatch(executor_, [this, done = std::move(done)]() mutable {
        boost::system::error_code ignored;
        for (auto& gate : gates_) {
            gate.acceptor.close(ignored);
            gate.file.reset();
        }
        if (connections_.empty()) return done();
        done_ = std::move(done);
        for (auto& [id, entry] : connections_)
            entry.connection->stop();
        deadline_.expires_after(limits_.stop_time);
        deadline_.async_wait([this](boost::system::error_code cancelled) {
            if (cancelled) return;
            for (auto& [id, entry] : connections_)
                entry.connection->abort();
        });
    });
}

} // namespace vitrine::server
