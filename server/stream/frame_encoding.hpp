#pragma once
// Encodes a rendered frame for one viewer.

#include <cstddef>
#include <memory>
#include <vector>

#include "server/stream/stream_session.hpp"
#include "vk_renderer/encode/video.hpp"

namespace vitrine::server {

using Frames = std::vector<render::Frame>; // holds one frame; kept to reuse its memory

struct Encoding {
    RenderTask task;
    Frames frames;
    std::shared_ptr<render::VideoEncoder> video; // the viewer's encoder, for video frames
    DrawnFrame drawn;
    std::shared_ptr<const std::vector<std::byte>> payload; // null: encoding failed
};

// Precondition: the codec is a video codec.
render::VideoCodec video_codec(FrameCodec codec);

// Fills `drawn` and `payload`. Takes milliseconds: run on a pool, sequentially for one `video`.
void encode_frame(Encoding& encoding);

} // namespace vitrine::server
