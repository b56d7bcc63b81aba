#pragma once
// Whether the catalog can be read and how much disk space is free, looked at once a second by a thread of its
// own: readiness can be asked for at any time without waiting for a pool, the database or the disk.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <thread>

#include "server/services/catalog/catalog.hpp"

namespace vitrine::server {

class ReadinessProbe {
public:
    struct Times {
        std::chrono::milliseconds interval{1'000};
        std::chrono::milliseconds max_age{10'000}; // of a result; an older one counts as a failure
    };
    struct State {
        bool catalog = false; // it could be read
        std::uint64_t free_bytes = 0;
    };

    // Looks for the first time. `data`: the folder whose disk is looked at.
    ReadinessProbe(const Catalog& catalog, std::filesystem::path data, const Times& times);
    ~ReadinessProbe() { stop(); }
    ReadinessProbe(const ReadinessProbe&) = delete;
    ReadinessProbe& operator=(const ReadinessProbe&) = delete;

    void start(); // starts the thread
    void stop();

    // Any thread, does not wait.
    State state() const;

private:
    void look();

    const Catalog& catalog_;
    const std::filesystem::path data_;
    const Times times_;
    mutable std::mutex mutex_; // guards the members below
    State state_;
    std::chrono::steady_clock::time_point looked_{};
    std::condition_variable_any stopped_;
    std::jthread thread_; // last, because it uses the members above
};

} // namespace vitrine::server
