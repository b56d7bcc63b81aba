#include <algorithm>
#include <cmath>
#include <cstdint>

#include "loaders/base/sort_unique.hpp"
#include "loaders/scene/bounds/joint_boxes.hpp"
#include "loaders/scene/motion/curve_extrema.hpp"
#include "loaders/scene/motion/extrapolation.hpp"

namespace vitrine::scene {
namespace {

std::vector<double> spread(double duration, std::size_t count)
{
    std::vector<double> times(std::max<std::size_t>(count, 1));
    for (std::size_t i = 1; i < times.size(); ++i)
        times[i] = duration * (static_cast<double>(i) / static_cast<double>(times.size() - 1));
    return times;
}

// Number of repetitions of the keys within `seconds` on one side.
double periods(const Extrapolation& extrapolation, double seconds, double period)
{
    if (!repeats(extrapolation) || !(seconds > 0.0) || !(period > 0.0)) return 0.0;
    const double count = std::ceil(seconds / period);
    return extrapolation.repeats == none ? count
                                         : std::min(count, static_cast<double>(extrapolation.repeats));
}

// Key times inside the clip, deduplicated while they are added, so that many channels with the same keys use
// no more memory than one.
class KeyTimes {
public:
    KeyTimes(double duration, std::size_t limit, std::vector<double>& times)
        : duration_(duration), limit_(limit), times_(times)
    {
    }

    // Adds the key times and the extrema of cubic curves, including repetitions. Returns false if there are
    // more distinct times than the limit, or too many to examine.
    bool add(const Channel& channel)
    {
        const auto extrema = find_extrema(channel);
        const double first = channel.times.front(), last = channel.times.back(), period = last - first;
        const double periods_before = periods(channel.before, first, period);
        const double periods_after = periods(channel.after, duration_ - last, period);
        if (!((periods_before + periods_after) * static_cast<double>(channel.times.size() + extrema.size()) <
              64.0 * static_cast<double>(limit_)))
            return false;
        for (auto i = -static_cast<std::int64_t>(periods_before);
             i <= static_cast<std::int64_t>(periods_after); ++i) {
            const auto k = static_cast<double>(i);
            const Extrapolation& extrapolation = i < 0 ? channel.before : channel.after;
            const bool mirrored = extrapolation.mode == ExtrapolationMode::mirror && i % 2 != 0;
            const auto add_repeated = [&](double time) {
                return add((mirrored ? first + last - time : time) + k * period);
            };
            if (!std::ranges::all_of(channel.times, add_repeated) ||
                !std::ranges::all_of(extrema, add_repeated))
                return false;
        }
        return true;
    }

    bool finish()
    {
        sort_unique(times_);
        return times_.size() <= limit_;
    }

private:
    bool add(double time)
    {
        if (!(time >= 0.0 && time <= duration_)) return true;
        times_.push_back(time);
        return times_.size() <= 4 * limit_ || finish();
    }

    double duration_;
    std::size_t limit_;
    std::vector<double>& times_;
};

bool add_keys(const Clip& clip, std::size_t limit, std::vector<double>& times)
{
    KeyTimes keys(clip.duration, limit, times);
    return std::ranges::all_of(clip.channels, [&](const Channel& channel) { return keys.add(channel); }) &&
           keys.finish();
}

} // namespace

std::vector<double> sample_times(const Clip& clip, double poses_per_second, std::size_t limit)
{
    limit = std::max<std::size_t>(limit, 2);
    if (!(clip.duration > 0.0)) return {0.0};
    const double steps = std::ceil(clip.duration * poses_per_second);
    if (!(steps < static_cast<double>(limit))) return spread(clip.duration, limit);
    std::vector<double> times = spread(clip.duration, static_cast<std::size_t>(std::max(steps, 1.0)) + 1);
    return add_keys(clip, limit, times) ? times : spread(clip.duration, limit);
}

} // namespace vitrine::scene
