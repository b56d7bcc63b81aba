#pragma once
// The animated morph weights of a node.

#include <optional>
#include <span>
#include <vector>

#include "loaders/dae/clips/segment_track.hpp"
#include "loaders/dae/curves/curve_extrapolation.hpp"
#include "loaders/dae/drawables/drawables.hpp"

namespace vitrine::dae {

class WeightMotion {
public:
    WeightMotion(const MorphedNode& morphed, const Animations& animations, const ClipRange& clip);

    bool moves() const { return !channel_bindings_.empty(); }
    // See SegmentTrack.
    const std::vector<double>& times() const { return times_; }
    bool is_straight() const { return straight_; }
    bool only_steps() const { return only_steps_; }
    const std::optional<ChannelExtrapolation>& ends() const { return ends_; }
    bool is_extended() const { return has_extrapolation_ && !ends_; }
    bool is_complete() const { return complete_; }
    void apply(double time, Side side, std::span<double> weights) const
    {
        channel_bindings_.apply(time, side, weights);
    }
    // See SegmentTrack::beyond.
    void apply_beyond(double time, std::span<double> weights);

private:
    ChannelBindings channel_bindings_;
    std::vector<double> times_;
    std::optional<ChannelExtrapolation> ends_;
    bool straight_ = true;
    bool only_steps_ = true;
    bool has_extrapolation_ = false;
    bool complete_ = true;
};

} // namespace vitrine::dae
