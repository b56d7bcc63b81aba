#include "loaders/dae/animation/shearing.hpp"

#include <algorithm>
#include <vector>

#include "loaders/dae/transforms/shear.hpp"
#include "loaders/dae/transforms/skew.hpp"

namespace vitrine::dae {
namespace {

// Enough to see shear come and go; of more curves and moments it is taken for granted.
constexpr std::size_t most_curves = 64;
constexpr std::size_t most_times = 2048;

bool is_sheared_matrix(const Values& v)
{
    return is_sheared(glm::dmat3(element_matrix(ElementKind::matrix, v)));
}

bool moves_all(const Mover& mover, const Curve& curve)
{
    return mover.count == 16 && curve.dimensions == 16;
}

bool has_sheared_key(const Curve& curve)
{
    Values values{};
    for (std::size_t key = 0; key < curve.keys(); ++key) {
        std::copy_n(curve.values.begin() + static_cast<std::ptrdiff_t>(key * 16), 16, values.begin());
        if (is_sheared_matrix(values)) return true;
    }
    return false;
}

// Only the last column of a matrix, row by row, is translation.
bool turns_or_scales(const Mover& mover)
{
    for (std::uint32_t number = mover.first; number < mover.first + mover.count; ++number)
        if (number % 4 != 3) return true;
    return false;
}

// The keys of curves that move numbers of a matrix, and the middles between these; empty: too many.
std::vector<double> moments(const std::vector<Mover>& movers, const Animations& animations)
{
    std::vector<double> times;
    for (const Mover& mover : movers) {
        const auto& keys = animations.curves[mover.curve].times;
        if (times.size() + keys.size() > most_times) return {};
        times.insert(times.end(), keys.begin(), keys.end());
    }
    std::ranges::sort(times);
    const std::size_t keys = times.size();
    for (std::size_t i = 0; i + 1 < keys; ++i)
        times.push_back(0.5 * (times[i] + times[i + 1]));
    return times;
}

// Numbers that move by themselves meet in shear at keys of their own, or on the way.
bool shears_by_numbers(const Element& element, const std::vector<Mover>& movers, const Animations& animations)
{
    if (std::ranges::none_of(movers, turns_or_scales)) return false;
    const std::vector<double> times =
        movers.size() > most_curves ? std::vector<double>() : moments(movers, animations);
    if (times.empty()) return true;
    return std::ranges::any_of(times, [&](double time) {
        Values values = element.values;
        for (const Mover& mover : movers) {
            const Curve& curve = animations.curves[mover.curve];
            for (std::uint32_t n = 0; n < mover.count; ++n)
                if (mover.first + n < 16 && mover.first_dimension + n < curve.dimensions)
                    values[mover.first + n] = mover.factor * curve.evaluate(time, mover.first_dimension + n);
        }
        return is_sheared_matrix(values);
    });
}

bool matrix_shears(const Element& element, const Animations& animations)
{
    if (element.movers.empty()) return false;
    if (is_sheared_matrix(element.values)) return true;
    std::vector<Mover> of_numbers;
    for (const Mover& mover : element.movers) {
        const Curve& curve = animations.curves[mover.curve];
        if (curve.keys() == 0) continue;
        if (!moves_all(mover, curve))
            of_numbers.push_back(mover);
        else if (has_sheared_key(curve))
            return true;
    }
    return shears_by_numbers(element, of_numbers, animations);
}

} // namespace

bool shears(const Element& element, const Animations& animations)
{
    if (element.kind == ElementKind::matrix) return matrix_shears(element, animations);
    if (element.kind != ElementKind::skew) return false;
    const auto moves_axes = [](const Mover& mover) { return mover.first + mover.count > 1; };
    return is_oblique(element.values) || std::ranges::any_of(element.movers, moves_axes);
}

} // namespace vitrine::dae
