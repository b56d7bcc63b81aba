// Work on a pool that runs beside its coroutine.

#include <semaphore>
#include <stdexcept>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "server/net/async.hpp"

namespace vitrine::server {
namespace {

class StartedCallTest : public testing::Test {
protected:
    // Runs the coroutine to its end; returns what it threw.
    std::string run(asio::awaitable<void> coroutine)
    {
        std::string what;
        asio::io_context io;
        asio::co_spawn(io, std::move(coroutine), [&](const std::exception_ptr& error) {
            try {
                if (error) std::rethrow_exception(error);
            } catch (const std::exception& thrown) {
                what = thrown.what();
            }
        });
        io.run();
        return what;
    }

    WorkPool pool{1, 1};
    std::binary_semaphore finish{0};
};

} // namespace

TEST_F(StartedCallTest, RunsBesideTheCoroutine)
{
    const auto what = run([](StartedCallTest& test, auto& pool, auto& finish) -> asio::awaitable<void> {
        StartedCall<int> call(pool, [&] {
            finish.acquire(); // only this coroutine releases it
            return 7;
        });
        finish.release();
        EXPECT_EQ(co_await call.result(), 7);
        std::ignore = test;
    }(*this, pool, finish));
    EXPECT_EQ(what, "");
}

TEST_F(StartedCallTest, ThrowsWhatTheWorkThrew)
{
    const auto what = run([](auto& pool) -> asio::awaitable<void> {
        StartedCall<int> call(pool, []() -> int { throw std::runtime_error("the disk is full"); });
        co_await call.result();
    }(pool));
    EXPECT_EQ(what, "the disk is full");
}

TEST_F(StartedCallTest, WorkEndsAfterItsCoroutineHasLeft)
{
    auto kept = std::make_shared<int>(1);
    const auto what = run([](auto& pool, auto& finish, auto held) -> asio::awaitable<void> {
        const StartedCall<int> call(pool, [&finish, held] {
            finish.acquire();
            return ++*held;
        });
        throw std::runtime_error("the peer has left");
        co_return;
    }(pool, finish, kept));
    EXPECT_EQ(what, "the peer has left");
    finish.release();
    pool.stop();
    EXPECT_EQ(*kept, 2);
}

TEST_F(StartedCallTest, FullPoolIsBusy)
{
    const auto what = run([](auto& pool, auto& finish) -> asio::awaitable<void> {
        std::vector<StartedCall<int>> calls;
        const auto wait = [&finish] {
            finish.acquire();
            finish.release();
            return 1;
        };
        try {
            for (int i = 0; i < 10; ++i)
                calls.emplace_back(pool, wait);
        } catch (const PoolBusy&) {
            finish.release();
        }
        EXPECT_GE(calls.size(), 1u);
        EXPECT_LE(calls.size(), 2u) << "one runs, one is queued";
        for (auto& call : calls)
            EXPECT_EQ(co_await call.result(), 1);
    }(pool, finish));
    EXPECT_EQ(what, "");
}

TEST_F(StartedCallTest, TurnsAreBehindTheTasksThatWait)
{
    WorkPool two{1, 2};
    std::vector<std::string> order;
    const auto what = run([](auto& pool, auto& order, auto& finish) -> asio::awaitable<void> {
        StartedCall<int> call(StartedCall<int>::in_turns, pool,
                              [&, turn = 0]() mutable -> std::optional<int> {
                                  if (turn == 0) finish.acquire(); // until the other task is queued
                                  order.push_back("turn " + std::to_string(turn));
                                  return ++turn == 3 ? std::optional(7) : std::nullopt;
                              });
        pool.post([&] { order.push_back("other"); });
        finish.release();
        EXPECT_EQ(co_await call.result(), 7);
    }(two, order, finish));
    EXPECT_EQ(what, "");
    EXPECT_EQ(order, (std::vector<std::string>{"turn 0", "other", "turn 1", "turn 2"}));
}

TEST_F(StartedCallTest, TurnsEndWhenThePoolIsFull)
{
    int turns = 0;
    const auto what = run([](auto& pool, auto& turns, auto& finish) -> asio::awaitable<void> {
        StartedCall<int> call(StartedCall<int>::in_turns, pool, [&]() -> std::optional<int> {
            finish.acquire(); // until the queue is full
            ++turns;
            return std::nullopt;
        });
        while (!pool.post([] {})) { // until the thread has taken the first turn from the queue
        }
        finish.release();
        co_await call.result();
    }(pool, turns, finish));
    EXPECT_EQ(what, PoolBusy().what());
    EXPECT_EQ(turns, 1);
}

} // namespace vitrine::server
