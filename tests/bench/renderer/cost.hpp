#pragma once
// Measures wall-clock time and processor time of all threads.

#include <functional>
#include <span>
#include <vector>

namespace vitrine::bench {

struct Cost {
    double seconds; // median
    // Of all threads of this process, including those of a software device; the minimum of the runs, which is
    // less affected by other processes.
    double processor_seconds;
};

// Runs `work` once to warm up, then several times.
Cost cost(const std::function<void()>& work);
// The same for several functions, interleaved, so that load by other processes affects them equally.
std::vector<Cost> costs_in_turn(std::span<const std::function<void()>> works);

} // namespace vitrine::bench
