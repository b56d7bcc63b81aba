#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "server/services/rendering/render_device.hpp"

namespace vitrine::server {
namespace {

class VulkanDevice final : public RenderDevice {
public:
    explicit VulkanDevice(const render::Options& options) : renderer_(options) { renderer_.warm_up(); }
    const render::DeviceInfo& info() const override { return renderer_.device(); }
    render::MemoryUse memory() const override { return renderer_.memory(); }
    std::vector<render::Frame> render(const render::SharedScene& scene, const render::View& view,
                                      std::span<const render::ClipTime> clip_times) override
    {
        return renderer_.render(scene, view, clip_times);
    }
    void render_into(const render::SharedScene& scene, const render::View& view,
                     std::span<const render::ClipTime> clip_times,
                     std::vector<render::Frame>& frames) override
    {
        renderer_.render(scene, view, clip_times, frames);
    }
    std::vector<render::Frame> render(std::span<const render::FrameRequest> frame_requests) override
    {
        std::vector<render::Frame> frames;
        renderer_.render(frame_requests, frames);
        return frames;
    }
    std::optional<std::chrono::nanoseconds>
    expected_time(const render::FrameRequest& frame_request) const override
    {
        return renderer_.expected_time(frame_request.scene, frame_request.view);
    }
    std::vector<scene::Aabb> bounds(const render::SharedScene& scene,
                                    std::span<const render::ClipTime> clip_times) override
    {
        return renderer_.bounds(scene, clip_times);
    }
    std::optional<scene::Hit> pick(const render::SharedScene& scene, const render::View& view,
                                   render::ClipTime clip_time, std::uint32_t x, std::uint32_t y) override
    {
        return renderer_.pick(scene, view, clip_time, x, y);
    }

private:
    render::Renderer renderer_;
};

} // namespace

std::vector<MakeRenderDevice> make_vulkan_devices(const render::Options& options)
{
    std::vector<render::Options> all{options};
    try {
        const auto chosen = render::choose_devices(options.device);
        all.assign(chosen.size(), options);
        for (std::size_t i = 0; i < all.size() && all.size() > 1; ++i) {
            all[i].device = std::to_string(chosen[i]);
            if (i > 0 && !options.pipeline_cache.empty()) all[i].pipeline_cache += fmt::format("-{}", i);
        }
    } catch (const std::exception& error) {
        spdlog::warn("msg=\"no matching device\" gpu={:?} error={:?}", options.device,
                     std::string_view(error.what()));
    }
    std::vector<MakeRenderDevice> makers;
    for (const auto& one : all)
        makers.emplace_back([one] { return std::make_unique<VulkanDevice>(one); });
    return makers;
}

} // namespace vitrine::server
