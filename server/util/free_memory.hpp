#pragma once
// Returns freed memory to the system. glibc's malloc keeps most of it: each thread has an arena, and one
// small live block above a freed scene keeps all of its pages.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace vitrine::server {

// Returns the bytes that became resident in this process since its start; pages may be counted repeatedly.
std::uint64_t bytes_faulted_in();
void trim_free_memory(); // locks the arenas for some milliseconds; any thread

// Trims periodically on its own thread, only when enough memory became resident since the last time to
// justify a scan of all free blocks; an idle server does not wake up.
class FreeMemoryTrimmer {
public:
    struct Options {
        std::chrono::milliseconds pause{5'000};
        std::uint64_t threshold_bytes = 16u << 20;
        std::function<std::uint64_t()> faulted_in = bytes_faulted_in;
        std::function<void()> trim = trim_free_memory;
    };

    explicit FreeMemoryTrimmer(Options options);
    FreeMemoryTrimmer() : FreeMemoryTrimmer(Options{}) {}

private:
    void work(const std::stop_token& stop);

    const Options options_;
    std::mutex mutex_;
    std::condition_variable_any stopped_;
    std::jthread thread_; // last: joins before the members it uses are destroyed
};

} // namespace vitrine::server
