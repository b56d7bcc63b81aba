#pragma once
// All rendering devices, each with its thread. A model is always sent to the same thread while that has a
// device (device_affinity.hpp). A model whose work loses two devices in a row is quarantined: all devices
// reject it until lift_quarantine(), and other models are still rendered.

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "server/services/rendering/render_thread.hpp"

namespace vitrine::server {

// Health of all devices, for monitoring.
struct RenderHealth {
    std::vector<DeviceHealth> devices;
    std::size_t losses = 0;      // device losses since the start
    std::size_t quarantined = 0; // number of models
    bool is_disabled = false;    // every device is disabled: nothing is rendered any more
    render::MemoryUse memory;    // sum over all devices
};

class RenderPool {
public:
    // Without devices it rejects every request (no_device). `on_all_devices_disabled`: called once, on a
    // render thread, when the last device has reached RenderLimits::max_losses.
    RenderPool(std::vector<MakeRenderDevice> devices, const RenderLimits& limits, Metrics& metrics,
               std::function<void()> on_all_devices_disabled = {});
    ~RenderPool(); // stop()
    RenderPool(const RenderPool&) = delete;
    RenderPool& operator=(const RenderPool&) = delete;

    // Runs `work` on a render thread, again if the device was lost; then calls `done` once, on a render
    // thread too, with the exception of `work` or null. Neither may block. Work that is queued when the pool
    // stops ends with a RenderError. Errors: busy ("render_queue_full", or stopping), with Retry-After;
    // unprocessable ("render_quarantined"), unavailable ("no_device"). Any thread.
    Result<void> post(RenderRequest request, std::function<void(RenderDevice&)> work,
                      std::move_only_function<void(std::exception_ptr)> done);

    // As post(), returning a future of the result of `work`. For threads that may block; never from a render
    // thread.
    template <class Work>
    auto submit(RenderRequest request, Work work)
        -> Result<std::future<std::invoke_result_t<Work&, RenderDevice&>>>;

    // Renders an image, batched with others that wait; a failure of one does not affect the rest. Otherwise
    // as submit().
    Result<std::future<render::Frame>> request_frame(RenderRequest request,
                                                     render::FrameRequest frame_request);

    // Renders the next piece of a sequence. Its images are empty if all were taken before. Otherwise as
    // submit().
    Result<std::future<PendingFrames>> request_piece(RenderRequest request,
                                                     std::shared_ptr<FrameSource> source);

    // Returns the device that draws the model. Waits until a device is available (empty: all have failed);
    // the threads create their devices at their start.
    std::optional<render::DeviceInfo> device(const std::string& content_hash = {}) const;
    bool draws() const; // it has devices, which need not be available
    bool quarantined(const std::string& content_hash) const;
    // Quarantine groups of models that this pool has quarantined, sorted, and those that other processes
    // have.
    std::vector<std::string> quarantined_groups() const;
    // From now on called on the render thread after the model was quarantined, before its request ends; must
    // not throw. Empty: nobody; then waits for calls that run.
    void on_quarantined(std::function<void(const std::string& group)> listener);
    void set_others_quarantined(std::vector<std::string> groups);
    // The group, and those of several models that have it, are drawn again, also if another process has
    // quarantined them.
    void lift_quarantine(const std::string& group);
    // Returns whether other requests wait, or may soon: within the last seconds a live view or an image of
    // another model was requested.
    bool has_interactive_demand(const RenderRequest& request) const;
    RenderHealth health() const;
    // Finishes running work, rejects queued work, joins. Not from a render thread.
    void stop();

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Renders the frames of a sprite, a turntable or an animated image in batches. Passes each frame to `take` in
// the order of the frame_requests, which have one scene and one size. Uses one submission if no other request
// waits, the sequence is short and the time per image of the model is known; otherwise batches
// (adaptive_batch_size.hpp), of which the device has the next one before the current one is finished, and
// whose frames may be encoded while the next batch is drawn. After a device loss the batch is repeated frame
// by frame. Blocks; not on a render thread.
Result<void> render_frame_sequence(RenderPool& renders, std::span<const render::FrameRequest> frame_requests,
                                   const RenderRequest& request,
                                   const std::function<void(render::Frame)>& take);

template <class Work>
auto RenderPool::submit(RenderRequest request, Work work)
    -> Result<std::future<std::invoke_result_t<Work&, RenderDevice&>>>
{
    using Value = std::invoke_result_t<Work&, RenderDevice&>;
    struct Shared {
        std::promise<Value> promise;
        std::optional<Value> value;
    };
    auto shared = std::make_shared<Shared>();
    auto future = shared->promise.get_future();
    auto posted = post(
        std::move(request),
        [shared, work = std::move(work)](RenderDevice& device) mutable { shared->value = work(device); },
        [shared](std::exception_ptr error) {
            if (error) return shared->promise.set_exception(std::move(error));
            shared->promise.set_value(std::move(*shared->value));
        });
    if (!posted) return std::unexpected(posted.error());
    return future;
}

} // namespace vitrine::server
