#include "loaders/fbx/clips/weight_track.hpp"

#include <algorithm>

#include "loaders/fbx/meshes/blend_shapes.hpp"

namespace vitrine::fbx {
namespace {

struct WeightChannel {
    const MorphChannel* ramp;
    AnimatedProperty percent;
};

// Finds the times at which the percentage crosses a target's full weight, where the pair of interpolated
// targets changes.
class CornerFinder {
public:
    CornerFinder(const WeightChannel& channel, BakeBudget& budget, std::vector<double>& corners)
        : channel_(channel), budget_(budget), corners_(corners), cost_(channel.percent.curves().size())
    {
    }

    void run();

private:
    double percent(double time, TimeSide side = TimeSide::after)
    {
        budget_.spend(cost_);
        return channel_.percent.sample(time, side).value.x;
    }
    void find_between(double from, double to);
    void find_crossing(double level, double from, double at_from, double to, double at_to);

    const WeightChannel& channel_;
    BakeBudget& budget_;
    std::vector<double>& corners_;
    std::size_t cost_;
};

void CornerFinder::run()
{
    std::vector<double> times;
    for (const Curve* curve : channel_.percent.curves())
        for (const CurveKey& key : curve->keys)
            times.push_back(key.time);
    std::ranges::sort(times);
    for (std::size_t i = 0; i + 1 < times.size() && !budget_.is_exhausted(); ++i)
        find_between(times[i], times[i + 1]);
}

void CornerFinder::find_between(double from, double to)
{
    constexpr int probes_per_segment = 8;
    constexpr std::size_t levels_per_sample = 32; // comparisons that cost as much as one curve sample
    const auto& levels = channel_.ramp->full_weights;
    double start = from, at_start = percent(from);
    for (int step = 1; step <= probes_per_segment; ++step) {
        const double end = from + (to - from) * step / probes_per_segment;
        const double at_end = step == probes_per_segment ? percent(to, TimeSide::before) : percent(end);
        budget_.spend(levels.size() / levels_per_sample);
        find_crossing(0.0, start, at_start, end, at_end);
        for (const double level : levels)
            find_crossing(level, start, at_start, end, at_end);
        start = end;
        at_start = at_end;
    }
}

void CornerFinder::find_crossing(double level, double from, double at_from, double to, double at_to)
{
    if ((at_from < level) == (at_to < level) || budget_.is_exhausted()) return;
    for (int i = 0; i < 50 && to - from > 0.5; ++i) {
        const double midpoint = 0.5 * (from + to);
        ((percent(midpoint) < level) == (at_from < level) ? from : to) = midpoint;
    }
    corners_.push_back(to);
}

class WeightTrack final : public Track {
public:
    explicit WeightTrack(std::size_t targets) : targets_(targets) { is_plain = true; }

    void add(const MorphChannel& channel, AnimatedProperty percent);
    std::size_t components() const override { return targets_; }
    void sample(double time, TimeSide side, std::span<double> value, std::span<double> rate) const override;
    std::vector<double> corners(BakeBudget& budget) const override;

private:
    std::size_t targets_;
    std::vector<std::unique_ptr<WeightChannel>> channels_; // curves point into these
};

void WeightTrack::add(const MorphChannel& channel, AnimatedProperty percent)
{
    is_plain = is_plain && percent.is_single_layer() && channel.full_weights.size() == 1;
    channels_.push_back(std::make_unique<WeightChannel>(&channel, std::move(percent)));
    const auto own = channels_.back()->percent.curves();
    curves.insert(curves.end(), own.begin(), own.end());
}

std::vector<double> WeightTrack::corners(BakeBudget& budget) const
{
    std::vector<double> found;
    for (const auto& channel : channels_) {
        if (channel->ramp->full_weights.size() > 1) CornerFinder(*channel, budget, found).run();
    }
    return found;
}

// A ramp is linear between two corners; its slope is taken on the side towards which the percentage moves.
void WeightTrack::sample(double time, TimeSide side, std::span<double> value, std::span<double> rate) const
{
    constexpr double step = 0.05; // percent
    std::vector<float> here, beside;
    for (const auto& channel : channels_) {
        const auto& full = channel->ramp->full_weights;
        const Vec3Sample percent = channel->percent.sample(time, side);
        const bool upwards = (percent.rate.x > 0.0) == (side == TimeSide::after);
        const double delta = upwards ? step : -step;
        here.assign(full.size(), 0.0f);
        beside.assign(full.size(), 0.0f);
        ramp_weights(full, percent.value.x, here);
        ramp_weights(full, percent.value.x + delta, beside);
        for (std::size_t i = 0; i < full.size(); ++i) {
            const std::size_t target = channel->ramp->first_target + i;
            value[target] = double{here[i]};
            rate[target] = (double{beside[i]} - double{here[i]}) / delta * percent.rate.x;
            if (full.size() == 1 && full[0] != 0.0) {
                value[target] = percent.value.x / full[0];
                rate[target] = percent.rate.x / full[0];
            }
        }
    }
}

} // namespace

LoadResult<std::unique_ptr<Track>> weight_track(const Document& document, const AnimationStacks& animation,
                                                const AnimationStack& stack,
                                                std::span<const MorphChannel> channels, std::size_t targets)
{
    auto track = std::make_unique<WeightTrack>(targets);
    bool keyed = false;
    for (const MorphChannel& channel : channels) {
        const double static_value = static_percent(document.object(channel.channel));
        auto percent = animation.property(stack, channel.channel, "DeformPercent", PropertyKind::plain,
                                          glm::dvec3(static_value));
        if (!percent) return std::unexpected(percent.error());
        keyed = keyed || percent->has_curves();
        track->add(channel, *std::move(percent));
    }
    return keyed ? std::move(track) : nullptr;
}

} // namespace vitrine::fbx
