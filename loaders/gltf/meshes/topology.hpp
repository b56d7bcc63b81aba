#pragma once
// Converts the seven primitive modes to lists of triangles, lines or points.

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
// Returns the number of corners per element of the topology.
std::uint32_t corners_of(scene::Topology topology);

// Converts strips, loops and fans to lists; drops an incomplete last element. Winding follows the formulas of
// the specification (3.7.2.1). `restart`: an index that ends a strip, loop or fan and starts another one,
// like the highest index of its type in Vulkan and WebGL; nullopt: no such index.
std::vector<std::uint32_t> to_list(Mode mode, std::vector<std::uint32_t> indices,
                                   std::optional<std::uint32_t> restart = std::nullopt);

// Removes list elements with vertex indices out of range; returns the number removed.
std::uint64_t drop_out_of_range(std::vector<std::uint32_t>& list, std::uint32_t corners,
                                std::uint64_t vertices);

} // namespace vitrine::gltf
