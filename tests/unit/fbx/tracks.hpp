#pragma once
// Tracks of curves, and the error of their baked channels.

#include <cmath>
#include <vector>

#include "loaders/fbx/curves/track.hpp"
#include "loaders/fbx/transforms/transform.hpp"
#include "loaders/scene/motion/sampling.hpp"

namespace vitrine::fbx::test {

inline constexpr double ticks = 46'186'158'000.0;

inline CurveKey key(double seconds, double value, KeyInterpolation how = KeyInterpolation::linear)
{
    return {.time = seconds * ticks, .value = value, .interpolation = how};
}

// Components are curves (translations), or one curve is the angle about x in degrees (rotations).
class CurvesTrack final : public Track {
public:
    CurvesTrack(std::vector<Curve> components, bool rotation = false)
        : components_(std::move(components)), rotation_(rotation)
    {
        for (const Curve& curve : components_)
            curves.push_back(&curve);
        is_plain = true;
    }
    std::size_t components() const override { return rotation_ ? 4 : components_.size(); }
    void sample(double time, TimeSide side, std::span<double> value, std::span<double> rate) const override
    {
        if (rotation_) {
            const CurveSample found = fbx::sample(components_[0], time, side);
            const double half = glm::radians(found.value) * 0.5, half_rate = glm::radians(found.rate) * 0.5;
            value[0] = std::sin(half);
            value[3] = std::cos(half);
            rate[0] = std::cos(half) * half_rate;
            rate[3] = -std::sin(half) * half_rate;
            return;
        }
        for (std::size_t i = 0; i < components_.size(); ++i) {
            const CurveSample found = fbx::sample(components_[i], time, side);
            value[i] = found.value;
            rate[i] = found.rate;
        }
    }

private:
    std::vector<Curve> components_;
    bool rotation_;
};

inline scene::Channel baked(const Track& track, scene::Path path = scene::Path::translation,
                            double start = 0.0)
{
    BakeBudget budget{.samples_left = 1'000'000};
    return bake(track, path, {.start = start * ticks, .ticks_per_second = ticks}, budget);
}

// Returns the largest difference between the channel and the motion over a range of the file's time.
inline double error(const scene::Channel& channel, const Track& track, double from, double to,
                    double start = 0.0)
{
    double largest = 0.0;
    for (int i = 0; i <= 997; ++i) {
        const double time = from + (to - from) * i / 997;
        std::vector<double> value(track.components()), rate(track.components());
        track.sample(time * ticks, TimeSide::after, value, rate);
        std::vector<float> shown(track.components());
        scene::sample_channel(channel, time - start, shown);
        double plus = 0.0, minus = 0.0;
        for (std::size_t c = 0; c < value.size(); ++c) {
            plus = std::max(plus, std::abs(value[c] - double{shown[c]}));
            minus = std::max(minus, std::abs(value[c] + double{shown[c]}));
        }
        largest = std::max(largest, channel.path == scene::Path::rotation ? std::min(plus, minus) : plus);
    }
    return largest;
}

} // namespace vitrine::fbx::test
