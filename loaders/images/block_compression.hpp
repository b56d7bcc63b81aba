#pragma once
// Decodes Direct3D's block-compressed formats BC1 to BC5 (formerly DXT and ATI) and BC7: 4 x 4 pixels in 8 or
// 16 bytes. Sources: Microsoft, "Texture Block Compression in Direct3D 11"; Khronos Data Format
// Specification, chapters S3TC, RGTC and BPTC.

#include <array>
#include <cstdint>

namespace vitrine::images {

enum class BlockFormat : std::uint8_t { bc1, bc2, bc3, bc4, bc4_signed, bc5, bc5_signed, bc7 };

constexpr std::size_t block_bytes(BlockFormat kind)
{
    return kind == BlockFormat::bc1 || kind == BlockFormat::bc4 || kind == BlockFormat::bc4_signed ? 8 : 16;
}

using Rgba = std::array<std::uint8_t, 4>;
using BlockPixels = std::array<Rgba, 16>; // four rows, top row first

// `bytes` has block_bytes(kind) bytes; any bytes are a valid block. One channel is decoded as gray; two
// channels are x and y of a unit vector whose z is computed. Signed values are mapped to 0 .. 255.
BlockPixels decode_block(BlockFormat kind, const std::uint8_t* bytes);

// Decodes a BC7 block of 16 bytes; used by decode_block().
BlockPixels decode_bc7(const std::uint8_t* bytes);

} // namespace vitrine::images
