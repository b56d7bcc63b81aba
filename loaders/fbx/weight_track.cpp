#include "loaders/fbx/weight_track.hpp"

#include <algorithm>

namespace vitrine::fbx {
namespace {

class WeightTrack final : public Track {
public:
    explicit WeightTrack(std::size_t targets) : targets_(targets) { is_plain = true; }

    void add(const MorphChannel& channel, AnimatedProperty percent);
    std::size_t components() const override { return targets_; }
    void sample(double time, Side side, std::span<double> value, std::span<double> rate) const override;

private:
    struct Channel {
        const MorphChannel* ramp;
        AnimatedProperty percent;
    };
    void add_corners(const Channel& channel);
    void find_crossings(const Channel& channel, double from, double to);

    std::size_t targets_;
    std::vector<std::unique_ptr<Channel>> channels_; // curves point into them
};

void WeightTrack::add(const MorphChannel& channel, AnimatedProperty percent)
{
    is_plain = is_plain && percent.is_single_layer() && channel.full_weights.size() == 1;
    channels_.push_back(std::make_unique<Channel>(&channel, std::move(percent)));
    const auto own = channels_.back()->percent.curves();
    curves.insert(curves.end(), own.begin(), own.end());
    if (channel.full_weights.size() > 1) add_corners(*channels_.back());
}

// Where the percent passes a target's full weight another pair of targets takes over.
void WeightTrack::add_corners(const Channel& channel)
{
    std::vector<double> times;
    for (const Curve* curve : channel.percent.curves())
        for (const CurveKey& key : curve->keys)
            times.push_back(key.time);
    std::ranges::sort(times);
    for (std::size_t i = 0; i + 1 < times.size(); ++i)
        find_crossings(channel, times[i], times[i + 1]);
}

void WeightTrack::find_crossings(const Channel& channel, double from, double to)
{
    constexpr int steps = 8;
    const auto percent = [&](double time) { return channel.percent.sample(time, Side::after).value.x; };
    double previous = percent(from);
    for (int step = 1; step <= steps; ++step) {
        const double start = from + (to - from) * (step - 1) / steps;
        const double end = from + (to - from) * step / steps;
        const double next = step == steps ? channel.percent.sample(to, Side::before).value.x : percent(end);
        const auto cross = [&](double level) {
            if ((previous < level) == (next < level)) return;
            double low = start, high = end;
            for (int i = 0; i < 50 && high - low > 0.5; ++i) {
                const double middle = 0.5 * (low + high);
                ((percent(middle) < level) == (previous < level) ? low : high) = middle;
            }
            corners.push_back(high);
        };
        cross(0.0);
        for (const double level : channel.ramp->full_weights)
            cross(level);
        previous = next;
    }
}

// Between two corners a ramp is straight; its slope is taken on the side to which the percent moves.
void WeightTrack::sample(double time, Side side, std::span<double> value, std::span<double> rate) const
{
    constexpr double step = 0.05; // percent
    std::vector<float> here, beside;
    for (const auto& channel : channels_) {
        const auto& full = channel->ramp->full_weights;
        const Vec3Sample percent = channel->percent.sample(time, side);
        const bool upwards = (percent.rate.x > 0.0) == (side == Side::after);
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

LoadResult<std::unique_ptr<Track>> weight_track(const Document& document, const Animation& animation,
                                                const AnimationStack& stack,
                                                std::span<const MorphChannel> channels, std::size_t targets)
{
    auto track = std::make_unique<WeightTrack>(targets);
    bool keyed = false;
    for (const MorphChannel& channel : channels) {
        const double resting = document.object(channel.channel).properties.real("DeformPercent");
        auto percent = animation.property(stack, channel.channel, "DeformPercent", PropertyKind::plain,
                                          glm::dvec3(resting));
        if (!percent) return std::unexpected(percent.error());
        keyed = keyed || percent->has_curves();
        track->add(channel, *std::move(percent));
    }
    return keyed ? std::move(track) : nullptr;
}

} // namespace vitrine::fbx
