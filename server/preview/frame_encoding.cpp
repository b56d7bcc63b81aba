#include "server/preview/preview_driver.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "vk_renderer/encode/encode.hpp"

namespace vitrine::server {
namespace {

using Clock = std::chrono::steady_clock;

render::ImageFormat image_format(FrameCodec codec)
{
    return codec == FrameCodec::png ? render::ImageFormat::png : render::ImageFormat::jpeg;
}

render::VideoPacket encode_bytes(const PendingEncoding& encoding, Clock::time_point now)
{
    const auto& frame = encoding.frames.at(0);
    const auto& task = encoding.task;
    if (encoding.video) {
        auto at = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch());
        return encoding.video->encode(frame, at, task.key_frame);
    }
    return {.bytes = render::encode(frame, image_format(task.codec), {.quality = task.quality}),
            .key_frame = true};
}

} // namespace

void encode_frame(PendingEncoding& encoding)
{
    const auto& frame = encoding.frames.at(0);
    auto began = Clock::now();
    bool key_frame = true;
    try {
        auto packet = encode_bytes(encoding, began);
        key_frame = packet.key_frame;
        encoding.payload = std::make_shared<const std::vector<std::byte>>(std::move(packet.bytes));
    } catch (const std::exception&) {
        return;
    }
    auto took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began);
    encoding.drawn = {.width = frame.width,
                      .height = frame.height,
                      .bounds = frame.bounds,
                      .framing = frame.framing,
                      .render_us = frame.render_us,
                      .encode_us = static_cast<std::uint32_t>(took.count()),
                      .key_frame = key_frame,
                      .payload_bytes = encoding.payload->size()};
}

} // namespace vitrine::server
