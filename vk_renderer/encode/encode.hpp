#pragma once
// Encodes frames as image files. Thread-safe; without state.

#include <cstddef>
#include <cstdint>
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

} // namespace vitrine::render
