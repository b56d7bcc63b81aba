#pragma once
// The header of a DDS, as described in Microsoft's "Programming Guide for DDS": size, mipmaps and the layout
// of the pixels. Palettes and DXGI formats are included; volumes and arrays are read as their first image.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "loaders/images/block_compression.hpp"
#include "loaders/images/codecs.hpp"

namespace vitrine::images {

// Bit masks of a pixel's channels; an empty mask means that the channel is absent.
struct DdsMasks {
    unsigned bits = 0;
    std::array<std::uint64_t, 4> channels{};
    bool gray = false; // the first channel is used for all three colors
};

struct DdsPixelLayout {
    std::optional<BlockFormat> block; // if empty, masks or the palette are used
    DdsMasks masks;
    bool palette = false;
    bool premultiplied = false;
    bool red_in_alpha = false;      // red is stored in alpha for higher precision; there is no opacity
    std::string unsupported_reason; // why the layout is unsupported
};

constexpr std::size_t dds_palette_bytes = 1024; // 256 colors of 4 bytes, before the pixels

struct DdsHeader {
    ImageSize size;
    DdsPixelLayout layout;
    std::size_t data_at = 0;  // bytes before the palette or the pixels
    std::uint32_t levels = 1; // mipmaps; 1 for volumes
};

// Fails with the reason, if the header is truncated, a side is 0 or longer than 65536 or the layout is
// unsupported.
DecodeResult<DdsHeader> read_dds_header(Bytes bytes);

} // namespace vitrine::images
