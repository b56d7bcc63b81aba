#pragma once
// Requests to a render thread.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "loaders/base/stop.hpp"
#include "server/services/rendering/frame_source.hpp"
#include "server/tracing/trace_scope.hpp"
#include "vk_renderer/render_device.hpp"

namespace vitrine::server {

using render::RenderDevice;

// A task that takes longer than this means that the renderer hangs.
inline constexpr std::chrono::seconds render_timeout{60};

// Most urgent first. batch: frame sequences and large stills.
enum class RenderPriority : std::uint8_t { interactive, image, batch };
// While more urgent work never ends, such as many live views, one submission of images, or one piece of a
// sequence, is nevertheless drawn after this time.
inline constexpr std::chrono::milliseconds max_image_wait{100}, max_batch_wait{250};

// Priority of a request, and the AssetRecord::content_hash of its model: new for every version; empty: no
// model, and no quarantine. It is dropped when the work of the thread that makes it is stopped.
struct RenderRequest {
    RenderRequest(RenderPriority priority_, std::string hash = {}) // NOLINT(google-explicit-constructor)
        : priority(priority_), content_hash(std::move(hash))
    {
    }
    RenderPriority priority;
    std::string content_hash;
    std::stop_token stop = thread_stop_token(); // loaders/base/stop.hpp
    std::string trace = current_trace();
};

// A still, of which several waiting ones are rendered in one submission, or a piece of a sequence.
struct PendingFrames {
    FramePiece piece;                    // of a still: one image; of a sequence: empty until its turn
    std::shared_ptr<FrameSource> source; // of the piece; empty: a still
    std::vector<render::Frame> frames;   // the result, one per image
};

// A task for a device: `work`, or `pending` if `work` is empty.
struct DeviceTask {
    RenderRequest request;
    std::function<void(RenderDevice&)> work;
    std::shared_ptr<PendingFrames> pending;
    std::move_only_function<void(std::exception_ptr)> done;
    std::size_t losses = 0;         // device losses that this task caused
    bool render_separately = false; // it failed in a batch
    std::chrono::steady_clock::time_point queued{};

    // Whether its images are drawn while the render thread does other work. Others must run alone: a failure
    // then identifies its cause.
    bool may_be_submitted() const { return pending && !render_separately && losses == 0; }
    // Whether it may be drawn in one submission with other tasks.
    bool may_be_joined() const { return may_be_submitted() && !pending->source; }
};

// Rendering the model has lost two devices in a row.
struct ModelQuarantined : render::DeviceLost {
    ModelQuarantined();
};

struct RenderLimits { // per device
    std::size_t max_queued_interactive = 64;
    std::size_t max_queued_image = 256;
    std::size_t max_queued_batch = 64;
    // Over the server's lifetime: each hung device without a process of its own keeps its memory and threads.
    // 0: no limit.
    std::size_t max_losses = 16;
    // Minimum time between attempts to create a device after a failure, so that a machine without a driver
    // does not spend its time on attempts.
    std::chrono::milliseconds retry_interval{5000};
    // Of one batch of waiting images: the longest that a live view waits for it.
    std::chrono::milliseconds batch_time{20};
};

} // namespace vitrine::server
