#include "loaders/scene/motion/key_position.hpp"

#include <algorithm>
#include <cmath>

namespace vitrine::scene {
namespace {

constexpr std::size_t max_steps = 8; // of a cursor before it searches

// A step takes effect at its key's time. Requested times are computed differently (frame / rate, or mapped
// back from a repetition) and may differ from the single-precision key time by a few ulps.
double with_slack(std::span<const float> times, double time)
{
    const double largest = std::max({std::abs(double{times.front()}), std::abs(double{times.back()}), 1e-3});
    return time + largest * 0x1p-22;
}

std::size_t search(std::span<const float> times, std::size_t first, std::size_t end, double time)
{
    const auto part = times.subspan(first, end - first);
    const auto after = std::ranges::upper_bound(part, time, {}, [](float t) { return double{t}; });
    return first + static_cast<std::size_t>(after - part.begin());
}

// The index of the first key after `time`. `at`: a guess.
std::size_t key_after(std::span<const float> times, std::size_t at, double time)
{
    if (at > times.size() || (at > 0 && time < double{times[at - 1]}))
        return search(times, 0, std::min(at, times.size()), time);
    // Without a branch: whether the next key is passed cannot be predicted.
    at += static_cast<std::size_t>(at < times.size() &&
                                   !(time < double{times[std::min(at, times.size() - 1)]}));
    for (std::size_t steps = 0; steps < max_steps; ++steps, ++at)
        if (at == times.size() || time < double{times[at]}) return at;
    return search(times, at, times.size(), time);
}

KeyPosition position(std::span<const float> times, std::size_t after, double time)
{
    if (after == 0) return {};
    const std::size_t key = after - 1;
    if (after == times.size()) return {.key = key};
    const double span = double{times[after]} - double{times[key]};
    return {.key = key, .between = true, .fraction = (time - double{times[key]}) / span, .span = span};
}

bool is_jump(double span, double time)
{
    return span <= std::max(std::abs(time), 1e-2) * 0x1p-20;
}

// Keys that are a few ulps apart represent a jump. No value between them is valid, so the nearest key is
// used; for the file's own time this is the key rounded from it.
KeyPosition resolve_jump(const KeyPosition& at, double time)
{
    if (!at.between || !is_jump(at.span, time)) return at;
    return {.key = at.fraction < 0.5 ? at.key : at.key + 1};
}

} // namespace

KeyPosition find_keys(std::span<const float> times, Interpolation interpolation, double time)
{
    const bool step = interpolation == Interpolation::step;
    if (step) time = with_slack(times, time);
    const KeyPosition at = position(times, search(times, 0, times.size(), time), time);
    return step ? at : resolve_jump(at, time);
}

// The positions are computed without branches. Jumps are rare: where one is, all are computed one by one.
void find_keys(std::span<const float> times, Interpolation interpolation, std::span<const double> moments,
               std::size_t& cursor, KeyLanes& lanes)
{
    const bool step = interpolation == Interpolation::step;
    bool jumps = false;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const double time = step ? with_slack(times, moments[i]) : moments[i];
        cursor = key_after(times, cursor, time);
        const std::size_t key = cursor - (cursor > 0 ? 1 : 0), next = std::min(cursor, times.size() - 1);
        const bool between = !step && next > key && cursor > 0;
        const double span = double{times[next]} - double{times[key]};
        jumps |= between && is_jump(span, time);
        lanes.from[i] = static_cast<std::uint32_t>(key);
        lanes.to[i] = static_cast<std::uint32_t>(between ? next : key);
        lanes.between[i] = between ? -1 : 0;
        lanes.fraction[i] = between ? (time - double{times[key]}) / span : 0.0;
        lanes.span[i] = between ? span : 0.0;
    }
    for (std::size_t i = 0; jumps && i < lane_count; ++i) {
        const KeyPosition at = find_keys(times, interpolation, moments[i]);
        lanes.from[i] = static_cast<std::uint32_t>(at.key);
        lanes.to[i] = static_cast<std::uint32_t>(at.key + (at.between ? 1 : 0));
        lanes.between[i] = at.between ? -1 : 0;
        lanes.fraction[i] = at.fraction;
        lanes.span[i] = at.span;
    }
}

} // namespace vitrine::scene
