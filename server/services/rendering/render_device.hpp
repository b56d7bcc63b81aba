#pragma once
// What draws, as the services see it.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vk_renderer/renderer.hpp"

namespace vitrine::server {

// The Vulkan renderer here; tests and, later, a renderer in another process stand in. Lives and is called on
// its render thread. Throws as render::Renderer does.
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
    // A picture for each frame_request, of any scenes; together where the device can.
    virtual std::vector<render::Frame> render(std::span<const render::FrameRequest> frame_requests)
    {
        std::vector<render::Frame> frames;
        for (const auto& frame_request : frame_requests)
            frames.push_back(
                std::move(render(frame_request.scene, frame_request.view, {&frame_request.moment, 1}).at(0)));
        return frames;
    }
    // For one picture of many; empty: that is not known yet.
    virtual std::optional<std::chrono::nanoseconds> expected_time(const render::FrameRequest&) const
    {
        return {};
    }
    virtual render::MemoryUse memory() const { return {}; }
    virtual std::vector<scene::Aabb> bounds(const render::SharedScene& scene,
                                            std::span<const render::Moment> moments) = 0;
    // What a picture of `view` shows at its pixel x, y.
    virtual std::optional<scene::Hit> pick(const render::SharedScene& scene, const render::View& view,
                                           render::Moment moment, std::uint32_t x, std::uint32_t y) = 0;
};

using MakeRenderDevice = std::function<std::unique_ptr<RenderDevice>()>;
// One for each device that options.device names, in that request, each with a pipeline cache of its own;
// where none answers to it now, one that looks again whenever it is called.
std::vector<MakeRenderDevice> make_vulkan_devices(const render::Options& options);

} // namespace vitrine::server
