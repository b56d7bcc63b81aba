#pragma once
// A run of transform elements in motion: its T, R, S at any time of a clip.

#include <span>
#include <vector>

#include "loaders/dae/animations.hpp"
#include "loaders/dae/transforms.hpp"

namespace vitrine::dae {

// Several curves may move one number, each at its time: of those that have begun the last to begin counts.
// Visits the movers in the order in which they overwrite each other.
class ActiveMovers {
public:
    ActiveMovers(const std::vector<Mover>& movers, const Animations& animations, const ClipRange& clip);

    bool empty() const { return movers_.empty(); }
    const std::vector<Mover>& movers() const { return movers_; } // by the time at which they begin
    // Overwrites the numbers that move. numbers.size() may be any.
    void apply(double time, Side side, std::span<double> numbers) const;

private:
    // `moved`: which numbers an earlier mover has; null where there is one mover only.
    void move(const Mover& mover, double time, Side side, std::span<double> numbers,
              std::vector<bool>* moved) const;

    const Animations* animations_;
    std::vector<Mover> movers_;
};

class RunMotion {
public:
    RunMotion(const Run& run, const std::vector<Element>& elements, const Animations& animations,
              const ClipRange& clip);

    bool moves() const { return !times_.empty(); }
    // Of all keys inside the clip, and its borders where a curve goes on beyond them; ascending.
    const std::vector<double>& times() const { return times_; }
    DTrs at(double time, Side side);
    // T, R and S between two keys are straight lines.
    bool is_straight() const { return straight_; }
    // Nothing moves between keys.
    bool only_steps() const { return only_steps_; }
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

    void add_moving(std::uint32_t element, ActiveMovers movers, const ClipRange& clip);
    void follow_axes(Moving& moving) const;
    void list_parts();
    bool find_straight() const;
    ElementState state_at(const Moving& moving, double time, Side side) const;
    bool blend_matrix(const Moving& moving, double time, Side side, Values& values) const;

    const Run& run_;
    const std::vector<Element>& elements_;
    const Animations& animations_;
    std::vector<Moving> moving_;
    std::vector<Part> parts_;
    std::vector<ElementState> states_; // of moving_, at the time that is looked at
    std::vector<double> times_;
    bool straight_ = false;
    bool only_steps_ = false;
};

// Key times of curves inside a clip.
void add_times(const Curve& curve, const ClipRange& clip, std::vector<double>& times);
void sort_times(std::vector<double>& times);

} // namespace vitrine::dae
