#pragma once
// Images that a device renders while its thread does other work: the result of RenderDevice::submit().

#include <chrono>
#include <vector>

#include "vk_renderer/base/frame.hpp"

namespace vitrine::render {

// Used and destroyed before its device.
class FrameTicket {
public:
    FrameTicket() = default;
    virtual ~FrameTicket() = default;
    FrameTicket(const FrameTicket&) = delete;
    FrameTicket& operator=(const FrameTicket&) = delete;

    // Returns when collect() would not wait: the device has finished the images, or is lost. Any one thread.
    virtual void wait() noexcept = 0;
    // Waits, and returns one frame per request. Once, on the device's thread. Errors: DeviceLost.
    virtual std::vector<Frame> collect() = 0;
    // Returns the time in which the device worked on the images. Precondition: collect() has returned.
    virtual std::chrono::nanoseconds work_time() const = 0;
};

} // namespace vitrine::render
