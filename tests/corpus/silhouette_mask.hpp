#pragma once
// Where a picture is not its background, and how far two such shapes agree.

#include <array>
#include <cstddef>
#include <vector>

#include <glm/vec2.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::test {

struct Mask {
    int width = 0, height = 0;
    std::vector<bool> covered; // rows, top first

    Mask(int w, int h);
    auto at(int x, int y)
    {
        return covered[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                       static_cast<std::size_t>(x)];
    }
};

// The background is what the corner shows.
Mask silhouette_of(const scene::Image& image);

// Covers the pixels whose centers lie in a triangle; pixels, y down.
void fill(Mask& mask, const std::array<glm::dvec2, 3>& triangle);

// Of both shapes' union, 0 to 1; 1 where both are empty.
double overlap(const Mask& a, const Mask& b);

} // namespace vitrine::test
