#pragma once
// Version 1 of the attribute codec of KHR_meshopt_compression (Appendix A, "Mode 0: attributes"):
// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_meshopt_compression

#include <cstdint>
#include <span>

namespace vitrine::gltf {

// Returns whether an attribute stream has version 1; EXT_meshopt_compression has version 0 only.
bool is_meshopt_version_1(std::span<const std::uint8_t> stream);

// Decodes elements of `stride` bytes (a multiple of 4, from 4 to 256) until `out` is full; its size must be a
// multiple of the stride. Returns false when the stream is damaged; the content of `out` is then undefined.
bool decode_meshopt_attributes(std::span<const std::uint8_t> stream, std::size_t stride,
                               std::span<std::uint8_t> out);

} // namespace vitrine::gltf
