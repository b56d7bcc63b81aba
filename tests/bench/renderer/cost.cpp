#include "tests/bench/renderer/cost.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

namespace vitrine::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int runs = 9;

double processor_seconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

} // namespace

Cost cost(const std::function<void()>& work)
{
    std::vector<double> times, processor;
    work();
    for (int i = 0; i < runs; ++i) {
        const double before = processor_seconds();
        const auto start = Clock::now();
        work();
        times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
        processor.push_back(processor_seconds() - before);
    }
    return {median(times), std::ranges::min(processor)};
}

} // namespace vitrine::bench
