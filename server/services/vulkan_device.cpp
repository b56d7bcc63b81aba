#include "server/services/render_thread.hpp"

namespace vitrine::server {
namespace {

class VulkanDevice final : public RenderDevice {
public:
    explicit VulkanDevice(const render::Options& options) : renderer_(options) {}
    const render::DeviceInfo& info() const override { return renderer_.device(); }
    std::vector<render::Frame> render(const render::SharedScene& scene, const render::View& view,
                                      std::span<const render::Moment> moments) override
    {
        return renderer_.render(scene, view, moments);
    }
    std::vector<scene::Aabb> bounds(const render::SharedScene& scene,
                                    std::span<const render::Moment> moments) override
    {
        return renderer_.bounds(scene, moments);
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
