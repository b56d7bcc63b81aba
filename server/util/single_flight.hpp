#pragma once
// Runs equal concurrent work once: the first caller runs it, the others wait for its result or exception.
// Blocking; for the work pool. Results are not kept after the last waiter has its copy.

#include <chrono>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "loaders/base/stop.hpp"

namespace vitrine::server {

template <class Value>
class SingleFlight {
public:
    // `value` must be cheap to copy (a shared_ptr, or a Result of one). If the caller that runs the work is
    // stopped (loaders/base/stop.hpp), one of the others runs it again; one that waits can be stopped, too.
    Value run(const std::string& key, const std::function<Value()>& work)
    {
        for (;;)
            if (auto value = try_run(key, work)) return std::move(*value);
    }

private:
    static constexpr std::chrono::milliseconds stop_interval{50};

    // Empty: the work of another caller was stopped.
    std::optional<Value> try_run(const std::string& key, const std::function<Value()>& work)
    {
        std::promise<Value> promise;
        auto [flight, leading] = join(key, promise);
        if (!leading) return result_of_other(flight);
        try {
            promise.set_value(work());
        } catch (...) {
            promise.set_exception(std::current_exception());
        }
        leave(key);
        return flight.get();
    }

    static std::optional<Value> result_of_other(const std::shared_future<Value>& flight)
    {
        while (flight.wait_for(stop_interval) != std::future_status::ready)
            check_stop();
        try {
            return flight.get();
        } catch (const Stopped&) {
            check_stop();
            return std::nullopt;
        }
    }

    std::pair<std::shared_future<Value>, bool> join(const std::string& key, std::promise<Value>& promise)
    {
        std::lock_guard lock(mutex_);
        auto found = flights_.find(key);
        if (found != flights_.end()) return {found->second, false};
        auto flight = promise.get_future().share();
        flights_.emplace(key, flight);
        return {flight, true};
    }
    void leave(const std::string& key)
    {
        std::lock_guard lock(mutex_);
        flights_.erase(key);
    }

    std::mutex mutex_;
    std::unordered_map<std::string, std::shared_future<Value>> flights_;
};

} // namespace vitrine::server
