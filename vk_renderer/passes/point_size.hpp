#pragma once
// How large points are drawn: few as discs that one sees, many as dots that do not run together. Pure.

#include <cstdint>

namespace vitrine::render {

// Pixels. The smallest are squares, all others discs.
constexpr float min_disc_diameter = 2.5f;

// The diameter in pixels of each of so many points in a picture; 0 where there are none.
float point_diameter(std::uint64_t count, std::uint32_t width, std::uint32_t height);

// Of the square that holds it, with half a sample on each side for the rim. `samples_along`: an axis of a
// pixel.
float point_width(float diameter, float samples_along);

} // namespace vitrine::render
