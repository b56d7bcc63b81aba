#pragma once
// The one thread that owns the device. Work comes through bounded queues, interactive before pictures before
// batch; a full queue refuses at once. A lost device is replaced by a fresh one and the work repeated once;
// the model whose work loses that one too is quarantined: refused from then on, while the others are drawn.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "server/services/metrics.hpp"
#include "server/util/error.hpp"
#include "vk_renderer/renderer.hpp"

namespace vitrine::server {

// What draws: the Vulkan renderer here; tests and, later, a renderer in another process stand in. Lives and
// is called on the render thread. Throws as render::Renderer does.
class RenderDevice {
public:
    virtual ~RenderDevice() = default;
    virtual const render::DeviceInfo& info() const = 0;
    virtual std::vector<render::Frame> render(const render::SharedScene& scene, const render::View& view,
                                              std::span<const render::Moment> moments) = 0;
    // The same into `frames`, whose memory is used again where the device can.
    virtual void render_into(const render::SharedScene& scene, const render::View& view,
                             std::span<const render::Moment> moments, std::vector<render::Frame>& frames)
    {
        frames = render(scene, view, moments);
    }
    // A picture for each shot, of any scenes; together where the device can.
    virtual std::vector<render::Frame> render(std::span<const render::Shot> shots)
    {
        std::vector<render::Frame> frames;
        for (const auto& shot : shots)
            frames.push_back(std::move(render(shot.scene, shot.view, {&shot.moment, 1}).at(0)));
        return frames;
    }
    virtual render::MemoryUse memory() const { return {}; }
    virtual std::vector<scene::Aabb> bounds(const render::SharedScene& scene,
                                            std::span<const render::Moment> moments) = 0;
    // What a picture of `view` shows at its pixel x, y.
    virtual std::optional<scene::Hit> pick(const render::SharedScene& scene, const render::View& view,
                                           render::Moment moment, std::uint32_t x, std::uint32_t y) = 0;
};

using MakeRenderDevice = std::function<std::unique_ptr<RenderDevice>()>;
MakeRenderDevice make_vulkan_device(const render::Options& options);

// Who waits longer than this for one piece of work waits for a renderer that hangs.
inline constexpr std::chrono::seconds render_patience{60};

enum class RenderPriority : std::uint8_t { interactive, picture, batch };

// What is asked for: how soon, and of which model (AssetRecord::source, a new one with every version; empty:
// of none, and then nothing is quarantined).
struct RenderOrder {
    RenderOrder(RenderPriority priority_, std::string model_ = {}) // NOLINT(google-explicit-constructor)
        : priority(priority_), model(std::move(model_))
    {
    }
    RenderPriority priority;
    std::string model;
};

// Its drawing lost two devices, one after the other.
struct ModelQuarantined : render::DeviceLost {
    ModelQuarantined();
};

struct RenderLimits {
    std::size_t interactive = 64;
    std::size_t picture = 256;
    std::size_t batch = 64;
    // Of devices, over the thread's life: each hung one keeps its memory and threads. 0: no limit.
    std::size_t losses = 16;
};

// For whoever watches the server.
struct RenderHealth {
    std::size_t losses = 0;      // of devices, since the start
    std::size_t quarantined = 0; // models
    bool gave_up = false;        // RenderLimits::losses was reached: nothing is drawn any more
    render::MemoryUse memory;    // of the device, within the last second of its work
};

class RenderThread {
public:
    // `give_up`: called once, on the render thread, when RenderLimits::losses is reached.
    RenderThread(MakeRenderDevice make_device, const RenderLimits& limits, Metrics& metrics,
                 std::function<void()> give_up = {});
    ~RenderThread(); // stop()
    RenderThread(const RenderThread&) = delete;
    RenderThread& operator=(const RenderThread&) = delete;

    // `work` runs on the render thread, twice when the device was lost; `done` is then called once, there
    // too, with what `work` threw or null. Neither may block. Work that a stop finds in the queue is done
    // with a RenderError. Errors: busy ("render_queue_full", or stopping), with Retry-After; unprocessable
    // ("render_quarantined"). Any thread.
    Result<void> post(RenderOrder order, std::function<void(RenderDevice&)> work,
                      std::move_only_function<void(std::exception_ptr)> done);

    // The same with a future of what `work` returns. For threads that may wait; never from the render thread.
    template <class Work>
    auto submit(RenderOrder order, Work work)
        -> Result<std::future<std::invoke_result_t<Work&, RenderDevice&>>>;

    // Waits until the first device stands (or failed: empty). The thread makes it as soon as it runs.
    std::optional<render::DeviceInfo> device() const;
    std::size_t waiting() const;
    bool quarantined(const std::string& model) const;
    RenderHealth health() const;
    // Finishes what is drawn, refuses what waits, joins. Not from the render thread.
    void stop();

private:
    struct State;
    std::unique_ptr<State> state_;
};

template <class Work>
auto RenderThread::submit(RenderOrder order, Work work)
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
        std::move(order),
        [shared, work = std::move(work)](RenderDevice& device) mutable { shared->value = work(device); },
        [shared](const std::exception_ptr& error) {
            if (error) return shared->promise.set_exception(error);
            shared->promise.set_value(std::move(*shared->value));
        });
    if (!posted) return std::unexpected(posted.error());
    return future;
}

} // namespace vitrine::server
