#pragma once
// Small parts so far from the rest that a picture of everything would show the rest as a dot.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Triangles, lines and points are told apart from the rest where all of this holds in the static pose:
// - they make at most 1/100 of the area of all (where nothing has an area, of the number) and half of the
// number;
// - they lie farther from the rest than 50 times the diagonal of the box around the middle 98 % of the area,
// and
//   nothing between bridges the distance;
// - the box of everything has more than 50 times the diagonal of the box of the rest.
struct Outliers {
    // By instance (find_instances) and vertex of its mesh: is it part of an outlier? Empty where none is.
    std::vector<std::vector<bool>> vertices;
    std::size_t elements = 0;  // triangles, lines and points
    double enlargement = 1.0;  // of the box by them
    std::uint32_t node = none; // that draws the first

    bool has(std::size_t instance, std::uint32_t vertex) const
    {
        return !vertices[instance].empty() && vertices[instance][vertex];
    }
};

// Most often there are none, which takes the static pose, skinned once, and a sample of its elements.
std::optional<Outliers> find_outliers(const Scene& scene);

// A warning where there are some.
std::optional<Warning> warn_of_outliers(const Scene& scene);

} // namespace vitrine::scene
