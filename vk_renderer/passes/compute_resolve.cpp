#include "vk_renderer/passes/compute_resolve.hpp"

#include <algorithm>
#include <array>

#include "vk_renderer/shaders/shaders.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {
namespace {

constexpr std::uint32_t group_width = 32, group_height = 4; // see resolve.comp

// Samples, ImageParams, shadow, pixels.
constexpr std::array compute_resolve_types{
    VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};

constexpr std::uint32_t groups_of(std::uint32_t pixels, std::uint32_t group)
{
    return (pixels + group - 1) / group;
}

// The rows that one binding of the pixels can hold: as many as start the next binding at a multiple of 256
// bytes, which is every device's alignment. maxStorageBufferRange is at least 2^27 bytes.
std::uint32_t rows_per_dispatch(const Device& device, std::uint32_t width)
{
    constexpr std::uint32_t aligned_rows = 64;
    const auto rows = device.limits.maxStorageBufferRange / (width * 4);
    return std::max(rows / aligned_rows, 1u) * aligned_rows;
}

} // namespace

ComputeResolvePass::ComputeResolvePass(const Device& device)
    : device_(&device), layout_(device, compute_resolve_types, VK_SHADER_STAGE_COMPUTE_BIT,
                                sizeof(shared::ResolvePushConstants)),
      corner_(create_sampler(device, texel_sampler)),
      shadow_sampler_(create_sampler(device, {.mipmaps = VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                              .u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                              .v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE})),
      studio_([this] { return create(true); })
{
}

PipelineHandle ComputeResolvePass::create(bool studio) const
{
    const std::array constants{studio ? 1u : 0u};
    return create_compute(*device_, layout_, shaders::resolve_compute(device_->traits.multisample()),
                          constants, BufferAccess::unchecked);
}

// A failed creation is retried for the next image.
VkPipeline ComputeResolvePass::pipeline(bool studio)
{
    if (studio) return studio_.get().get();
    if (!plain_) plain_ = create(false);
    return plain_.get();
}

void ComputeResolvePass::record(VkCommandBuffer commands, const RenderTargets& target, const Inputs& inputs,
                                const ResolvePass::ResolveArea& area)
{
    const auto& vk = device_->vk;
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline(area.studio));
    const auto along = static_cast<float>(device_->traits.samples_along());
    const VkDeviceSize row_bytes = VkDeviceSize{area.width} * 4;
    const auto max_rows = rows_per_dispatch(*device_, area.width);
    for (std::uint32_t row = 0; row < area.height; row += max_rows) {
        const auto rows = std::min(area.height - row, max_rows);
        DescriptorWriter()
            .sampled(0, target.color.view(), corner_.get(), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
            .uniform(1, inputs.uniforms, inputs.uniform_offset, sizeof(shared::ImageParams))
            .sampled(2, target.blurred_shadow.view(), shadow_sampler_.get())
            .storage(3, inputs.pixels, inputs.pixels_offset + row * row_bytes, rows * row_bytes)
            .record(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_);
        push_constants(
            *device_, commands, layout_,
            shared::ResolvePushConstants{.clip_per_pixel = 2.0f / glm::vec2(area.width, area.height),
                                         .sample_scale = glm::vec2(along),
                                         .box = shared::no_box,
                                         .first_row = row,
                                         .size = {area.width, rows}});
        vk.vkCmdDispatch(commands, groups_of(area.width, group_width), groups_of(rows, group_height), 1);
    }
}

} // namespace vitrine::render
