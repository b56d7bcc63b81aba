#pragma once
// Files for the tests of images that are reduced while they are decoded.

#include <cstdint>
#include <string>
#include <string_view>

#include "loaders/images/image.hpp"

namespace vitrine::test {

constexpr std::uint64_t no_cap = ~0ull;

LoadResult<scene::Image> reduced(const std::string& bytes, std::uint64_t max_pixels,
                                 std::string_view name = "picture", const Limits& limits = {});

// The same bytes at each call.
std::string noise(std::size_t count);

std::string webp_of(std::uint32_t width, std::uint32_t height, bool lossless);

// RGBA of noise.
std::string large_tga(unsigned width, unsigned height);

// Uncompressed, with levels of one color each: (10, 10, 10, 10), (20, 20, 20, 20), ...; its header declares
// `declared` levels.
std::string dds_with_mipmaps(unsigned side, unsigned levels, unsigned declared);

} // namespace vitrine::test
