#pragma once
// What stands behind decode_image(): one pair of functions per library. Internal to loaders/images.

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "loaders/io/input.hpp"

namespace vitrine::images {

struct Size {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

// The error is the reason, ready to stand in a sentence.
template <class T>
using Decoded = std::expected<T, std::string>;
using Pixels = std::vector<std::uint8_t>;

Decoded<Size> stb_size(Bytes bytes);
Decoded<Pixels> stb_pixels(Bytes bytes, Size size);

Decoded<Size> webp_size(Bytes bytes);
Decoded<Pixels> webp_pixels(Bytes bytes, Size size);

} // namespace vitrine::images
