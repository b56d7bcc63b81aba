#pragma once
// What is asked of a render thread.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "server/services/rendering/render_device.hpp"

namespace vitrine::server {

// Who waits longer than this for one piece of work waits for a renderer that hangs.
inline constexpr std::chrono::seconds render_timeout{60};

enum class RenderPriority : std::uint8_t { interactive, picture, batch };

// What is asked for: how soon, and of which model (AssetRecord::source, a new one with every version; empty:
// of none, and then nothing is quarantined).
struct RenderRequest {
    RenderRequest(RenderPriority priority_, std::string model_ = {}) // NOLINT(google-explicit-constructor)
        : priority(priority_), model(std::move(model_))
    {
    }
    RenderPriority priority;
    std::string model;
};

// A picture, of which several that wait are drawn in one submission.
struct BatchedFrame {
    render::FrameRequest frame_request;
    render::Frame frame; // when it is done
};

// A piece of work on its way to a device: `work`, or where that is empty `batched_frame`.
struct DeviceTask {
    RenderRequest request;
    std::function<void(RenderDevice&)> work;
    std::shared_ptr<BatchedFrame> batched_frame;
    std::move_only_function<void(std::exception_ptr)> done;
    std::size_t losses = 0; // of devices, by this work
    bool alone = false;     // it failed among others
};

// Its drawing lost two devices, one after the other.
struct ModelQuarantined : render::DeviceLost {
    ModelQuarantined();
};

struct RenderLimits { // of each device
    std::size_t interactive = 64;
    std::size_t picture = 256;
    std::size_t batch = 64;
    // Over the server's life: each hung one keeps its memory and threads. 0: no limit.
    std::size_t losses = 16;
    // After a failure the next try to make a device waits at least so long: a machine without a driver does
    // not spend its time on trying.
    std::chrono::milliseconds retry_interval{5000};
};

} // namespace vitrine::server
