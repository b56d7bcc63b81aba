#pragma once
// Serializes a Scene to flat bytes, for transfer out of the loader process and for the derived cache.
// Little-endian, versioned, checksummed; arrays are aligned to 16 bytes. Decoding untrusted bytes is safe:
// every count is compared with the remaining size before memory is allocated. A decoded Scene must still pass
// validate().

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "loaders/base/error.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

inline constexpr std::uint32_t blob_version = 9; // increment whenever Scene or this layout changes

std::vector<std::byte> encode_blob(const Scene& scene);
// Errors: truncated, malformed (magic, checksum, text), unsupported (version), out_of_range.
LoadResult<Scene> decode_blob(std::span<const std::byte> bytes);

} // namespace vitrine::scene
