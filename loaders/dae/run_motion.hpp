#pragma once
// A run of transform elements in motion: its T, R, S at any time of a clip.

#include <optional>
#include <span>
#include <vector>

#include "loaders/dae/animations.hpp"
#include "loaders/dae/behaviour.hpp"
#include "loaders/dae/transforms.hpp"

namespace vitrine::dae {

// Several curves may move one number, each at its time: of those that have begun the last to begin counts.
// Visits the movers in the order in which they overwrite each other.
class ActiveMovers {
public:
    ActiveMovers(const std::vector<Mover>& movers, const Animations& animations, const ClipRange& clip);

    bool empty() const { return movers_.empty(); }
    const std::vector<Mover>& movers() const { return movers_; } // by the time at which they begin
    // Where what is looked at ends; that of the clip at first.
    void set_end(double end) { end_ = end; }
    std::vector<const Curve*> curves() const;
    Place place(const Curve& curve, double time, Side side) const
    {
        return place_of(curve, time, side, end_);
    }
    // Overwrites the numbers that move. numbers.size() may be any.
    void apply(double time, Side side, std::span<double> numbers) const;

private:
    // `moved`: which numbers an earlier mover has; null where there is one mover only.
    void move(const Mover& mover, double time, Side side, std::span<double> numbers,
              std::vector<bool>* moved) const;

    const Animations* animations_;
    std::vector<Mover> movers_;
    double end_ = 0.0;
};

class RunMotion {
public:
    RunMotion(const Run& run, const std::vector<Element>& elements, const Animations& animations,
              const ClipRange& clip);

    bool moves() const { return !times_.empty(); }
    // Of all keys inside the clip, and its borders where a curve goes on beyond them; of all keys where the
    // channel goes on as its curves do. Ascending.
    const std::vector<double>& times() const { return times_; }
    DTrs at(double time, Side side);
    // Anywhere on the file's time line, though times() may end before. Nothing else is asked for afterwards.
    DTrs beyond(double time);
    // T, R and S between two keys are straight lines.
    bool is_straight() const { return straight_; }
    // Nothing moves between keys.
    bool only_steps() const { return only_steps_; }
    // How the channels go on outside their keys, where the curves say something and the Scene has a word for
    // it.
    const std::optional<ChannelEnds>& ends() const { return ends_; }
    // Keys that come again inside the clip: more times than the curves have keys; false: too many.
    bool is_extended() const { return goes_on_ && !ends_; }
    bool is_complete() const { return complete_; }
    // Degrees that the rotations turn between two times, all added.
    double turning(double from, double to) const;

private:
    // A factor of the run that moves, or one at rest.
    struct Part {
        Factor factor;
        std::size_t moving = resting; // index, of moving_
        DTrs rest{};
    };
    static constexpr std::size_t resting = ~std::size_t{0};

    struct Moving {
        std::uint32_t element;
        ActiveMovers movers;
        std::vector<double> times{};    // of its keys
        std::vector<glm::dquat> axes{}; // at these times, where it shears: each next to the one before
    };

    void add_moving(const ClipRange& clip);
    void add_all_times();
    void find_ends();
    void follow_axes(Moving& moving) const;
    void list_parts();
    Motion find_motion() const;
    ElementState state_at(const Moving& moving, double time, Side side) const;
    bool blend_matrix(const Moving& moving, double time, Side side, Values& values) const;

    const Run& run_;
    const std::vector<Element>& elements_;
    const Animations& animations_;
    std::vector<Moving> moving_;
    std::vector<Part> parts_;
    std::vector<ElementState> states_; // of moving_, at the time that is looked at
    std::vector<double> times_;
    Window window_; // the clip, or all keys
    std::optional<ChannelEnds> ends_;
    bool straight_ = false;
    bool only_steps_ = false;
    bool goes_on_ = false;
    bool complete_ = true;
};

} // namespace vitrine::dae
