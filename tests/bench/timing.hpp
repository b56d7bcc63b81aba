#pragma once
// Times of benchmarks.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace vitrine::bench {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// The value that `share` of all do not exceed; 0 without values.
inline double share_of(std::vector<double> values, double share)
{
    if (values.empty()) return 0.0;
    std::ranges::sort(values);
    return values[std::min(values.size() - 1,
                           static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

} // namespace vitrine::bench
