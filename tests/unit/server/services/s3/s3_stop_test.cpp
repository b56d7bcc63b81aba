// Calls of the object store end when the work that needs them is stopped.
#include <atomic>
#include <chrono>
#include <thread>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loaders/base/stop.hpp"
#include "server/services/s3/s3_client.hpp"
#include "tests/support/eventually.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

// Takes connections and never answers.
class SilentStore {
public:
    SilentStore() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* const any = reinterpret_cast<sockaddr*>(&address);
        const bool listens = ::bind(socket_, any, size) == 0 && ::listen(socket_, 8) == 0 &&
                             ::getsockname(socket_, any, &size) == 0;
        EXPECT_TRUE(listens);
        port_ = ntohs(address.sin_port);
    }
    ~SilentStore()
    {
        ::close(connection_);
        ::close(socket_);
    }
    SilentStore(const SilentStore&) = delete;
    SilentStore& operator=(const SilentStore&) = delete;

    // Waits until a request has arrived.
    bool receives_request()
    {
        if (!is_readable(socket_)) return false;
        connection_ = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
        return connection_ >= 0 && is_readable(connection_);
    }

    // Without a stop a request waits longer than the time limit of the test.
    S3Options options() const
    {
        S3Options options{.deadline = 1h, .max_stall = 1h};
        options.bucket = "bucket";
        options.scheme = "http";
        options.host = "127.0.0.1:" + std::to_string(port_);
        options.region = "us-east-1";
        options.keys = {.access_key = "a", .secret_key = "b", .session_token = {}};
        return options;
    }

private:
    static bool is_readable(int socket)
    {
        pollfd ready{.fd = socket, .events = POLLIN, .revents = 0};
        return ::poll(&ready, 1, std::chrono::milliseconds(test::wait_timeout).count()) == 1;
    }

    int socket_;
    int connection_ = -1;
    int port_ = 0;
};

TEST(S3Stop, EndsARequestThatWaits)
{
    SilentStore store;
    prometheus::Registry registry;
    S3Client client(store.options(), registry);
    std::stop_source source;
    const std::jthread stopper([&] {
        EXPECT_TRUE(store.receives_request());
        source.request_stop();
    });
    const StopScope scope(source.get_token());
    EXPECT_THROW(client.find("x"), Stopped);
}

TEST(S3Stop, IsHeardByAllThreadsOfTheWork)
{
    std::stop_source source;
    const StopScope scope(source.get_token());
    std::atomic<int> done = 0;
    const auto work = [&](std::size_t) {
        if (++done == 8) source.request_stop();
        while (done < 8)
            std::this_thread::yield();
        const bool ended = test::eventually([] {
            check_stop(); // throws
            return false;
        });
        EXPECT_TRUE(ended) << "a thread has not heard the stop";
    };
    EXPECT_THROW(for_each_parallel(8, 8, work), Stopped);
}

} // namespace
} // namespace vitrine::server
