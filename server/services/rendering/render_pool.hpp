#pragma once
// Every device that draws, each with its thread. A model always goes to the same one while that has a device
// (device_affinity.hpp). The model whose work loses two devices, one after the other, is quarantined: refused
// by all from then on, while the others are drawn.

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/services/rendering/render_thread.hpp"

namespace vitrine::server {

// For whoever watches the server.
struct RenderHealth {
    std::vector<DeviceHealth> devices;
    std::size_t losses = 0;      // of devices, since the start
    std::size_t quarantined = 0; // models
    bool gave_up = false;        // every device: nothing is drawn any more
    render::MemoryUse memory;    // of all
};

class RenderPool {
public:
    // Precondition: there is at least one device. `give_up`: called once, on a render thread, when the last
    // device has reached RenderLimits::losses.
    RenderPool(std::vector<MakeRenderDevice> devices, const RenderLimits& limits, Metrics& metrics,
               std::function<void()> give_up = {});
    ~RenderPool(); // stop()
    RenderPool(const RenderPool&) = delete;
    RenderPool& operator=(const RenderPool&) = delete;

    // `work` runs on a render thread, again when the device was lost; `done` is then called once, on a render
    // thread too, with what `work` threw or null. Neither may block. Work that a stop finds in the queue is
    // done with a RenderError. Errors: busy ("render_queue_full", or stopping), with Retry-After;
    // unprocessable ("render_quarantined"). Any thread.
    Result<void> post(RenderRequest request, std::function<void(RenderDevice&)> work,
                      std::move_only_function<void(std::exception_ptr)> done);

    // The same with a future of what `work` returns. For threads that may wait; never from a render thread.
    template <class Work>
    auto submit(RenderRequest request, Work work)
        -> Result<std::future<std::invoke_result_t<Work&, RenderDevice&>>>;

    // A picture, drawn together with others that wait; what goes wrong with one of them is not seen by the
    // rest. Otherwise as submit().
    Result<std::future<render::Frame>> draw(RenderRequest request, render::FrameRequest frame_request);

    // The device that draws the model. Waits until a first device stands (or all failed: empty); the threads
    // make them as soon as they run.
    std::optional<render::DeviceInfo> device(const std::string& model = {}) const;
    bool quarantined(const std::string& model) const;
    // Somebody else waits, or may: within the last seconds a live view or a picture of another model was
    // asked for.
    bool has_interactive_demand(const RenderRequest& request) const;
    RenderHealth health() const;
    // Finishes what is drawn, refuses what waits, joins. Not from a render thread.
    void stop();

private:
    struct State;
    std::unique_ptr<State> state_;
};

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
