#pragma once
// Interface of a device that renders.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vk_renderer/renderer.hpp"

namespace vitrine::server {

// Implemented by the Vulkan renderer, by tests and, later, by a renderer in another process. Created and
// called on its render thread. Throws as render::Renderer does.
class RenderDevice {
public:
    virtual ~RenderDevice() = default;
    virtual const render::DeviceInfo& info() const = 0;
    virtual std::vector<render::Frame> render(const render::SharedScene& scene, const render::View& view,
                                              std::span<const render::ClipTime> clip_times) = 0;
    // As render(), into `frames`, whose memory is reused if the device supports it.
    virtual void render_into(const render::SharedScene& scene, const render::View& view,
                             std::span<const render::ClipTime> clip_times, std::vector<render::Frame>& frames)
    {
        frames = render(scene, view, clip_times);
    }
    // Returns one image per frame_request, of any scenes; batched if the device supports it.
    virtual std::vector<render::Frame> render(std::span<const render::FrameRequest> frame_requests)
    {
        std::vector<render::Frame> frames;
        for (const auto& frame_request : frame_requests)
            frames.push_back(std::move(
                render(frame_request.scene, frame_request.view, {&frame_request.clip_time, 1}).at(0)));
        return frames;
    }
    // Returns the time of one image in a batch; empty if it is not known yet.
    virtual std::optional<std::chrono::nanoseconds> expected_time(const render::FrameRequest&) const
    {
        return {};
    }
    virtual render::MemoryUse memory() const { return {}; }
    virtual std::vector<scene::Aabb> bounds(const render::SharedScene& scene,
                                            std::span<const render::ClipTime> clip_times) = 0;
    // Returns what an image of `view` shows at its pixel x, y.
    virtual std::optional<scene::Hit> pick(const render::SharedScene& scene, const render::View& view,
                                           render::ClipTime clip_time, std::uint32_t x, std::uint32_t y) = 0;
};

using MakeRenderDevice = std::function<std::unique_ptr<RenderDevice>()>;
// Returns one factory per device that options.device selects, in order, each with its own pipeline cache; if
// no device matches now, one factory that searches again on each call.
std::vector<MakeRenderDevice> make_vulkan_devices(const render::Options& options);

} // namespace vitrine::server
