#pragma once
// BVH declares no unit; motion capture data is of human figures.

#include <cstdint>
#include <string_view>

namespace vitrine::bvh {

struct Unit {
    double meters = 0.01;
    std::string_view name; // "centimeters"
};

// The unit in which a figure of this size, in the file's unit, is between 0.9 and 2.3 meters; otherwise the
// one in which it is closest to 1.7 meters. Centimeters for 0.
Unit guess_unit(double size);

} // namespace vitrine::bvh
