#pragma once
// Runs equal concurrent work once: the first caller runs it, the others wait for its result or exception.
// Blocking; for the work pool. Results are not kept after the last waiter has its copy.

#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <unordered_map>

namespace vitrine::server {

template <class Value>
class SingleFlight {
public:
    // `value` must be cheap to copy (a shared_ptr, or a Result of one).
    Value run(const std::string& key, const std::function<Value()>& work)
    {
        std::promise<Value> promise;
        auto [flight, leading] = join(key, promise);
        if (!leading) return flight.get();
        try {
            promise.set_value(work());
        } catch (...) {
            promise.set_exception(std::current_exception());
        }
        leave(key);
        return flight.get();
    }

private:
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
