#include "tests/bench/renderer/cost.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

namespace vitrine::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int runs = 9;

double processor_seconds_now()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

struct Samples {
    std::vector<double> seconds, processor_seconds;

    void add(const std::function<void()>& work)
    {
        const double before = processor_seconds_now();
        const auto start = Clock::now();
        work();
        seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
        processor_seconds.push_back(processor_seconds_now() - before);
    }
};

} // namespace

std::vector<Cost> costs_in_turn(std::span<const std::function<void()>> works)
{
    std::vector<Samples> samples(works.size());
    for (const auto& work : works)
        work();
    for (int run = 0; run < runs; ++run)
        for (std::size_t i = 0; i < works.size(); ++i)
            samples[i].add(works[i]);
    std::vector<Cost> costs;
    for (const auto& each : samples)
        costs.push_back({median(each.seconds), std::ranges::min(each.processor_seconds)});
    return costs;
}

Cost cost(const std::function<void()>& work)
{
    return costs_in_turn({&work, 1})[0];
}

} // namespace vitrine::bench
