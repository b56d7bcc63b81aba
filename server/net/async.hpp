#pragma once
// Lets coroutines leave their strand and return to it, and wait for each other. No coroutine is ever spawned
// onto another executor and then cancelled (Boost 1.81 frees its state too early); blocking work goes through
// run_on_pool().

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "server/net/completions.hpp"
#include "server/net/transport/asio.hpp"
#include "server/util/work_pool.hpp"

namespace vitrine::server {

// Completion token: awaits an operation, which returns its error instead of throwing it.
inline constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

// A coroutine that waits for a value of another thread. Its context has work meanwhile.
template <class Handler>
class WaitingHandler {
public:
    explicit WaitingHandler(Handler handler)
        : executor_(asio::get_associated_executor(handler)), work_(executor_), handler_(std::move(handler)),
          inbox_(asio::use_service<Completions>(executor_.context()).expect())
    {
    }
    ~WaitingHandler()
    {
        if (!is_completed_) inbox_->add({}); // as expect() requires
    }
    WaitingHandler(const WaitingHandler&) = delete;
    WaitingHandler& operator=(const WaitingHandler&) = delete;

    // Once, on any thread. `self` keeps this object.
    template <class T>
    static void complete(const std::shared_ptr<WaitingHandler>& self, T value)
    {
        self->is_completed_ = true;
        self->inbox_->add([self, value = std::move(value)]() mutable {
            asio::post(self->executor_, [self, value = std::move(value)]() mutable {
                auto resume = std::move(self->handler_);
                std::move(resume)(std::move(value));
            });
        });
    }

private:
    asio::any_io_executor executor_;
    asio::executor_work_guard<asio::any_io_executor> work_;
    Handler handler_;
    std::shared_ptr<CompletionInbox> inbox_;
    bool is_completed_ = false;
};

// Calls `begin(complete)` and waits until complete(value) is called, exactly once and from any thread, which
// takes no lock.
template <class T, class Begin>
asio::awaitable<T> await_callback(Begin begin)
{
    auto initiate = [begin = std::move(begin)](auto handler) mutable {
        using Waiting = WaitingHandler<decltype(handler)>;
        begin([waiting = std::make_shared<Waiting>(std::move(handler))](T value) {
            Waiting::complete(waiting, std::move(value));
        });
    };
    co_return co_await asio::async_initiate<decltype(asio::use_awaitable), void(T)>(std::move(initiate),
                                                                                    asio::use_awaitable);
}

// The queue of the pool is full: 503.
struct PoolBusy : std::runtime_error {
    PoolBusy() : std::runtime_error("the work queue is full") {}
};

// Runs fn() on the pool and resumes on the caller's executor with its value or exception. Throws PoolBusy.
// Not cancellable: whatever fn() references must outlive it.
template <class Fn>
asio::awaitable<std::invoke_result_t<Fn&>> run_on_pool(WorkPool& pool, Fn fn)
{
    struct PooledCall {
        Fn fn;
        std::optional<std::invoke_result_t<Fn&>> value;
        std::exception_ptr error;
    };
    auto call = std::make_shared<PooledCall>(PooledCall{std::move(fn), {}, {}});
    auto begin = [&pool, call](const auto& complete) {
        bool posted = pool.post([call, complete]() mutable {
            try {
                call->value.emplace(call->fn());
            } catch (...) {
                call->error = std::current_exception();
            }
            complete(true);
        });
        if (!posted) complete(false);
    };
    bool ran = co_await await_callback<bool>(std::move(begin));
    if (!ran) throw PoolBusy();
    if (call->error) std::rethrow_exception(call->error);
    co_return std::move(*call->value);
}

// fn() on a pool, started by the constructor, which throws PoolBusy. The caller may do other work before it
// awaits the result, or leave: whatever fn() references must outlive it.
template <class T>
class StartedCall {
public:
    template <class Fn>
    StartedCall(WorkPool& pool, Fn fn)
        : StartedCall(in_turns, pool, [fn = std::move(fn)]() mutable { return std::optional<T>(fn()); })
    {
    }
    // fn() returns an empty optional when it has more to do: it is called again after the tasks that wait
    // then. If the queue of the pool is full then, the result is PoolBusy.
    struct InTurns {};
    static constexpr InTurns in_turns{};
    template <class Fn>
    StartedCall(InTurns, WorkPool& pool, Fn fn) : state_(std::make_shared<State>())
    {
        if (!post_turn(pool, state_, std::move(fn))) throw PoolBusy();
    }

    bool is_finished() const { return state_->is_finished; }
    // Call once. Resumes on the caller's executor with the value or exception of fn().
    asio::awaitable<T> result()
    {
        const auto state = state_;
        co_await await_callback<bool>([state](auto complete) { state->when_finished(std::move(complete)); });
        if (state->error) std::rethrow_exception(state->error);
        co_return std::move(*state->value);
    }

private:
    // The pool's thread sets the value, then reports the end; the coroutine sets whom to tell, then asks for
    // the end. Whoever comes second calls: neither waits for the other.
    struct State {
        std::optional<T> value;
        std::exception_ptr error;
        std::function<void(bool)> complete;
        std::atomic<bool> is_finished = false;
        std::atomic<bool> is_first = true;

        void finish()
        {
            is_finished = true;
            if (!is_first.exchange(false)) std::exchange(complete, nullptr)(true);
        }
        void when_finished(std::function<void(bool)> done)
        {
            complete = std::move(done);
            if (!is_first.exchange(false)) std::exchange(complete, nullptr)(true);
        }
    };

    template <class Fn>
    static bool post_turn(WorkPool& pool, const std::shared_ptr<State>& state, Fn fn)
    {
        return pool.post([&pool, state, fn = std::move(fn)]() mutable {
            try {
                state->value = fn();
                if (!state->value) {
                    if (post_turn(pool, state, std::move(fn))) return;
                    throw PoolBusy();
                }
            } catch (...) {
                state->error = std::current_exception();
            }
            state->finish();
        });
    }

    std::shared_ptr<State> state_;
};

// One coroutine waits, others on the same strand wake it. A notify() before the wait is not lost.
class Signal {
public:
    explicit Signal(const asio::any_io_executor& strand) : timer_(strand) {}
    void notify();
    asio::awaitable<void> wait(std::chrono::steady_clock::time_point until);

private:
    asio::steady_timer timer_;
    bool set_ = false;
};

} // namespace vitrine::server
