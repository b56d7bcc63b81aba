// Time limits of waiting operations.

#include "server/net/transport/socket_deadline.hpp"

#include <array>
#include <chrono>
#include <optional>

#include <gtest/gtest.h>

#include "tests/unit/server/net/loopback_pair.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

class DeadlineTest : public ::testing::Test {
protected:
    DeadlineTest() { wait(); }

    // Begins a read that only the deadline can end.
    void wait()
    {
        ends.server.async_read_some(boost::asio::buffer(byte),
                                    [this](boost::system::error_code error, std::size_t) {
                                        ended = error;
                                        ends.io.stop(); // the timer goes on
                                    });
    }
    void run(std::chrono::milliseconds time)
    {
        ends.io.restart();
        ends.io.run_for(time);
    }

    LoopbackPair ends;
    std::optional<SocketDeadline> deadline{std::in_place, ends.server};
    std::array<char, 1> byte{};
    std::optional<boost::system::error_code> ended;
};

TEST_F(DeadlineTest, CancelsAtItsTime)
{
    deadline->set(1ms);
    run(test::wait_timeout);
    EXPECT_EQ(ended, boost::asio::error::operation_aborted);
    EXPECT_TRUE(deadline->expired());
}

TEST_F(DeadlineTest, EarlierTimeReplacesALaterOne)
{
    deadline->set(1h);
    deadline->set(1ms);
    run(test::wait_timeout);
    EXPECT_TRUE(ended);
    EXPECT_TRUE(deadline->expired());
}

TEST_F(DeadlineTest, LaterTimeReplacesAnEarlierOne)
{
    deadline->set(1ms);
    deadline->set(1h);
    run(50ms);
    EXPECT_FALSE(ended);
    EXPECT_FALSE(deadline->expired());
}

TEST_F(DeadlineTest, DoesNothingAfterItWasCleared)
{
    deadline->set(1ms);
    deadline->clear();
    run(50ms);
    EXPECT_FALSE(ended);
    deadline->set(1ms);
    run(test::wait_timeout);
    EXPECT_TRUE(ended) << "it can be set again";
}

TEST_F(DeadlineTest, CanBeSetAgainAfterItsTime)
{
    deadline->set(1ms);
    run(test::wait_timeout);
    ended.reset();
    deadline->set(1ms);
    EXPECT_FALSE(deadline->expired());
    wait();
    run(test::wait_timeout);
    EXPECT_TRUE(ended);
}

// As when the completion of the first one was queued already.
TEST_F(DeadlineTest, CancelsOperationsThatBeginAfterItsTime)
{
    deadline->set(1ms);
    run(test::wait_timeout);
    ended.reset();
    wait();
    run(test::wait_timeout);
    EXPECT_EQ(ended, boost::asio::error::operation_aborted);
    ended.reset();
    wait();
    deadline->clear();
    run(250ms);
    EXPECT_FALSE(ended) << "until it is cleared";
}

TEST_F(DeadlineTest, DoesNotKeepTheThreadAfterItsEnd)
{
    deadline->set(1h);
    deadline.reset();
    ends.server.cancel();
    const auto began = std::chrono::steady_clock::now();
    run(test::wait_timeout);
    EXPECT_LT(std::chrono::steady_clock::now() - began, test::wait_timeout) << "no timer is left";
}

} // namespace
} // namespace vitrine::server
