#pragma once
// The header of the frames of a live preview (api/websocket.md). Pure functions.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "loaders/scene/bounds/bounds.hpp"

namespace vitrine::server {

enum class FrameCodec : std::uint8_t { jpeg = 1, vp8 = 2, vp9 = 3, png = 4 };
bool is_video(FrameCodec codec);

struct FrameHeader {
    FrameCodec codec = FrameCodec::jpeg;
    bool key_frame = true; // always true for a still
    bool full_quality = false;
    std::uint32_t sequence = 0;
    std::uint32_t input = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    double time = 0.0;
    scene::Aabb bounds;
    std::uint32_t render_us = 0;
    std::uint32_t encode_us = 0;
};
std::vector<std::byte> encode_frame_header(const FrameHeader& header); // 64 bytes

} // namespace vitrine::server
