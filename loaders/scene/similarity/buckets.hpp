#pragma once
// Cells of a grid over several numbers. Private to loaders/scene/similarity.

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace vitrine::scene {

// Cells are two tolerances wide, so that numbers within the tolerance of each other are in the same cell or
// in two neighbors.
struct GridNumber {
    double value = 0.0;
    double tolerance = 0.0; // in units of the value; that of the grid
};

inline constexpr int bits_of_cell = 12; // of at most five numbers

inline std::int64_t cell_of(double value, double tolerance)
{
    constexpr double cells = 1 << bits_of_cell;
    const double cell = std::floor(value / (2.0 * tolerance)) + cells / 2.0;
    return static_cast<std::int64_t>(std::fmin(std::fmax(cell, 0.0), cells - 1.0));
}

inline std::int64_t pack_cells(std::span<const GridNumber> numbers)
{
    std::int64_t packed = 0;
    for (const auto& [value, tolerance] : numbers)
        packed = (packed << bits_of_cell) | cell_of(value, tolerance);
    return packed;
}

// The cells with numbers that differ by at most `reach` (0 .. 1) tolerances.
inline std::vector<std::int64_t> pack_cells_near(std::span<const GridNumber> numbers, double reach)
{
    std::vector<std::int64_t> packed{0};
    for (const auto& [value, tolerance] : numbers) {
        const auto low = cell_of(value - reach * tolerance, tolerance);
        const auto high = cell_of(value + reach * tolerance, tolerance);
        std::vector<std::int64_t> longer;
        for (const auto start : packed)
            for (auto cell = low; cell <= high; ++cell)
                longer.push_back((start << bits_of_cell) | cell);
        packed = std::move(longer);
    }
    return packed;
}

} // namespace vitrine::scene
