#pragma once
// The seven primitive modes as lists of triangles, lines or points.

#include <cstdint>
#include <optional>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

enum class Mode : std::uint8_t {
    points,
    lines,
    line_loop,
    line_strip,
    triangles,
    triangle_strip,
    triangle_fan
};

scene::Topology topology_of(Mode mode);
// How many corners one element of the topology has.
std::uint32_t corners_of(scene::Topology topology);

// Strips, loops and fans become lists; an incomplete last element is dropped. Winding as the specification's
// formulas (3.7.2.1) have it. `restart`: an index that ends a strip, loop or fan and begins another one, as
// the highest of its type does for Vulkan and WebGL; none: there is no such index.
std::vector<std::uint32_t> to_list(Mode mode, std::vector<std::uint32_t> indices,
                                   std::optional<std::uint32_t> restart = std::nullopt);

// Removes the elements of a list that name a vertex which is not there; returns how many.
std::uint64_t drop_out_of_range(std::vector<std::uint32_t>& list, std::uint32_t corners,
                                std::uint64_t vertices);

} // namespace vitrine::gltf
