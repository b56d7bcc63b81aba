#include "server/routing/request_watch.hpp"

#include <array>
#include <thread>

#include <gtest/gtest.h>
#include <prometheus/counter.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loaders/base/stop.hpp"
#include "server/net/stream_body.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

class RequestWatchTest : public ::testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()), 0); }
    void TearDown() override
    {
        for (const int socket : sockets)
            if (socket >= 0) ::close(socket);
    }
    double stopped(const std::string& reason)
    {
        for (const auto& family : registry.Collect())
            for (const auto& metric : family.metric)
                for (const auto& label : metric.label)
                    if (label.value == reason) return metric.counter.value;
        return -1.0;
    }
    std::shared_ptr<const PeerSocket> peer() const { return std::make_shared<PeerSocket>(sockets[0]); }
    // Ends only by a stop.
    static HandlerResult work_forever()
    {
        for (;;) {
            check_stop();
            std::this_thread::sleep_for(1ms);
        }
    }

    std::array<int, 2> sockets{-1, -1};
    prometheus::Registry registry;
};

TEST_F(RequestWatchTest, ReturnsTheAnswer)
{
    RequestWatch watch(60s, registry);
    RequestWatch::Work work(watch, peer());
    const auto answer = work.answer([] { return HandlerResult(Response{.status = 204}); });
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 204);
    EXPECT_EQ(stopped("time"), 0.0);
}

TEST_F(RequestWatchTest, EndsWorkThatTakesTooLong)
{
    RequestWatch watch(50ms, registry);
    RequestWatch::Work work(watch, peer()), without_peer(watch, nullptr);
    for (auto* each : {&work, &without_peer}) {
        const auto answer = each->answer(work_forever);
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().status, 503);
        EXPECT_EQ(answer.error().code, "time_limit_exceeded");
        EXPECT_EQ(answer.error().retry_after_s, 30u);
    }
    EXPECT_EQ(stopped("time"), 2.0);
    EXPECT_NO_THROW(check_stop()) << "the scope has ended with the answer";
}

TEST_F(RequestWatchTest, EndsWorkWhoseClientHasLeft)
{
    RequestWatch watch(60s, registry);
    RequestWatch::Work work(watch, peer());
    const auto began = std::chrono::steady_clock::now();
    ::close(std::exchange(sockets[1], -1));
    EXPECT_THROW(work.answer(work_forever), PeerDisconnected);
    EXPECT_LT(std::chrono::steady_clock::now() - began, 10s);
    EXPECT_EQ(stopped("client"), 1.0);
    EXPECT_THROW(work.answer([] { return HandlerResult(Response{}); }), PeerDisconnected)
        << "work that waited in a queue is not begun";
}

TEST_F(RequestWatchTest, KeepsOtherExceptions)
{
    RequestWatch watch(60s, registry);
    RequestWatch::Work work(watch, peer());
    EXPECT_THROW(work.answer([]() -> HandlerResult { throw std::runtime_error("of the work"); }),
                 std::runtime_error);
}

} // namespace
} // namespace vitrine::server
