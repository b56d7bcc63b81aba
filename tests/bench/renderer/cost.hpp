#pragma once
// What work costs: by the clock, and of all threads' processor time.

#include <functional>

namespace vitrine::bench {

struct Cost {
    double seconds; // median
    // Of all threads of this process, the software device's among them; the least of the runs, which says
    // what the work costs also where other programs run.
    double processor_seconds;
};

// Runs `work` once to warm up, then several times.
Cost cost(const std::function<void()>& work);

} // namespace vitrine::bench
