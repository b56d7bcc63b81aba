#include "loaders/bvh/unit_guess.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace vitrine::bvh {
namespace {

// The most common first. CMU's library stores 0.45 of an inch as one unit ("length 0.45" in its ASF files,
// from which its BVH files are converted without scaling).
constexpr std::array units{Unit{0.01, "centimeters"}, Unit{1.0, "meters"},
                           Unit{0.0254 / 0.45, "the unit of CMU's library, an inch / 0.45"},
                           Unit{0.0254, "inches"}, Unit{0.001, "millimeters"}};
constexpr double min_figure_height = 0.9, typical_figure_height = 1.7, max_figure_height = 2.3; // meters

} // namespace

Unit guess_unit(double size)
{
    if (!(size > 0.0)) return units[0];
    const auto fits = [size](const Unit& unit) {
        return size * unit.meters >= min_figure_height && size * unit.meters <= max_figure_height;
    };
    if (const auto* found = std::ranges::find_if(units, fits); found != units.end()) return *found;
    return std::ranges::min(units, {}, [size](const Unit& unit) {
        return std::abs(std::log(size * unit.meters / typical_figure_height));
    });
}

} // namespace vitrine::bvh
