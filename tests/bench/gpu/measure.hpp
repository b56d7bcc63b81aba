#pragma once
// Repeats work within a budget of time.

#include <functional>

namespace vitrine::bench {

struct Measured {
    double seconds = 0.0;           // median of the runs; of the first run if there is no other
    double processor_seconds = 0.0; // of all threads of this process, in the median run by time
    int runs = 0;                   // after the first, which may create what the others use
};

// Runs `work` once, then again until `budget_seconds` have passed, at most 25 times; not again if the first
// run has used the budget up. `now` returns the time in seconds; empty: the steady clock.
Measured measure_within(double budget_seconds, const std::function<void()>& work,
                        const std::function<double()>& now = {});

} // namespace vitrine::bench
