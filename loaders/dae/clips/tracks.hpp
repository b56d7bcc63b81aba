#pragma once
// The animated values of nodes and of morph weights at any time of a clip.

#include <optional>
#include <span>
#include <vector>

#include "loaders/dae/animation/animations.hpp"
#include "loaders/dae/curves/curve_extrapolation.hpp"
#include "loaders/dae/drawables/drawables.hpp"
#include "loaders/dae/transforms/transforms.hpp"

namespace vitrine::dae {

// Several curves may animate one number in different time ranges: the curve that started last applies; before
// all of them, the first.
class ChannelBindings {
public:
    ChannelBindings(const std::vector<ChannelBinding>& channel_bindings, const Animations& animations,
                    const ClipRange& clip);

    bool empty() const { return channel_bindings_.empty(); }
    const std::vector<ChannelBinding>& channel_bindings() const { return channel_bindings_; } // by start time
    // Sets the end of the evaluated range; initially the end of the clip.
    void set_end(double end) { end_ = end; }
    std::vector<const SamplerCurve*> curves() const;
    MappedTime mapped_time(const SamplerCurve& curve, double time, JumpSide side) const
    {
        return map_time(curve, time, side, end_);
    }
    // Overwrites the animated numbers; others stay. numbers.size() may be any.
    void apply(double time, JumpSide side, std::span<double> numbers) const;

private:
    // A curve's contribution to a number.
    struct ComponentBinding {
        std::uint32_t number = 0;
        std::uint32_t channel_binding = 0; // index into channel_bindings_
        double begins = 0.0;
    };

    void list_component_bindings();
    void move(const ChannelBinding& channel_binding, double time, JumpSide side,
              std::span<double> numbers) const;
    const ComponentBinding& component_binding_at(std::span<const ComponentBinding> of_number, double time,
                                                 JumpSide side) const;

    const Animations* animations_;
    std::vector<ChannelBinding> channel_bindings_;
    std::vector<ComponentBinding> component_bindings_; // by number, then by start time; empty: a single curve
    double end_ = 0.0;
};

// The animation of a segment of transform elements: its T, R, S at any time of a clip.
class SegmentTrack {
public:
    // More factors than the nodes of any known program have; each adds cost per sample. Above this number
    // static factors are multiplied in advance.
    static constexpr std::size_t max_unmerged_factors = 64;

    SegmentTrack(const TransformSegment& segment, const std::vector<TransformElement>& elements,
                 const Animations& animations, const ClipRange& clip);

    bool moves() const { return !times_.empty(); }
    // Ascending times of all keys inside the clip, and the clip's ends where a curve extends beyond its keys;
    // of all keys where the channel has the same extrapolation as its curves.
    const std::vector<double>& times() const { return times_; }
    DoubleTrs at(double time, JumpSide side);
    // For any time on the file's time line, also outside times(). No other function may be called afterwards.
    DoubleTrs sample_outside(double time);
    // Returns whether T, R and S are linear between keys.
    bool is_linear() const { return linear_; }
    // Returns whether all values are constant between keys.
    bool only_steps() const { return only_steps_; }
    // The extrapolation of the channels outside their keys; nullopt where the curves have none or the Scene
    // cannot represent it.
    const std::optional<ChannelExtrapolation>& ends() const { return ends_; }
    // Returns whether keys are repeated inside the clip, so that there are more times than keys; false when
    // there are too many.
    bool is_extended() const { return has_extrapolation_ && !ends_; }
    bool is_complete() const { return complete_; }
    // The number of factors multiplied per sample; consecutive static factors count as one.
    std::size_t factor_count() const { return factors_.size(); }
    // Returns the total angle in degrees of all rotations between two times.
    double turning(double from, double to) const;

private:
    // An animated factor of the segment, or a static one.
    struct TrackFactor {
        Factor factor;
        std::size_t animated_index = no_animated_element; // index into animated_elements_
        DoubleTrs rest{};
    };
    static constexpr std::size_t no_animated_element = ~std::size_t{0};

    struct AnimatedElement {
        std::uint32_t element;
        ChannelBindings channel_bindings;
        std::vector<double> times{}; // of its keys
        std::vector<glm::dquat>
            axes{}; // at these times, for a part with shear: each closest to the previous one
    };

    void add_animated_elements(const ClipRange& clip);
    void add_all_times();
    void find_ends();
    void follow_axes(AnimatedElement& animated_element) const;
    void list_factors();
    void merge_static_factors();
    std::size_t animated_index_of(std::uint32_t element) const;
    MotionKind find_motion() const;
    TransformState state_at(const AnimatedElement& animated_element, double time, JumpSide side) const;
    bool blend_matrix(const AnimatedElement& animated_element, double time, JumpSide side,
                      TransformValues& values) const;

    const TransformSegment& segment_;
    const std::vector<TransformElement>& elements_;
    const Animations& animations_;
    std::vector<AnimatedElement> animated_elements_;
    // Number of animated elements that are complete; those and the others are each sorted by element.
    std::size_t complete_element_count_ = 0;
    std::vector<TrackFactor> factors_;
    std::vector<TransformState> states_; // of animated_elements_, at the time being sampled
    std::vector<double> times_;
    TimeRange window_; // the clip, or all keys
    std::optional<ChannelExtrapolation> ends_;
    bool linear_ = false;
    bool only_steps_ = false;
    bool has_extrapolation_ = false;
    bool complete_ = true;
};

// The animated morph weights of a node.
class WeightMotion {
public:
    WeightMotion(const MorphedNode& morphed, const Animations& animations, const ClipRange& clip);

    bool moves() const { return !channel_bindings_.empty(); }
    // See SegmentTrack.
    const std::vector<double>& times() const { return times_; }
    bool is_linear() const { return linear_; }
    bool only_steps() const { return only_steps_; }
    const std::optional<ChannelExtrapolation>& ends() const { return ends_; }
    bool is_extended() const { return has_extrapolation_ && !ends_; }
    bool is_complete() const { return complete_; }
    void apply(double time, JumpSide side, std::span<double> weights) const
    {
        channel_bindings_.apply(time, side, weights);
    }
    // See SegmentTrack::sample_outside.
    void apply_beyond(double time, std::span<double> weights);

private:
    ChannelBindings channel_bindings_;
    std::vector<double> times_;
    std::optional<ChannelExtrapolation> ends_;
    bool linear_ = true;
    bool only_steps_ = true;
    bool has_extrapolation_ = false;
    bool complete_ = true;
};

} // namespace vitrine::dae
