#include "server/net/listener.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>

#include "server/net/async.hpp"

namespace vitrine::server {
namespace {

using asio::ip::tcp;

constexpr std::size_t max_pending_rejections = 64; // rejections in progress

tcp::acceptor bind(const asio::any_io_executor& executor, const Endpoint& endpoint)
{
    tcp::resolver resolver(executor);
    tcp::endpoint found = *resolver.resolve(endpoint.host, std::to_string(endpoint.port)).begin();
    tcp::acceptor acceptor(executor);
    acceptor.open(found.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    acceptor.bind(found);
    acceptor.listen(1024);
    return acceptor;
}

} // namespace

Listener::Listener(asio::io_context& io, const Endpoint& endpoint, HttpHandler& handler,
                   const NetLimits& limits, WorkPool& work)
    : io_(io), strand_(asio::make_strand(io)), acceptor_(bind(asio::any_io_executor(strand_), endpoint)),
      endpoint_(endpoint), handler_(handler), limits_(limits), work_(work), deadline_(strand_)
{
    endpoint_.port = acceptor_.local_endpoint().port();
}

void Listener::start()
{
    asio::co_spawn(strand_, accept_loop(), asio::detached);
}

asio::awaitable<void> Listener::accept_loop()
{
    asio::steady_timer pause(strand_);
    while (acceptor_.is_open()) {
        tcp::socket socket(asio::make_strand(io_));
        auto [error] = co_await acceptor_.async_accept(socket, as_result);
        if (!acceptor_.is_open()) break;
        if (error) { // no descriptors left, or the peer has disconnected: continue
            pause.expires_after(std::chrono::milliseconds(100));
            co_await pause.async_wait(as_result);
            continue;
        }
        begin(std::move(socket));
    }
}

void Listener::begin(tcp::socket socket)
{
    boost::system::error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    if (connections_.size() >= limits_.max_connections) return reject_connection(std::move(socket));
    auto id = next_id_++;
    auto executor = socket.get_executor();
    auto connection = make_connection(std::move(socket), handler_, limits_, work_);
    connections_.emplace(id, connection);
    count_ = connections_.size();
    asio::co_spawn(
        executor, [connection]() { return connection->run(); },
        [this, id, connection](const std::exception_ptr&) {
            asio::post(strand_, [this, id] { ended(id); });
        });
}

void Listener::reject_connection(tcp::socket socket)
{
    if (rejecting_ >= max_pending_rejections) return; // close without a response
    ++rejecting_;
    auto executor = socket.get_executor();
    asio::co_spawn(executor, reject(std::move(socket), limits_, work_),
                   [this](const std::exception_ptr&) { asio::post(strand_, [this] { --rejecting_; }); });
}

void Listener::ended(std::uint64_t id)
{
    connections_.erase(id);
    count_ = connections_.size();
    if (!connections_.empty() || !done_) return;
    deadline_.cancel();
    std::exchange(done_, nullptr)();
}

void Listener::stop(std::function<void()> done)
{
    asio::dispatch(strand_, [this, done = std::move(done)]() mutable {
        boost::system::error_code ignored;
        acceptor_.close(ignored);
        if (connections_.empty()) return done();
        done_ = std::move(done);
        for (auto& [id, connection] : connections_)
            connection->stop();
        deadline_.expires_after(limits_.stop_time);
        deadline_.async_wait([this](boost::system::error_code cancelled) {
            if (cancelled) return;
            for (auto& [id, connection] : connections_)
                connection->abort();
        });
    });
}

} // namespace vitrine::server
