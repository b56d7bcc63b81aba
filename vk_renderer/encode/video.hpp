#pragma once
// Encodes a live view as VP8 or VP9 with libvpx in real time; each frame is coded relative to the previous
// one.
//
// One encoder per viewer. It may move between threads but is used by one at a time. Every packet must reach
// the decoder in order, because the next one depends on it. To drop frames, drop them before encode().

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "vk_renderer/base/frame.hpp"

namespace vitrine::render {

enum class VideoCodec : std::uint8_t { vp8, vp9 };

struct VideoPacket {
    // One frame without a container, as WebCodecs accepts it; BT.601, limited range.
    std::vector<std::byte> bytes;
    bool key_frame = false; // can be decoded without earlier frames
};

class VideoEncoder {
public:
    explicit VideoEncoder(VideoCodec codec);
    ~VideoEncoder();
    VideoEncoder(VideoEncoder&&) noexcept;
    VideoEncoder& operator=(VideoEncoder&&) noexcept;

    VideoCodec codec() const { return codec_; }

    // Any size from 1 x 1; alpha is ignored. `at`: presentation time on any monotonic clock; quality is
    // limited by the bit rate. Produces a key frame on request, for the first frame, after a change of size
    // and after a failure. Throws std::runtime_error if the codec fails.
    VideoPacket encode(const Frame& frame, std::chrono::microseconds at, bool key_frame = false);

private:
    class Stream; // state that depends on the frame size
    VideoCodec codec_;
    std::unique_ptr<Stream> stream_;
};

} // namespace vitrine::render
