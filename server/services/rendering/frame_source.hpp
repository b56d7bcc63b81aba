#pragma once
// Images of one sequence, such as a turntable, that render threads draw in pieces of one submission each.

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "server/services/rendering/adaptive_batch_size.hpp"
#include "vk_renderer/render_device.hpp"

namespace vitrine::server {

// Consecutive images of a sequence.
struct FramePiece {
    std::size_t first = 0; // index in the sequence
    std::vector<render::FrameRequest> frame_requests;
};

// Called by any render thread, without a lock of the caller held unless it says so.
class FrameSource {
public:
    FrameSource() = default;
    virtual ~FrameSource() = default;
    FrameSource(const FrameSource&) = delete;
    FrameSource& operator=(const FrameSource&) = delete;

    // Returns the next piece; without images: all were taken. `while_others_wait`: its limits if others wait
    // for the device.
    virtual FramePiece take(const render::RenderDevice& device, const BatchBudget& while_others_wait) = 0;
    // The device has drawn this number of images in this time.
    virtual void measured(std::size_t images, std::chrono::nanoseconds time) = 0;
    // The expected time of this number of images; empty: a piece must be measured first. With the lock of the
    // render thread held.
    virtual std::optional<std::chrono::nanoseconds> time_of(std::size_t images) const = 0;
    // Whether a piece was taken that must be measured before the size of another one is known. As time_of().
    virtual bool is_measuring() const = 0;
};

} // namespace vitrine::server
