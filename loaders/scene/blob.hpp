#pragma once
// A Scene as flat bytes: what the loader process hands over and what the derived cache keeps. Little-endian,
// versioned, checksummed; arrays start at multiples of 16 bytes. Decoding hostile bytes is safe: every count
// is compared with what is left before it allocates. A decoded Scene still has to pass validate().

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "loaders/base/error.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

inline constexpr std::uint32_t blob_version = 9; // rises whenever the Scene or this layout changes

std::vector<std::byte> encode_blob(const Scene& scene);
// Errors: truncated, malformed (magic, checksum, text), unsupported (version), out_of_range.
LoadResult<Scene> decode_blob(std::span<const std::byte> bytes);

} // namespace vitrine::scene
