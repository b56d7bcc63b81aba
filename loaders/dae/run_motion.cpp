#include "loaders/dae/run_motion.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/dae/shear.hpp"

namespace vitrine::dae {
namespace {

DTrs matrix_key(const Curve& curve, std::size_t key, bool& exact)
{
    Values values{};
    for (std::uint32_t i = 0; i < 16; ++i)
        values[i] = curve.value(key, i);
    return decompose(element_matrix(ElementKind::matrix, values), exact);
}

Values to_values(const DTrs& trs)
{
    const glm::dmat4 m = to_matrix(trs);
    Values values{};
    for (glm::length_t row = 0; row < 4; ++row)
        for (glm::length_t column = 0; column < 4; ++column)
            values[4 * static_cast<std::size_t>(row) + static_cast<std::size_t>(column)] = m[column][row];
    return values;
}

glm::dquat shortest(const glm::dquat& a, glm::dquat b, double t)
{
    if (glm::dot(a, b) < 0.0) b = -b;
    return glm::normalize(glm::slerp(a, b, t));
}

} // namespace

void add_times(const Curve& curve, const ClipRange& clip, std::vector<double>& times)
{
    for (const double time : curve.times)
        if (time >= clip.start && time <= clip.end) times.push_back(time);
    if (curve.first() < clip.start) times.push_back(clip.start);
    if (curve.last() > clip.end) times.push_back(clip.end);
    // All before the clip, or all after it: one value.
    if (times.empty()) times.push_back(clip.start);
}

void sort_times(std::vector<double>& times)
{
    std::ranges::sort(times);
    times.erase(std::ranges::unique(times).begin(), times.end());
}

ActiveMovers::ActiveMovers(const std::vector<Mover>& movers, const Animations& animations,
                           const ClipRange& clip)
    : animations_(&animations)
{
    const auto begins = [&](const Mover& m) { return animations.curves[m.curve].first(); };
    for (const Mover& mover : movers)
        if (clip.plays[mover.curve])
            movers_.insert(std::ranges::upper_bound(movers_, begins(mover), {}, begins), mover);
}

void ActiveMovers::apply(double time, Side side, std::span<double> numbers) const
{
    if (movers_.size() == 1) return move(movers_[0], time, side, numbers, nullptr);
    std::vector<bool> moved(numbers.size(), false);
    for (const Mover& mover : movers_)
        move(mover, time, side, numbers, &moved);
}

void ActiveMovers::move(const Mover& mover, double time, Side side, std::span<double> numbers,
                        std::vector<bool>* moved) const
{
    const Curve& curve = animations_->curves[mover.curve];
    const bool begun = time > curve.first() || (time == curve.first() && side == Side::after);
    for (std::uint32_t n = 0; n < mover.count; ++n) {
        const std::uint32_t number = mover.first + n, dimension = mover.first_dimension + n;
        if (number >= numbers.size() || dimension >= curve.dimensions) break;
        if (begun || !moved || !(*moved)[number])
            numbers[number] = mover.factor * curve.evaluate(time, dimension, side);
        if (moved) (*moved)[number] = true;
    }
}

RunMotion::RunMotion(const Run& run, const std::vector<Element>& elements, const Animations& animations,
                     const ClipRange& clip)
    : run_(run), elements_(elements), animations_(animations)
{
    only_steps_ = true;
    for (const Factor& factor : run.factors) {
        if (factor.part > 0) continue;
        ActiveMovers movers(elements[factor.element].movers, animations, clip);
        if (movers.empty()) continue;
        for (const Mover& mover : movers.movers()) {
            add_times(animations.curves[mover.curve], clip, times_);
            only_steps_ &= animations.curves[mover.curve].only(KeyKind::step);
        }
        add_moving(factor.element, std::move(movers), clip);
    }
    // The later factors of an element may be in another run.
    for (const Factor& factor : run.factors)
        if (factor.part > 0 &&
            std::ranges::find(moving_, factor.element, &Moving::element) == moving_.end()) {
            ActiveMovers movers(elements[factor.element].movers, animations, clip);
            for (const Mover& mover : movers.movers())
                add_times(animations.curves[mover.curve], clip, times_);
            only_steps_ = false;
            if (!movers.empty()) add_moving(factor.element, std::move(movers), clip);
        }
    sort_times(times_);
    straight_ = find_straight();
    list_parts();
}

void RunMotion::list_parts()
{
    for (const Factor& factor : run_.factors) {
        const Element& element = elements_[factor.element];
        const auto moving = std::ranges::find(moving_, factor.element, &Moving::element);
        if (moving != moving_.end())
            parts_.push_back(
                {.factor = factor, .moving = static_cast<std::size_t>(moving - moving_.begin())});
        else
            parts_.push_back(
                {.factor = factor, .rest = factor_at(factor, element, {.values = element.values})});
    }
    states_.resize(moving_.size());
}

void RunMotion::add_moving(std::uint32_t element, ActiveMovers movers, const ClipRange& clip)
{
    Moving moving{.element = element, .movers = std::move(movers)};
    if (elements_[element].shears) {
        for (const Mover& mover : moving.movers.movers())
            add_times(animations_.curves[mover.curve], clip, moving.times);
        sort_times(moving.times);
        follow_axes(moving);
    }
    moving_.push_back(std::move(moving));
}

// The runs that share the element follow the same axes: these depend on its own keys alone.
void RunMotion::follow_axes(Moving& moving) const
{
    glm::dquat axes(1.0, 0.0, 0.0, 0.0);
    moving.axes.reserve(moving.times.size());
    for (const double time : moving.times) {
        Values values = elements_[moving.element].values;
        moving.movers.apply(time, Side::after, values);
        axes = find_stretch(glm::dmat3(element_matrix(ElementKind::matrix, values)), axes).axes;
        moving.axes.push_back(axes);
    }
}

// One element moves, along straight lines that stay so in T, R and S: a translation or scale, an angle, a
// whole matrix; and no later element is carried around by it.
bool RunMotion::find_straight() const
{
    if (moving_.size() != 1 || moving_[0].movers.movers().size() != 1) return false;
    const Mover& mover = moving_[0].movers.movers()[0];
    const Curve& curve = animations_.curves[mover.curve];
    const bool lines = std::ranges::all_of(
        curve.kinds, [](KeyKind kind) { return kind == KeyKind::linear || kind == KeyKind::step; });
    const Element& element = elements_[moving_[0].element];
    if (!lines || element.kind == ElementKind::skew || element.kind == ElementKind::lookat) return false;
    if (element.kind == ElementKind::translate) return true;
    if (element.kind == ElementKind::rotate && (mover.first != 3 || mover.count != 1)) return false;
    if (element.kind == ElementKind::matrix && mover.count != 16) return false;
    bool behind = false;
    for (const Factor& factor : run_.factors) {
        const ElementKind kind = elements_[factor.element].kind;
        if (behind && kind != ElementKind::rotate && kind != ElementKind::scale) return false;
        behind |= factor.element == moving_[0].element;
    }
    return true;
}

// Whole matrices meet by their T, R and S and not number by number; a sheared one has none.
bool RunMotion::blend_matrix(const Moving& moving, double time, Side side, Values& values) const
{
    const std::vector<Mover>& movers = moving.movers.movers();
    if (elements_[moving.element].kind != ElementKind::matrix || movers.size() != 1 || movers[0].count != 16)
        return false;
    const Curve& curve = animations_.curves[movers[0].curve];
    const auto key = curve.segment(time, side);
    if (!key || curve.kinds[*key] != KeyKind::linear) return false;
    bool exact_a = true, exact_b = true;
    const DTrs a = matrix_key(curve, *key, exact_a), b = matrix_key(curve, *key + 1, exact_b);
    if (!exact_a || !exact_b) return false;
    const double t = (time - curve.times[*key]) / (curve.times[*key + 1] - curve.times[*key]);
    values = to_values({glm::mix(a.translation, b.translation, t), shortest(a.rotation, b.rotation, t),
                        glm::mix(a.scale, b.scale, t)});
    return true;
}

ElementState RunMotion::state_at(const Moving& moving, double time, Side side) const
{
    ElementState state{.values = elements_[moving.element].values};
    if (!blend_matrix(moving, time, side, state.values)) moving.movers.apply(time, side, state.values);
    if (moving.axes.empty()) return state;
    const auto begun = side == Side::after ? std::ranges::upper_bound(moving.times, time)
                                           : std::ranges::lower_bound(moving.times, time);
    const auto key = std::max<std::ptrdiff_t>(begun - moving.times.begin() - 1, 0);
    state.axes = moving.axes[static_cast<std::size_t>(key)];
    return state;
}

DTrs RunMotion::at(double time, Side side)
{
    for (std::size_t m = 0; m < moving_.size(); ++m)
        states_[m] = state_at(moving_[m], time, side);
    DTrs trs;
    for (const Part& part : parts_)
        trs = product(trs, part.moving == resting ? part.rest
                                                  : factor_at(part.factor, elements_[part.factor.element],
                                                              states_[part.moving]));
    return trs;
}

double RunMotion::turning(double from, double to) const
{
    double degrees = 0.0;
    for (const Moving& moving : moving_) {
        if (elements_[moving.element].kind != ElementKind::rotate) continue;
        double last = 0.0;
        for (int n = 0; n <= 4; ++n) {
            Values values = elements_[moving.element].values;
            moving.movers.apply(from + (to - from) * n / 4, n == 4 ? Side::before : Side::after, values);
            if (n > 0) degrees += std::abs(values[3] - last);
            last = values[3];
        }
    }
    return degrees;
}

} // namespace vitrine::dae
