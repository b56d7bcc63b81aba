#pragma once
// A Scene as the bytes of one blob, and back.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "loaders/scene/blob.hpp"

namespace vitrine::test {

inline std::vector<std::byte> encode_blob(const scene::Scene& scene)
{
    std::vector<std::byte> bytes;
    scene::encode_blob_pieces(scene).each(
        [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
    return bytes;
}

// Decodes a copy in place. Nothing is allocated behind the copy, so that AddressSanitizer reports accesses
// beyond its end.
inline LoadResult<scene::Scene> decode_blob(std::span<const std::byte> bytes)
{
    const auto copy = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
    return scene::decode_blob_in_place(*copy, copy);
}

} // namespace vitrine::test
