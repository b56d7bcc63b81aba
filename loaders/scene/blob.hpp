#pragma once
// Serializes a Scene to flat bytes, for transfer out of the loader process and for the derived cache.
// Little-endian, versioned; arrays are aligned to 16 bytes. Decoding
// untrusted bytes is safe: every count is compared with the remaining size before memory is allocated. A
// decoded Scene must still pass validate().

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loaders/base/error.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

inline constexpr std::uint32_t blob_version = 17; // increment whenever Scene or this layout changes

// A blob whose large arrays are those of the scene: it must outlive this object unchanged.
struct BlobPieces {
    struct LargeArray {
        std::size_t at = 0; // number of bytes of `fields` before the array
        std::span<const std::byte> bytes;
    };
    std::string fields;
    std::vector<LargeArray> arrays; // ascending `at`

    // Visits all bytes in order. visit(std::span<const std::byte>)
    template <class Visit>
    void each(Visit visit) const
    {
        const auto all = std::as_bytes(std::span(fields));
        std::size_t at = 0;
        for (const LargeArray& array : arrays) {
            visit(all.subspan(at, array.at - at));
            visit(array.bytes);
            at = array.at;
        }
        visit(all.subspan(at));
    }
};
BlobPieces encode_blob_pieces(const Scene& scene);

// Arrays of the result are views of `bytes`, which start at a multiple of 16, exist as long as `owner` (not
// null) and are changed by nobody else (array.hpp).
// Errors: truncated, malformed (magic, text, size), unsupported (version), out_of_range.
LoadResult<Scene> decode_blob_in_place(std::span<std::byte> bytes, std::shared_ptr<const void> owner);

} // namespace vitrine::scene
