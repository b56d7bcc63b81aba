#pragma once
// Interface of a device that renders. Implemented by Renderer (renderer.hpp) and by tests. Threads
// and errors: as of Renderer.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "loaders/scene/hit.hpp"
#include "loaders/scene/scene.hpp"
#include "vk_renderer/base/frame.hpp"
#include "vk_renderer/base/options.hpp"
#include "vk_renderer/base/view.hpp"
#include "vk_renderer/frame_ticket.hpp"

namespace vitrine::render {

class RenderDevice {
public:
    virtual ~RenderDevice() = default;
    virtual const DeviceInfo& info() const = 0;
    virtual MemoryUse memory() const { return {}; }
    // Total time in which the device executed submissions, for monitoring.
    virtual std::chrono::nanoseconds work_time() const { return {}; }
    // Returns the time of one image in a batch; empty if it is not known yet.
    virtual std::optional<std::chrono::nanoseconds> expected_time(const SharedScene&, const View&) const
    {
        return {};
    }

    // Renders one frame per clip time into `frames`, whose memory is reused if the device supports it.
    virtual void render(const SharedScene& scene, const View& view, std::span<const ClipTime> clip_times,
                        std::vector<Frame>& frames) = 0;
    // Renders one frame per request, of any scenes; batched if the device supports it.
    virtual void render(std::span<const FrameRequest> frame_requests, std::vector<Frame>& frames) = 0;
    // Starts rendering as render() and returns while the device works. Tickets are collected in the order of
    // their submission; other calls may come between. A device that cannot do this renders at once.
    virtual std::shared_ptr<FrameTicket> submit(std::span<const FrameRequest> frame_requests);
    std::vector<Frame> render(const SharedScene& scene, const View& view,
                              std::span<const ClipTime> clip_times)
    {
        std::vector<Frame> frames;
        render(scene, view, clip_times, frames);
        return frames;
    }

    // Called when no work has arrived for a second: for what would delay it.
    virtual void idle() {}

    // Returns the exact bounds of the posed model per clip time.
    virtual std::vector<scene::Aabb> bounds(const SharedScene& scene,
                                            std::span<const ClipTime> clip_times) = 0;
    // Returns what an image of `view` shows at its pixel x, y (from the top left); empty: background.
    virtual std::optional<scene::Hit> pick(const SharedScene& scene, const View& view, ClipTime clip_time,
                                           std::uint32_t x, std::uint32_t y) = 0;
};

} // namespace vitrine::render
