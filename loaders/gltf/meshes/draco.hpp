#pragma once
// KHR_draco_mesh_compression: the vertices and triangles of a compressed primitive.
// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_draco_mesh_compression

#include <cstdint>
#include <optional>
#include <vector>

#include "loaders/gltf/document/document.hpp"

namespace vitrine::gltf {

// For a compressed primitive without uncompressed data: sets its accessors to the decompressed vertices and
// returns the corners of its triangles (a list, whatever the mode). Returns nullopt when there is nothing to
// decompress. Errors: malformed, out_of_range, limit_exceeded.
LoadResult<std::optional<std::vector<std::uint32_t>>> decompress_draco(Document& document,
                                                                       io::JsonValue primitive);

} // namespace vitrine::gltf
