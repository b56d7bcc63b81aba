#pragma once
// Gives memory that was freed back to the system. glibc's malloc keeps most of it: each thread has an arena,
// and one small block that lives on above a freed scene holds all of its pages.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace vitrine::server {

// How many bytes became resident in this process since it began, some perhaps more than once.
std::uint64_t bytes_faulted_in();
void trim_free_memory(); // blocks arenas for some milliseconds; any thread

// Gives back from time to time, on a thread of its own: only when so much has become resident since the last
// time that it is worth looking at every free block, so a server that has nothing to do sleeps.
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
    std::jthread thread_; // last: ends before what it uses
};

} // namespace vitrine::server
