// The end of a connection with unread input.

#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <gtest/gtest.h>
#include <poll.h>

#include "server/net/socket_writer.hpp"
#include "tests/unit/server/net/loopback_pair.hpp"

namespace vitrine::server {
namespace {

// Closing at once would reset the connection, and the peer could lose the response.
TEST(Linger, EndsTheOutputAndWaitsForThePeer)
{
    LoopbackPair ends;
    const NetLimits limits;
    WorkPool work{1, 8};
    SocketDeadline deadline{ends.server};
    SocketWriter writer{ends.server, deadline, limits, work};
    ends.send("input that nobody reads");
    bool ended = false;
    std::jthread peer([&] {
        pollfd output{ends.peer.native_handle(), POLLRDHUP, 0};
        ended = ::poll(&output, 1, static_cast<int>(test::wait_timeout.count()) * 1000) == 1;
        ends.peer.close();
    });
    asio::co_spawn(
        ends.server.get_executor(),
        [&]() -> asio::awaitable<void> {
            co_await writer.write("response");
            co_await writer.linger();
        },
        [&](const std::exception_ptr&) { ends.io.stop(); });
    ends.io.run_for(test::wait_timeout);
    peer.join();
    EXPECT_TRUE(ended);
    EXPECT_TRUE(ends.server.is_open()) << "the owner closes it";
}

} // namespace
} // namespace vitrine::server
