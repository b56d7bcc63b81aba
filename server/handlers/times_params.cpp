#include "server/handlers/query_params.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/scene/motion/frame_rate.hpp"

namespace vitrine::server {
namespace {

struct Series {
    double first = 0.0;
    double last = 0.0;
    double stride = 0.0; // above 0
};

// `end`, `step`: parameter names for errors.
std::vector<double> expand(QueryReader& reader, const Series& series, std::string_view end,
                           std::string_view step)
{
    double count = std::floor((series.last - series.first) / series.stride + 1e-6) + 1.0;
    bool backward = series.last < series.first;
    bool many = count > static_cast<double>(max_times);
    if (backward) reader.reject(end, "ends before it begins");
    if (many) reader.reject(step, fmt::format("gives more than {} times", max_times));
    std::vector<double> times;
    for (double i = 0; !backward && !many && i < count; ++i)
        times.push_back(series.first + i * series.stride);
    return times;
}

bool in_range(double seconds)
{
    return std::abs(seconds) <= max_seconds;
}

// t=from/to/step
std::vector<double> read_slashed(QueryReader& reader)
{
    auto parts = reader.numbers("t", 3, 3, '/');
    if (!parts) return {};
    Series series{(*parts)[0], (*parts)[1], (*parts)[2]};
    bool good = in_range(series.first) && in_range(series.last) && series.stride >= min_step &&
                series.stride <= max_seconds;
    if (good) return expand(reader, series, "t", "t");
    reader.reject(
        "t", fmt::format("must be from/to/step, with a step of {} to {} seconds", min_step, max_seconds));
    return {};
}

std::vector<double> read_times_list(QueryReader& reader)
{
    auto list = reader.numbers("t", 1, max_times);
    if (list && !std::all_of(list->begin(), list->end(), in_range)) reader.reject("t", "is out of range");
    return list.value_or(std::vector<double>{});
}

} // namespace

bool names_several_times(const Request& request)
{
    return std::ranges::any_of(request.target.query, [](const auto& parameter) {
        const auto& [name, value] = parameter;
        return (name == "t" && value.find_first_of(",/") != std::string::npos) || name == "from" ||
               name == "to" || name == "step";
    });
}

std::vector<double> read_times(QueryReader& reader, const scene::Clip& clip)
{
    auto values = reader.texts("t");
    auto from = reader.number("from", -max_seconds, max_seconds);
    auto to = reader.number("to", -max_seconds, max_seconds);
    auto step = reader.number("step", min_step, max_seconds);
    bool series = from || to || step;
    if (!values.empty() && series) reader.reject("t", "and from, to, step are mutually exclusive");
    if (!values.empty())
        return values.front().find('/') != std::string::npos ? read_slashed(reader) : read_times_list(reader);
    if (!series) return {0.0};
    double frame = 1.0 / scene::frame_rate_or_default(clip);
    return expand(reader, {from.value_or(0.0), to.value_or(clip.duration), step.value_or(frame)}, "to",
                  "step");
}

} // namespace vitrine::server
