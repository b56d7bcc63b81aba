#include "tests/bench/gpu/measure.hpp"

#include <algorithm>
#include <ctime>
#include <vector>

#include "tests/bench/timing.hpp"

namespace vitrine::bench {
namespace {

constexpr int max_runs = 25;

double steady_seconds()
{
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

Measured run_once(const std::function<void()>& work, const std::function<double()>& now)
{
    const auto processor = std::clock();
    const auto start = now();
    work();
    return {.seconds = now() - start,
            .processor_seconds = static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC};
}

} // namespace

Measured measure_within(double budget_seconds, const std::function<void()>& work,
                        const std::function<double()>& now)
{
    if (!now) return measure_within(budget_seconds, work, steady_seconds);
    const auto start = now();
    const auto first = run_once(work, now);
    std::vector<Measured> runs;
    while (now() - start < budget_seconds && runs.size() < max_runs)
        runs.push_back(run_once(work, now));
    if (runs.empty()) return first;
    const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
    std::ranges::nth_element(runs, middle, {}, &Measured::seconds);
    auto median = *middle;
    median.runs = static_cast<int>(runs.size());
    return median;
}

} // namespace vitrine::bench
