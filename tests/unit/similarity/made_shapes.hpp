#pragma once
// A set of shapes that are not alike, and variants of each that are: what `similar` must find, and what it
// must not confuse.

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::test {

struct MadeShape {
    std::string name;
    scene::Scene scene;
};

// Simple parts (boxes, plates, rods, prisms, cylinders, cones, rings of many proportions) and detailed shapes
// (vases, tubes, lumps), `lumps` of the last ones. Deterministic.
std::vector<MadeShape> made_shapes(int lumps = 24);

enum class ShapeChange : std::uint8_t {
    placed,    // scaled by 0.01 to 100, turned and moved
    mirrored,  // and placed
    reordered, // triangles and vertices in another order, each corner a vertex of its own
    divided,   // each triangle into four
    decimated, // about three of four triangles; of detailed shapes only
};
// The scene as one mesh in its static pose, changed. Empty: the change is not for it.
scene::Scene changed(const scene::Scene& scene, ShapeChange change, std::mt19937& random);

} // namespace vitrine::test
