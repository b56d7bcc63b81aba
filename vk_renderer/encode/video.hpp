#pragma once
// Moving pictures of a live view: VP8 or VP9 by libvpx in real time, each frame told by what changed since
// the one before it.
//
// One encoder for one viewer. It may move between threads; one at a time uses it. Every packet must reach the
// decoder, in order: the next one builds on it. Whoever wants to leave frames out does so before encode().

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "vk_renderer/base/frame.hpp"

namespace vitrine::render {

enum class VideoCodec : std::uint8_t { vp8, vp9 };

struct VideoPacket {
    std::vector<std::byte>
        bytes;              // one frame without a container, as WebCodecs takes it; BT.601, limited range
    bool key_frame = false; // needs no frame before it
};

class VideoEncoder {
public:
    explicit VideoEncoder(VideoCodec codec);
    ~VideoEncoder();
    VideoEncoder(VideoEncoder&&) noexcept;
    VideoEncoder& operator=(VideoEncoder&&) noexcept;

    VideoCodec codec() const { return codec_; }

    // Any size from 1 x 1; alpha is not looked at. `at`: when the frame is shown, on any clock that does not
    // run backwards; quality is bounded by bits a second. A key frame comes when it is asked for, at first,
    // with another size and after a failure. Throws std::runtime_error when the codec fails.
    VideoPacket encode(const Frame& frame, std::chrono::microseconds at, bool key_frame = false);

private:
    class Stream; // what lives as long as the size stays
    VideoCodec codec_;
    std::unique_ptr<Stream> stream_;
};

} // namespace vitrine::render
