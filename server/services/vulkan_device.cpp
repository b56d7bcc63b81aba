#include "server/services/render_thread.hpp"

namespace vitrine::server {
namespace {

class VulkanDevice final : public RenderDevice {
public:
    explicit VulkanDevice(const render::Options& options) : renderer_(options) { renderer_.warm_up(); }
    const render::DeviceInfo& info() const override { return renderer_.device(); }
    render::MemoryUse memory() const override { return renderer_.memory(); }
    std::vector<render::Frame> render(const render::SharedScene& scene, const render::View& view,
                                      std::span<const render::Moment> moments) override
    {
        return renderer_.render(scene, view, moments);
    }
    void render_into(const render::SharedScene& scene, const render::View& view,
                     std::span<const render::Moment> moments, std::vector<render::Frame>& frames) override
    {
        renderer_.render(scene, view, moments, frames);
    }
    std::vector<render::Frame> render(std::span<const render::Shot> shots) override
    {
        std::vector<render::Frame> frames;
        renderer_.render(shots, frames);
        return frames;
    }
    std::vector<scene::Aabb> bounds(const render::SharedScene& scene,
                                    std::span<const render::Moment> moments) override
    {
        return renderer_.bounds(scene, moments);
    }
    std::optional<scene::Hit> pick(const render::SharedScene& scene, const render::View& view,
                                   render::Moment moment, std::uint32_t x, std::uint32_t y) override
    {
        return renderer_.pick(scene, view, moment, x, y);
    }

private:
    render::Renderer renderer_;
};

} // namespace

MakeRenderDevice make_vulkan_device(const render::Options& options)
{
    return [options] { return std::make_unique<VulkanDevice>(options); };
}

} // namespace vitrine::server
