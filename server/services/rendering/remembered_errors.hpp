#pragma once
// Errors of images that would fail again: a model that is too large for the device takes seconds to say so.
// Any thread.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "server/util/error.hpp"

namespace vitrine::server {

class RememberedErrors {
public:
    using Clock = std::chrono::steady_clock;

    // Keeps the `max_errors` newest errors for `lifetime`: the device may have more memory later.
    RememberedErrors(std::size_t max_errors, std::chrono::seconds lifetime)
        : max_errors_(max_errors), lifetime_(lifetime)
    {
    }

    // `pixels`: of a frame of the image that failed; images with fewer need less memory and may succeed.
    void add(const std::string& key, const ServiceError& error, std::uint64_t pixels, Clock::time_point now)
    {
        const std::lock_guard lock(mutex_);
        if (!errors_.insert_or_assign(key, Entry{error, pixels, now + lifetime_}).second) return;
        order_.push_back(key);
        while (order_.size() > max_errors_) {
            errors_.erase(order_.front());
            order_.pop_front();
        }
    }

    // Returns the error of an image of at most `pixels`.
    std::optional<ServiceError> find(const std::string& key, std::uint64_t pixels,
                                     Clock::time_point now) const
    {
        const std::lock_guard lock(mutex_);
        const auto found = errors_.find(key);
        if (found == errors_.end() || found->second.expiry <= now) return std::nullopt;
        if (found->second.pixels > pixels) return std::nullopt;
        return found->second.error;
    }

private:
    struct Entry {
        ServiceError error;
        std::uint64_t pixels;
        Clock::time_point expiry;
    };

    const std::size_t max_errors_;
    const std::chrono::seconds lifetime_;
    mutable std::mutex mutex_; // guards the members below
    std::unordered_map<std::string, Entry> errors_;
    std::deque<std::string> order_; // keys, oldest first
};

} // namespace vitrine::server
