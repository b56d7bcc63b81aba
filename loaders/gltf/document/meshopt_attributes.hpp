#pragma once
// Version 1 of the attribute codec of KHR_meshopt_compression (Appendix A, "Mode 0: attributes"):
// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_meshopt_compression

#include <cstdint>
#include <span>

namespace vitrine::gltf {

// Whether a stream of attributes begins as one of this version does; those of version 0 are all that
// EXT_meshopt_compression has.
bool is_meshopt_version_1(std::span<const std::uint8_t> stream);

// Decodes elements of `stride` bytes (a multiple of 4, from 4 to 256) until `out` is full; `out` holds a
// whole number of them. False: the stream is broken, and what `out` holds means nothing.
bool decode_meshopt_attributes(std::span<const std::uint8_t> stream, std::size_t stride,
                               std::span<std::uint8_t> out);

} // namespace vitrine::gltf
