#pragma once
// Chooses the size of points: large discs for few points, small dots that do not merge for many. Pure
// functions.

#include <cstdint>

namespace vitrine::render {

// Pixels. Points of this size are squares, larger ones discs.
constexpr float min_disc_diameter = 2.5f;

// Returns the diameter in pixels of each of `count` points in an image; 0 if there are none.
float point_diameter(std::uint64_t count, std::uint32_t width, std::uint32_t height);

// Returns the side of the square that contains the disc, with a margin of half a sample on each side.
// `samples_along`: samples per pixel along an axis.
float point_width(float diameter, float samples_along);

} // namespace vitrine::render
