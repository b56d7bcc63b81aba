#pragma once
// A frame that was drawn for a viewer to the bytes that are sent.

#include <cstddef>
#include <memory>
#include <vector>

#include "server/stream/stream_session.hpp"
#include "vk_renderer/encode/video.hpp"

namespace vitrine::server {

using Frames = std::vector<render::Frame>; // one; kept for its memory

struct Encoding {
    RenderTask task;
    Frames frames;
    std::shared_ptr<render::VideoEncoder> video; // of a video frame: the viewer's
    DrawnFrame drawn;
    std::shared_ptr<const std::vector<std::byte>> payload; // null: the codec failed
};

// Precondition: the codec is a video's.
render::VideoCodec video_codec(FrameCodec codec);

// Fills `drawn` and `payload`. Takes milliseconds: on a pool, one at a time for one `video`.
void encode_frame(Encoding& encoding);

} // namespace vitrine::server
