#include "vk_renderer/request_checks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "vk_renderer/base/scene_instances.hpp"

namespace vitrine::render {
namespace {

constexpr std::uint32_t max_side = 8192;
constexpr std::uint64_t max_area_pixels = 4096ull * 4096;

} // namespace

void check_view(const View& view, const Device& device)
{
    const auto limit =
        std::min(max_side, device.limits.maxImageDimension2D / (device.traits.supersample ? 2 : 1));
    if (view.width == 0 || view.height == 0) throw RenderError("the image has no pixels");
    if (view.width > limit || view.height > limit ||
        std::uint64_t{view.width} * view.height > max_area_pixels)
        throw RenderError(fmt::format(
            "an image of {} x {} is too large; the limits are {} pixels per side and {} pixels in total",
            view.width, view.height, limit, max_area_pixels));
}

// Overlays that the device does not support are reported as errors instead of being left out.
void check_overlays(const View& view, const Device& device, const GpuScene& scene)
{
    if (view.overlays.wireframe && device.features.fillModeNonSolid == VK_FALSE)
        throw RenderError("this device does not support wireframes");
    const auto limit = device.limits.maxStorageBufferRange;
    const auto skinned_bytes = VkDeviceSize{scene.vertex_count()} * 16;
    const auto bytes = std::max({scene.indices.size(), scene.attributes.size(), skinned_bytes});
    if (view.overlays.tangents && bytes > limit)
        throw TooLargeForDevice(fmt::format("the model's tangents need {} MiB; the device can bind {} MiB",
                                            bytes >> 20, limit >> 20));
    const auto is_flat = [](const DrawItem& item) { return item.flat; };
    const bool reads_indices = std::ranges::any_of(scene.packed.draws, is_flat);
    const auto normal_bytes = std::max(skinned_bytes, reads_indices ? scene.indices.size() : 0);
    if (view.overlays.normals && normal_bytes > limit)
        throw TooLargeForDevice(fmt::format("the model's normals need {} MiB; the device can bind {} MiB",
                                            normal_bytes >> 20, limit >> 20));
}

void check_instances(const View& view, const GpuScene& scene, std::uint32_t max_poses)
{
    InstanceSize size{.vertices = scene.vertex_count(),
                      .joints = scene.packed.palette_count,
                      .draws = scene.packed.draws.size()};
    for (const auto& item : scene.packed.draws)
        size.triangles += item.index_count / 3;
    if (const auto fault = find_instances_fault(view, size)) throw RenderError(*fault);
    if (instance_count(view) > max_poses)
        throw TooLargeForDevice(fmt::format("the device shows at most {} instances of this model, not {}",
                                            max_poses, instance_count(view)));
}

} // namespace vitrine::render
