#pragma once
// Encodes frames as image files. Thread-safe; without state.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vk_renderer/base/frame.hpp"

namespace vitrine::render {

enum class ImageFormat : std::uint8_t { png, jpeg, webp };

struct EncodeOptions {
    int quality = 85;                // jpeg and webp, 1..100
    double frames_per_second = 15.0; // animated webp
};

// JPEG has no alpha: the frame is composited over white. Throws std::runtime_error if the codec fails.
std::vector<std::byte> encode(const Frame& frame, ImageFormat format, const EncodeOptions& options = {});

// The pixels of a still that encode() has written as WebP. Empty optional: it is none, or a side has more
// than max_decoded_side pixels.
inline constexpr int max_decoded_side = 2048;
std::optional<Frame> decode_webp(std::span<const std::byte> bytes);

} // namespace vitrine::render
