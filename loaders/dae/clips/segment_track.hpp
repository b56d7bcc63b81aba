#pragma once
// A run of transform elements in motion: its T, R, S at any time of a clip.

#include <optional>
#include <span>
#include <vector>

#include "loaders/dae/animation/animations.hpp"
#include "loaders/dae/curves/curve_extrapolation.hpp"
#include "loaders/dae/transforms/transforms.hpp"

namespace vitrine::dae {

// Several curves may move one number, each at its time: of those that have begun the last to begin counts,
// before all of them the first.
class ChannelBindings {
public:
    ChannelBindings(const std::vector<ChannelBinding>& channel_bindings, const Animations& animations,
                    const ClipRange& clip);

    bool empty() const { return channel_bindings_.empty(); }
    const std::vector<ChannelBinding>& channel_bindings() const
    {
        return channel_bindings_;
    } // by the time at which they begin
    // Where what is looked at ends; that of the clip at first.
    void set_end(double end) { end_ = end; }
    std::vector<const Curve*> curves() const;
    WrappedTime place(const Curve& curve, double time, Side side) const
    {
        return wrap_time(curve, time, side, end_);
    }
    // Overwrites the numbers that move. numbers.size() may be any.
    void apply(double time, Side side, std::span<double> numbers) const;

private:
    // A mover's part in a number.
    struct ComponentBinding {
        std::uint32_t number = 0;
        std::uint32_t channel_binding = 0; // of channel_bindings_
        double begins = 0.0;
    };

    void list_component_bindings();
    void move(const ChannelBinding& channel_binding, double time, Side side, std::span<double> numbers) const;
    const ComponentBinding& component_binding_at(std::span<const ComponentBinding> of_number, double time,
                                                 Side side) const;

    const Animations* animations_;
    std::vector<ChannelBinding> channel_bindings_;
    std::vector<ComponentBinding>
        component_bindings_; // by number, then as they begin; empty: of a single mover
    double end_ = 0.0;
};

class SegmentTrack {
public:
    // More than a node of any program has; each costs time at every look.
    static constexpr std::size_t typical_part_count = 64;

    SegmentTrack(const TransformSegment& segment, const std::vector<Element>& elements,
                 const Animations& animations, const ClipRange& clip);

    bool moves() const { return !times_.empty(); }
    // Of all keys inside the clip, and its borders where a curve goes on beyond them; of all keys where the
    // channel goes on as its curves do. Ascending.
    const std::vector<double>& times() const { return times_; }
    DoubleTrs at(double time, Side side);
    // Anywhere on the file's time line, though times() may end before. Nothing else is asked for afterwards.
    DoubleTrs beyond(double time);
    // T, R and S between two keys are straight lines.
    bool is_straight() const { return straight_; }
    // Nothing moves between keys.
    bool only_steps() const { return only_steps_; }
    // How the channels go on outside their keys, where the curves say something and the Scene has a word for
    // it.
    const std::optional<ChannelExtrapolation>& ends() const { return ends_; }
    // Keys that come again inside the clip: more times than the curves have keys; false: too many.
    bool is_extended() const { return has_extrapolation_ && !ends_; }
    bool is_complete() const { return complete_; }
    // Factors, or several at rest in one, that a look at any time multiplies.
    std::size_t parts() const { return parts_.size(); }
    // Degrees that the rotations turn between two times, all added.
    double turning(double from, double to) const;

private:
    // A factor of the run that moves, or one at rest.
    struct Part {
        Factor factor;
        std::size_t moving = resting; // index, of moving_
        DoubleTrs rest{};
    };
    static constexpr std::size_t resting = ~std::size_t{0};

    struct Moving {
        std::uint32_t element;
        ChannelBindings channel_bindings;
        std::vector<double> times{};    // of its keys
        std::vector<glm::dquat> axes{}; // at these times, where it shears: each next to the one before
    };

    void add_moving(const ClipRange& clip);
    void add_all_times();
    void find_ends();
    void follow_axes(Moving& moving) const;
    void list_parts();
    void join_resting_parts();
    std::size_t moving_of(std::uint32_t element) const;
    Motion find_motion() const;
    ElementState state_at(const Moving& moving, double time, Side side) const;
    bool blend_matrix(const Moving& moving, double time, Side side, Values& values) const;

    const TransformSegment& segment_;
    const std::vector<Element>& elements_;
    const Animations& animations_;
    std::vector<Moving> moving_;
    std::size_t whole_ = 0; // of these, that have their first factor here; both parts by their elements
    std::vector<Part> parts_;
    std::vector<ElementState> states_; // of moving_, at the time that is looked at
    std::vector<double> times_;
    TimeRange window_; // the clip, or all keys
    std::optional<ChannelExtrapolation> ends_;
    bool straight_ = false;
    bool only_steps_ = false;
    bool has_extrapolation_ = false;
    bool complete_ = true;
};

} // namespace vitrine::dae
