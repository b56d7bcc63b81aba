#pragma once
// Estimates how much of an image a posed scene fills: low if parts have vanished or are far apart. Pure
// functions.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

class ScreenCoverage {
public:
    // Uses the triangles and lines that the scene draws; its points if it draws nothing else. Keeps no
    // reference to the scene.
    explicit ScreenCoverage(const Scene& scene);

    // Adds one pose: positions as returned by Skinner::skinned_positions for that scene.
    void add(std::span<const glm::vec3> points);

    // By pose, in the order of add(): the mean element size divided by the size of the whole, times the
    // fraction of visible elements (not smaller than a tenth of their size in another pose). 0 if no element
    // is visible.
    std::vector<float> values() const;

private:
    struct CoveredElement {
        // indices into the points; repeated if the element has fewer corners
        std::uint32_t a = 0, b = 0, c = 0;
    };
    struct PoseMeasure {
        std::vector<float> sizes; // by element: longest edge
        float diagonal = 0.0f;    // diagonal of the bounding box
    };
    void add_elements(const Mesh& mesh, std::uint32_t first_point, bool points);

    std::vector<CoveredElement> elements_;
    bool only_points_ = false;
    std::vector<PoseMeasure> measures_;
};

} // namespace vitrine::scene
