#pragma once
// What work costs: by the clock, and of all threads' processor time.

#include <functional>
#include <span>
#include <vector>

namespace vitrine::bench {

struct Cost {
    double seconds; // median
    // Of all threads of this process, the software device's among them; the least of the runs, which says
    // what the work costs also where other programs run.
    double processor_seconds;
};

// Runs `work` once to warm up, then several times.
Cost cost(const std::function<void()>& work);
// The same of several, each in turn: what is compared shall have met the same moments of a shared machine.
std::vector<Cost> costs_in_turn(std::span<const std::function<void()>> works);

} // namespace vitrine::bench
