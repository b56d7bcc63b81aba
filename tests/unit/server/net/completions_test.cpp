// Results of other threads on the thread of a context.

#include "server/net/completions.hpp"

#include <latch>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>

namespace vitrine::server {
namespace {

using ::testing::ElementsAre;

class CompletionsTest : public ::testing::Test {
protected:
    std::shared_ptr<CompletionInbox> expect() { return asio::use_service<Completions>(io).expect(); }

    asio::io_context io{1};
};

TEST_F(CompletionsTest, AreCalledInOrderByTheThreadOfTheContext)
{
    const auto inbox = expect();
    expect();
    std::vector<int> called;
    const auto here = std::this_thread::get_id();
    std::jthread other([&] {
        for (int i : {1, 2})
            inbox->add([&called, i, here] {
                EXPECT_EQ(std::this_thread::get_id(), here);
                called.push_back(i);
            });
    });
    io.run(); // ends after the second
    EXPECT_THAT(called, ElementsAre(1, 2));
}

TEST_F(CompletionsTest, NoneOfManyThreadsIsLost)
{
    constexpr int threads = 8, each = 2'000;
    int called = 0;
    auto inbox = expect();
    for (int i = 1; i < threads * each; ++i)
        expect();
    std::latch begin(threads);
    std::vector<std::jthread> others;
    for (int t = 0; t < threads; ++t)
        others.emplace_back([&] {
            begin.arrive_and_wait();
            for (int i = 0; i < each; ++i)
                inbox->add([&called] { ++called; });
        });
    io.run();
    EXPECT_EQ(called, threads * each);
}

TEST_F(CompletionsTest, MoreMayBeExpectedMeanwhile)
{
    std::vector<int> called;
    const auto inbox = expect();
    inbox->add([&] {
        called.push_back(1);
        expect()->add([&] { called.push_back(2); });
    });
    io.run();
    io.restart();
    expect()->add([&] { called.push_back(3); });
    io.run();
    EXPECT_THAT(called, ElementsAre(1, 2, 3));
}

TEST_F(CompletionsTest, AnEmptyOneIsOnlyCounted)
{
    expect()->add({});
    io.run();
    EXPECT_TRUE(io.stopped());
}

TEST(CompletionInboxTest, WhatIsAddedAfterTheContextIsDestroyed)
{
    const auto held = std::make_shared<int>(1);
    std::shared_ptr<CompletionInbox> inbox;
    {
        asio::io_context io{1};
        inbox = asio::use_service<Completions>(io).expect();
        inbox->add([held] {});
        EXPECT_EQ(held.use_count(), 2);
    }
    EXPECT_EQ(held.use_count(), 1);
    inbox->add([held] {});
    EXPECT_EQ(held.use_count(), 1);
}

} // namespace
} // namespace vitrine::server
