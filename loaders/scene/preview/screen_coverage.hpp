#pragma once
// How much of a picture a posed scene would fill: little where its parts have vanished or flown apart. Pure.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

class ScreenCoverage {
public:
    // Of the triangles and lines that a scene draws; of its points where it draws nothing else. Keeps no
    // reference.
    explicit ScreenCoverage(const Scene& scene);

    // Looks at one pose: positions as Skinner::points_at gives them for that scene.
    void add(std::span<const glm::vec3> points);

    // By pose, in the order of add(): the mean size of an element to that of the whole, times the share of
    // elements that are there: not shrunk to a tenth of what they are in another pose. 0 where nothing is.
    std::vector<float> values() const;

private:
    struct Element {
        std::uint32_t a = 0, b = 0, c = 0; // among the points; equal where there are fewer corners
    };
    struct PoseMeasure {
        std::vector<float> sizes; // by element: the longest edge
        float diagonal = 0.0f;    // diagonal of the box
    };
    void add_elements(const Mesh& mesh, std::uint32_t first_point, bool points);

    std::vector<Element> elements_;
    bool only_points_ = false;
    std::vector<PoseMeasure> measures_;
};

} // namespace vitrine::scene
