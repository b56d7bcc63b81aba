#pragma once
// Writes the keys of one channel of a Scene clip.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "loaders/dae/curves/curve_extrapolation.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

// Appends keys to channels: in seconds from the clip's start, ascending as floats.
class ChannelWriter {
public:
    ChannelWriter(std::uint32_t node, scene::Path path, bool steps, double start)
        : start_(start),
          channel_{.node = node,
                   .path = path,
                   .interpolation = steps ? scene::Interpolation::step : scene::Interpolation::linear,
                   .times = {},
                   .values = {}}
    {
    }

    void set_extrapolation(const std::optional<ChannelExtrapolation>& ends)
    {
        if (!ends) return;
        channel_.before = ends->before;
        channel_.after = ends->after;
    }

    // A second value at the same time is a jump: the first is moved to just before it.
    void add(double time, std::initializer_list<double> values)
    {
        add(time, std::span(values.begin(), values.size()));
    }
    void add(double time, std::span<const double> values)
    {
        auto t = static_cast<float>(time - start_);
        auto& times = channel_.times;
        const std::size_t size = values.size();
        if (!times.empty() && t <= times.back()) {
            const float before = std::nextafter(times.back(), -1e30f);
            const bool room = times.size() < 2 || before > times[times.size() - 2];
            t = times.back();
            if (room && channel_.interpolation != scene::Interpolation::step && times.size() > 1) {
                times.back() = before;
            } else {
                times.pop_back();
                channel_.values.resize(channel_.values.size() - size);
            }
        }
        times.push_back(t);
        for (const double value : values)
            channel_.values.push_back(static_cast<float>(value));
    }

    bool is_constant() const
    {
        const std::size_t size = channel_.times.empty() ? 1 : channel_.values.size() / channel_.times.size();
        for (std::size_t i = size; i < channel_.values.size(); ++i)
            if (channel_.values[i] != channel_.values[i - size]) return false;
        return true;
    }
    bool is_constant_at(std::initializer_list<float> rest) const
    {
        return is_constant() && std::equal(rest.begin(), rest.end(), channel_.values.begin());
    }
    scene::Channel take()
    {
        if (is_constant() && !channel_.times.empty()) {
            channel_.values.resize(channel_.values.size() / channel_.times.size());
            channel_.times.resize(1);
        }
        return std::move(channel_);
    }

private:
    double start_;
    scene::Channel channel_;
};

} // namespace vitrine::dae
