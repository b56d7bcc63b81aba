#pragma once
// The index list of a primitive: triangles, lines or points by vertex index, whatever mode, index type or
// compression the file uses.

#include <cstdint>
#include <optional>
#include <vector>

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// The seven primitive modes, with their numbers.
enum class PrimitiveMode : std::uint8_t {
    points,
    lines,
    line_loop,
    line_strip,
    triangles,
    triangle_strip,
    triangle_fan
};

scene::Topology topology_of(PrimitiveMode mode);

// Converts strips, loops and fans to lists; drops an incomplete last element. Winding follows the formulas of
// the specification (3.7.2.1). `restart`: an index that ends a strip, loop or fan and starts another one,
// like the highest index of its type in Vulkan and WebGL; nullopt: no such index.
std::vector<std::uint32_t> to_list(PrimitiveMode mode, std::vector<std::uint32_t> indices,
                                   std::optional<std::uint32_t> restart = std::nullopt);

// Removes list elements with vertex indices out of range; returns the number removed.
std::uint64_t drop_out_of_range(std::vector<std::uint32_t>& list, std::uint32_t corners,
                                std::uint64_t vertices);

// Returns the list of a primitive with `vertices` vertices; without indices its vertices in order.
// `decompressed`: result of decompress_draco(). Incomplete elements and those with indices out of range are
// dropped with a warning. Errors: malformed, out_of_range (no valid element), limit_exceeded.
LoadResult<std::vector<std::uint32_t>>
read_index_list(Document& document, io::JsonValue primitive, PrimitiveMode mode, std::uint32_t vertices,
                std::optional<std::vector<std::uint32_t>> decompressed);

// KHR_draco_mesh_compression
// (https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_draco_mesh_compression).
// For a compressed primitive without uncompressed data: sets its accessors to the decompressed vertices and
// returns the corners of its triangles (a list, whatever the mode). Returns nullopt when there is nothing to
// decompress. Errors: malformed, out_of_range, limit_exceeded.
LoadResult<std::optional<std::vector<std::uint32_t>>> decompress_draco(Document& document,
                                                                       io::JsonValue primitive);

} // namespace vitrine::gltf
