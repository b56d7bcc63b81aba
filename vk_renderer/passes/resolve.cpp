#include "vk_renderer/passes/resolve.hpp"

#include "vk_renderer/passes/attachments.hpp"
#include "vk_renderer/shaders/shaders.hpp"
#include "vk_renderer/shaders/shared.h"

namespace vitrine::render {
namespace {

// Of both passes: samples (ResolvePass alone), ImageParams, shadow, EncodedBounds.
constexpr std::array descriptor_types{
    VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};

// See resolve.vert.
constexpr std::uint32_t rectangle_vertices = 6; // vertices
constexpr std::uint32_t surrounding_vertices = 4 * rectangle_vertices;

} // namespace

ResolvePass::RegionDraw ResolvePass::create(bool studio, bool samples, std::uint32_t ground_region) const
{
    const std::array constants{studio ? 1u : 0u, samples ? 1u : 0u, ground_region};
    return {create_graphics(*device_, layout_,
                            {.vertex = shaders::resolve_vertex(),
                             .fragment = shaders::resolve(device_->traits.multisample()),
                             .constants = constants,
                             .color = pixel_format,
                             .depth_write = false}),
            samples ? rectangle_vertices : surrounding_vertices};
}

ResolvePass::ResolvePass(const Device& device)
    : device_(&device),
      layout_(device, descriptor_types, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
              sizeof(shared::ResolvePushConstants)),
      corner_(create_sampler(device, texel_sampler)),
      shadow_sampler_(create_sampler(device, {.mipmaps = VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                              .u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                              .v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE})),
      studio_([this] { return create_parts(true); })
{
}

std::vector<ResolvePass::RegionDraw> ResolvePass::create_parts(bool studio) const
{
    std::vector<RegionDraw> parts;
    if (device_->traits.single_use) {
        // One pipeline for the whole image: several would take longer to compile than they save.
    } else if (studio) {
        parts.push_back(create(true, false, 0));
        parts.push_back(create(true, false, 1));
    } else {
        parts.push_back(create(false, false, 2));
    }
    parts.push_back(create(studio, true, 2));
    return parts;
}

// A failed creation is retried for the next image.
std::span<const ResolvePass::RegionDraw> ResolvePass::parts(bool studio)
{
    if (studio) return studio_.get();
    if (plain_.empty()) plain_ = create_parts(false);
    return plain_;
}

void ResolvePass::record(VkCommandBuffer commands, const RenderTargets& target, const Inputs& inputs,
                         const ResolveArea& area)
{
    const auto& vk = device_->vk;
    begin_rendering(*device_, commands, {.color = &target.pixels}, area.width, area.height);
    DescriptorWriter()
        .sampled(0, target.color.view(), corner_.get(), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)
        .uniform(1, inputs.uniforms, inputs.uniform_offset, sizeof(shared::ImageParams))
        .sampled(2, target.blurred_shadow.view(), shadow_sampler_.get())
        .storage(3, inputs.bounds)
        .record(*device_, commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_);
    const auto box = device_->traits.single_use ? shared::no_box : inputs.box;
    const auto along = static_cast<float>(device_->traits.samples_along());
    push_constants(*device_, commands, layout_,
                   shared::ResolvePushConstants{.clip_per_pixel = 2.0f / glm::vec2(area.width, area.height),
                                                .sample_scale = glm::vec2(along),
                                                .box = box,
                                                .first_row = 0,
                                                .size = {}});
    for (const auto& part : parts(area.studio)) {
        vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, part.pipeline.get());
        vk.vkCmdDraw(commands, part.vertices, 1, 0, 0);
    }
    vk.vkCmdEndRendering(commands);
}

void ResolvePass::copy(VkCommandBuffer commands, const RenderTargets& target, const ResolveArea& area,
                       VkBuffer to, VkDeviceSize offset) const
{
    const VkBufferImageCopy region{.bufferOffset = offset,
                                   .bufferRowLength = 0,
                                   .bufferImageHeight = 0,
                                   .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   .imageOffset = {0, 0, 0},
                                   .imageExtent = {area.width, area.height, 1}};
    device_->vk.vkCmdCopyImageToBuffer(commands, target.pixels.get(), VK_IMAGE_LAYOUT_GENERAL, to, 1,
                                       &region);
}

BackgroundPass::BackgroundPass(const Device& device, VkSampleCountFlagBits samples)
    : device_(&device), samples_(samples),
      layout_(device, descriptor_types, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
              sizeof(shared::ResolvePushConstants)),
      shadow_sampler_(create_sampler(device, {.mipmaps = VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                              .u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                              .v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE}))
{
}

VkPipeline BackgroundPass::pipeline(bool studio)
{
    auto& made = studio ? studio_ : plain_;
    const std::array constants{studio ? 1u : 0u};
    if (!made)
        made = create_graphics(*device_, layout_,
                               {.vertex = shaders::resolve_vertex(),
                                .fragment = shaders::background_per_sample(),
                                .constants = constants,
                                .color = color_format,
                                .depth = depth_format,
                                .samples = samples_,
                                .depth_write = false});
    return made.get();
}

void BackgroundPass::record(VkCommandBuffer commands, const RenderTargets& target, const Inputs& inputs)
{
    DescriptorWriter()
        .uniform(1, inputs.uniforms, inputs.uniform_offset, sizeof(shared::ImageParams))
        .sampled(2, target.blurred_shadow.view(), shadow_sampler_.get())
        .storage(3, inputs.bounds)
        .record(*device_, commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_);
    const auto along = static_cast<float>(device_->traits.samples_along());
    push_constants(*device_, commands, layout_,
                   shared::ResolvePushConstants{.clip_per_pixel = 2.0f / inputs.size,
                                                .sample_scale = glm::vec2(1.0f / along),
                                                .box = shared::no_box,
                                                .first_row = 0,
                                                .size = {}});
    device_->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline(inputs.studio));
    device_->vk.vkCmdDraw(commands, rectangle_vertices, 1, 0, 0);
}

} // namespace vitrine::render
