#include "server/handlers/times.hpp"

#include <cmath>

#include <fmt/format.h>

namespace vitrine::server {

std::vector<double> read_times(QueryReader& reader, const scene::Clip& clip)
{
    auto list = reader.numbers("t", 1, max_times);
    auto from = reader.number("from", -max_seconds, max_seconds);
    auto to = reader.number("to", -max_seconds, max_seconds);
    auto step = reader.number("step", 1e-6, max_seconds);
    if (list && (from || to || step)) reader.refuse("t", "and from, to, step exclude each other");
    if (list) {
        for (double t : *list) {
            if (std::abs(t) > max_seconds) reader.refuse("t", "is out of range");
        }
        return *list;
    }
    if (!from && !to && !step) return {0.0};
    double first = from.value_or(0.0);
    double last = to.value_or(clip.duration);
    double stride = step.value_or(clip.frame_rate > 0.0 ? 1.0 / clip.frame_rate : 1.0 / 30.0);
    double count = std::floor((last - first) / stride + 1e-6) + 1.0;
    if (last < first) reader.refuse("to", "lies before from");
    if (count > static_cast<double>(max_times))
        reader.refuse("step", fmt::format("makes more than {} times", max_times));
    std::vector<double> times;
    bool good = last >= first && count <= static_cast<double>(max_times);
    for (double i = 0; good && i < count; ++i)
        times.push_back(first + i * stride);
    return times;
}

} // namespace vitrine::server
