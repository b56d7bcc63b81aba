#include "loaders/export/gltf/gltf_animation.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/sampling.hpp"

namespace vitrine::exporting {

namespace {

using scene::Channel;
using scene::ExtrapolationMode;
using scene::Interpolation;
using scene::Path;

// Samples per second for curves that must be sampled.
constexpr double samples_per_second = 120.0;

// Returns times within the clip at which samples represent the channel: its keys, including repeated ones,
// and a regular grid where it is not linear between them.
std::vector<float> times_of(const Channel& channel, double duration, bool straight, std::size_t limit)
{
    scene::Clip clip;
    clip.duration = duration;
    clip.channels.push_back(channel);
    const bool repeats =
        channel.before.mode == ExtrapolationMode::repeat || channel.after.mode == ExtrapolationMode::repeat;
    std::vector<float> out;
    const auto add = [&](float time) {
        if (time >= 0.0f && double{time} <= duration && (out.empty() || out.back() < time))
            out.push_back(time);
    };
    for (const double time : scene::sample_times(clip, straight ? 1e-9 : samples_per_second, limit)) {
        const auto at = static_cast<float>(time);
        // A repetition may start with a jump: times around it become keys too, twice the distance within
        // which sample_channel() may treat it as started, and half the distance that it treats as a jump.
        const float around =
            static_cast<float>(std::max({std::abs(double{channel.times.front()}),
                                         std::abs(double{channel.times.back()}), time, 1e-3}) *
                               0x1p-21);
        if (repeats) add(at - around);
        if (out.empty() || out.back() < at) out.push_back(at);
        if (repeats) add(at + around);
    }
    return out;
}

std::vector<float> sampled(const Channel& channel, std::span<const float> times, std::size_t components)
{
    std::vector<float> values(times.size() * components);
    for (std::size_t k = 0; k < times.size(); ++k)
        scene::sample_channel(channel, double{times[k]},
                              std::span(values).subspan(k * components, components));
    return values;
}

// Adds the slopes at both ends of a cubic from its values at thirds: exact for cubics, approximate for
// similar curves.
void add_slopes(const Channel& channel, double from, double to, std::span<float> out, std::span<float> in)
{
    const double h = to - from;
    if (h < 1e-5) return; // a jump
    const std::size_t n = out.size();
    std::vector<float> f(4 * n);
    for (std::size_t i = 0; i < 4; ++i)
        scene::sample_channel(channel, from + h * static_cast<double>(i) / 3.0,
                              std::span(f).subspan(i * n, n));
    for (std::size_t c = 0; c < n; ++c) {
        const double f0 = f[c], f1 = f[n + c], f2 = f[2 * n + c], f3 = f[3 * n + c];
        out[c] = static_cast<float>((-11.0 * f0 + 18.0 * f1 - 9.0 * f2 + 2.0 * f3) / (2.0 * h));
        in[c] = static_cast<float>((11.0 * f3 - 18.0 * f2 + 9.0 * f1 - 2.0 * f0) / (2.0 * h));
    }
}

// Returns cubic keys for a cubic channel at `times`.
std::vector<float> spline_values(const Channel& channel, std::span<const float> times, std::size_t components)
{
    const std::vector<float> values = sampled(channel, times, components);
    std::vector<float> keys(3 * values.size(), 0.0f);
    const auto group = [&](std::size_t key, std::size_t part) {
        return std::span(keys).subspan((3 * key + part) * components, components);
    };
    for (std::size_t k = 0; k < times.size(); ++k) {
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(k * components), components,
                    group(k, 1).begin());
        if (k > 0) add_slopes(channel, double{times[k - 1]}, double{times[k]}, group(k - 1, 2), group(k, 0));
    }
    return keys;
}

} // namespace

std::unexpected<LoadError> sample_budget_error()
{
    return fail(LoadErrc::limit_exceeded, "",
                fmt::format("the sampled curves of the clips need more than {} numbers",
                            SampleBudget::default_limit));
}

bool needs_no_resampling(const Channel& channel, double duration)
{
    const double first = channel.times.front(), last = channel.times.back();
    const bool before = first <= 0.0 || channel.before.mode == ExtrapolationMode::hold;
    const bool after = last >= duration || channel.after.mode == ExtrapolationMode::hold;
    const double slack = 1e-6 * std::max(duration, 1.0); // keys have single precision
    const bool short_spline = channel.interpolation == Interpolation::cubic && channel.times.size() < 2;
    return first >= 0.0 && last <= duration + slack && before && after && !short_spline;
}

Channel resampled(const Channel& channel, double duration, std::size_t components, std::size_t limit)
{
    const bool cubic = channel.interpolation == Interpolation::cubic;
    const bool grid = channel.path == Path::rotation && channel.interpolation != Interpolation::step;
    Channel out{.node = channel.node,
                .path = channel.path,
                .interpolation = channel.interpolation,
                .times = times_of(channel, duration, !grid, limit),
                .values = {}};
    out.values =
        cubic ? spline_values(channel, out.times, components) : sampled(channel, out.times, components);
    if (cubic && out.times.size() == 1) {
        out.interpolation = Interpolation::step; // glTF's splines need two keys
        out.values = sampled(channel, out.times, components);
    }
    return out;
}

Channel linearized(const Channel& channel, double duration, std::size_t components, std::size_t limit)
{
    Channel out{.node = channel.node,
                .path = channel.path,
                .interpolation = Interpolation::linear,
                .times = times_of(channel, duration, false, limit),
                .values = {}};
    out.values = sampled(channel, out.times, components);
    return out;
}

} // namespace vitrine::exporting
