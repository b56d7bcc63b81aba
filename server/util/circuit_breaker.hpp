#pragma once
// Stops calls of a service after failures in a row, for a time that doubles; then one call tries again. Any
// thread.

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

namespace vitrine::server {

class CircuitBreaker {
public:
    using Clock = std::chrono::steady_clock;

    // `first_pause`: doubled with each failure, up to `max_pause`.
    explicit CircuitBreaker(std::chrono::milliseconds first_pause)
        : first_pause_(first_pause), pause_(first_pause)
    {
    }

    // Whether the store may be called.
    bool admit()
    {
        const std::lock_guard lock(mutex_);
        const auto now = Clock::now();
        if (failures_ < max_failures) return true;
        if (now < paused_until_) return false;
        paused_until_ = now + first_pause_; // for the others, while this call tries
        return true;
    }
    // Return whether calls are admitted again, or no more.
    bool succeed()
    {
        const std::lock_guard lock(mutex_);
        pause_ = first_pause_;
        return std::exchange(failures_, 0) >= max_failures;
    }
    bool fail()
    {
        const std::lock_guard lock(mutex_);
        if (++failures_ < max_failures) return false;
        paused_until_ = Clock::now() + pause_;
        pause_ = std::min(2 * pause_, max_pause);
        return failures_ == max_failures;
    }

private:
    static constexpr int max_failures = 3; // in a row, before a pause
    static constexpr std::chrono::milliseconds max_pause{60'000};

    const std::chrono::milliseconds first_pause_;
    std::mutex mutex_; // guards the members below
    std::chrono::milliseconds pause_;
    int failures_ = 0;
    Clock::time_point paused_until_{};
};

} // namespace vitrine::server
