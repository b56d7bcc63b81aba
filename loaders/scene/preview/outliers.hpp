#pragma once
// Finds small parts that are so distant that an image of everything would show the rest as a dot.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Triangles, lines and points ("elements") are outliers if all of these conditions are met in the static
// pose:
// - they have at most 1/100 of the total area (of the number of elements, if no element has an area) and are
//   at most half of the elements;
// - their distance from the rest is more than 50 times the diagonal of the box around the central 98 % of the
//   area, and no elements between them bridge the distance;
// - the diagonal of the box of all elements is more than 50 times that of the box of the rest.
struct Outliers {
    // By instance (find_instances) and vertex of its mesh: whether it is part of an outlier. Empty for
    // instances without outliers.
    std::vector<std::vector<bool>> vertices;
    std::size_t elements = 0;  // number of outliers
    double enlargement = 1.0;  // ratio of the diagonals of the boxes with and without outliers
    std::uint32_t node = none; // the node that draws the first outlier

    bool has(std::size_t instance, std::uint32_t vertex) const
    {
        return !vertices[instance].empty() && vertices[instance][vertex];
    }
};

// Returns nullopt if there are no outliers; this usual case requires only the box of the static pose and a
// sample of its elements.
std::optional<Outliers> find_outliers(const Scene& scene);

// Returns a warning if there are outliers.
std::optional<Warning> warn_about_outliers(const Scene& scene);

} // namespace vitrine::scene
