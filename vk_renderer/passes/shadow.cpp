#include "vk_renderer/passes/shadow.hpp"

#include <algorithm>

#include "vk_renderer/shaders/shaders.hpp"

namespace vitrine::render {
namespace {

constexpr std::uint32_t shadow_workgroup = 64;
constexpr std::uint32_t blur_workgroup = 8; // along both axes
constexpr std::uint32_t texels_in_word = 2; // computed by one invocation of the blur
static_assert(blurred_shadow_size % (blur_workgroup * texels_in_word) == 0);
// Within the dispatch limit of every device; 50 MB of indices, within the binding limit of every device.
constexpr std::uint32_t max_elements = 65535 * shadow_workgroup;
// A multiple of every device's minStorageBufferOffsetAlignment.
constexpr std::uint32_t index_alignment = 256 / sizeof(std::uint32_t);

// The limit for translucent casters; offsets of multiples of 16 of them are aligned likewise.
constexpr std::uint32_t max_translucent = 65535 / 2 * shadow_workgroup;
constexpr std::uint32_t translucent_alignment = 16;

// Several elements for each texel of the map cast. Returns the step from one to the next, odd, so that it
// rarely divides the rows of a grid.
std::uint32_t stride_for(std::uint64_t elements)
{
    constexpr std::uint64_t max_elements_cast = 8ull * shadow_size * shadow_size;
    return elements <= max_elements_cast ? 1 : static_cast<std::uint32_t>(elements / max_elements_cast) | 1u;
}

// Of the vertices that cast in a reduced image.
std::uint32_t reduced_stride(const Casters& casters)
{
    std::uint64_t vertices = 0;
    for (const auto& run : casters.runs)
        if (run.corners == 0) vertices += run.count;
    return stride_for(vertices);
}

// Of all casters of a crowd, whose models cover few texels each.
std::uint32_t crowd_stride(const Casters& casters, std::uint32_t instances)
{
    std::uint64_t elements = 0;
    for (const auto& run : casters.runs)
        elements += run.count;
    for (const auto& run : casters.translucent_runs)
        elements += run.count;
    return stride_for(elements * instances);
}

// Not so large that a small part of the model would not cast at all.
std::uint32_t stride_of_run(std::uint32_t stride, std::uint32_t elements)
{
    constexpr std::uint32_t min_elements = 32;
    return std::clamp(elements / min_elements, 1u, stride);
}

PipelineLayout cast_layout(const Device& device)
{
    const std::array types{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, storage_or_texel_type(device),
                           VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
    return {device, types, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(shared::CastPushConstants)};
}

PipelineLayout translucent_layout(const Device& device)
{
    const std::array types{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, storage_or_texel_type(device),
                           VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                           VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    return {device, types, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(shared::CastPushConstants)};
}

} // namespace

ShadowPass::ShadowPass(const Device& device)
    : device_(&device), cast_layout_(cast_layout(device)), translucent_layout_(translucent_layout(device)),
      blur_layout_(device, std::array{VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                   VK_SHADER_STAGE_COMPUTE_BIT, sizeof(shared::BlurPushConstants)),
      common_([this] { return create_common(); })
{
}

ShadowPass::Common ShadowPass::create_common() const
{
    return {.cast = create_cast(false),
            .blur = {create_compute(*device_, blur_layout_, shaders::blur(false)),
                     create_compute(*device_, blur_layout_, shaders::blur(true))}};
}

PipelineHandle ShadowPass::create_cast(bool vertices) const
{
    return create_compute(*device_, cast_layout_,
                          shaders::cast(device_->traits.prefers_texel_buffers, vertices));
}

void ShadowPass::clear(VkCommandBuffer commands, const RenderTargets& target) const
{
    const VkClearColorValue empty{.uint32 = {shared::no_caster, 0, 0, 0}};
    const VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    device_->vk.vkCmdClearColorImage(commands, target.shadow_heights.get(), VK_IMAGE_LAYOUT_GENERAL, &empty,
                                     1, &range);
}

void ShadowPass::record_heights(VkCommandBuffer commands, const GpuScene& scene, const ShadowInputs& frame)
{
    VkPipeline bound = VK_NULL_HANDLE;
    const auto stride = frame.instances > 1 ? crowd_stride(scene.casters, frame.instances)
                        : frame.is_reduced  ? reduced_stride(scene.casters)
                                            : 1;
    const auto element_stride = frame.instances > 1 ? stride : 1;
    for (const auto& run : scene.casters.runs) {
        auto* const pipeline = cast_of(run);
        if (pipeline != bound)
            device_->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, bound = pipeline);
        if (run.corners == 0)
            record_vertices(commands, scene, frame, run, stride);
        else
            record_run(commands, scene, frame, run, stride_of_run(element_stride, run.count));
    }
    for (const auto& run : scene.casters.translucent_runs)
        record_translucent(commands, scene, frame, run, stride_of_run(element_stride, run.count));
}

ShadowPass::CastingInstances ShadowPass::next_instances(const GpuScene& scene, const ShadowInputs& frame,
                                                        std::uint32_t first, std::uint32_t front_face_entry)
{
    if (front_face_entry == scene::none) return {first, frame.instances - first, 0.0f};
    const auto mirrored = [&](std::uint32_t instance) {
        return mirrors(frame.palette[std::size_t{instance} * scene.packed.palette_count + front_face_entry]);
    };
    auto end = first + 1;
    while (end < frame.instances && mirrored(end) == mirrored(first))
        ++end;
    return {first, end - first, mirrored(first) ? -1.0f : 1.0f};
}

void ShadowPass::dispatch(VkCommandBuffer commands, const GpuScene& scene, const ShadowInputs& frame,
                          const PipelineLayout& layout, shared::CastPushConstants constants,
                          std::uint32_t front_face_entry) const
{
    const auto first_vertex = frame.first_vertex + constants.first_vertex;
    constants.size = shadow_size;
    constants.vertex_total = scene.vertex_count();
    for (std::uint32_t first = 0; first < frame.instances;) {
        const auto instances = next_instances(scene, frame, first, front_face_entry);
        constants.first_vertex = first_vertex + first * scene.vertex_count();
        constants.front = instances.front;
        push_constants(*device_, commands, layout, constants);
        device_->vk.vkCmdDispatch(commands, (constants.count + shadow_workgroup - 1) / shadow_workgroup,
                                  instances.count, 1);
        first += instances.count;
    }
}

VkPipeline ShadowPass::cast_of(const Caster& run)
{
    if (run.corners > 0) return common_.get().cast.get();
    if (!cast_vertices_) cast_vertices_ = create_cast(true);
    return cast_vertices_.get();
}

void ShadowPass::record_translucent(VkCommandBuffer commands, const GpuScene& scene,
                                    const ShadowInputs& frame, const TranslucentRun& run,
                                    std::uint32_t stride)
{
    if (!cast_translucent_)
        cast_translucent_ = create_compute(*device_, translucent_layout_,
                                           shaders::cast_translucent(device_->traits.prefers_texel_buffers));
    device_->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, cast_translucent_.get());
    constexpr VkDeviceSize bytes = sizeof(shared::TranslucentCaster);
    for (std::uint32_t done = 0; done < run.count; done += max_translucent) {
        const auto count = std::min(run.count - done, max_translucent);
        const auto first = run.first + done;
        const auto bound = first / translucent_alignment * translucent_alignment;
        DescriptorWriter()
            .uniform(0, frame.uniforms, frame.uniform_offset, sizeof(shared::ImageParams))
            .storage_or_texels(1, frame.skinned)
            .storage(2, scene.translucent_casters.get(), bound * bytes, (first - bound + count) * bytes)
            .image(3, frame.target.shadow_heights.view())
            .storage(4, scene.opacity_masks.get())
            .record(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, translucent_layout_);
        dispatch(commands, scene, frame, translucent_layout_,
                 {.first_index = first - bound,
                  .count = (count + stride - 1) / stride,
                  .corners = 3,
                  .stride = stride},
                 run.front_face_entry);
    }
}

void ShadowPass::record_run(VkCommandBuffer commands, const GpuScene& scene, const ShadowInputs& frame,
                            const Caster& run, std::uint32_t stride) const
{
    for (std::uint32_t done = 0; done < run.count; done += max_elements) {
        const auto count = std::min(run.count - done, max_elements);
        const auto first = run.first_index + done * run.corners;
        const auto bound = first / index_alignment * index_alignment;
        const auto end = first + count * run.corners;
        DescriptorWriter()
            .uniform(0, frame.uniforms, frame.uniform_offset, sizeof(shared::ImageParams))
            .storage_or_texels(1, frame.skinned)
            .storage(2, scene.caster_indices.get(), VkDeviceSize{bound} * sizeof(std::uint32_t),
                     std::max<VkDeviceSize>(VkDeviceSize{end - bound} * sizeof(std::uint32_t), 4))
            .image(3, frame.target.shadow_heights.view())
            .record(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, cast_layout_);
        dispatch(commands, scene, frame, cast_layout_,
                 {.first_index = first - bound,
                  .count = (count + stride - 1) / stride,
                  .corners = run.corners,
                  .first_vertex = run.first_vertex,
                  .stride = stride},
                 run.front_face_entry);
    }
}

// Every `stride`-th vertex of the run. No indices are read.
void ShadowPass::record_vertices(VkCommandBuffer commands, const GpuScene& scene, const ShadowInputs& frame,
                                 const Caster& run, std::uint32_t stride) const
{
    const auto total = (run.count + stride - 1) / stride;
    DescriptorWriter()
        .uniform(0, frame.uniforms, frame.uniform_offset, sizeof(shared::ImageParams))
        .storage_or_texels(1, frame.skinned)
        .storage(2, scene.caster_indices.get(), 0, 4)
        .image(3, frame.target.shadow_heights.view())
        .record(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, cast_layout_);
    for (std::uint32_t done = 0; done < total; done += max_elements) {
        const auto count = std::min(total - done, max_elements);
        dispatch(commands, scene, frame, cast_layout_,
                 {.first_index = 0,
                  .count = count,
                  .corners = stride,
                  .first_vertex = run.first_vertex + done * stride},
                 scene::none);
    }
}

void ShadowPass::record_blur(VkCommandBuffer commands, const RenderTargets& target, bool vertical)
{
    device_->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                  common_.get().blur[vertical ? 1 : 0].get());
    DescriptorWriter()
        .image(0, vertical ? target.blurred_horizontally.view() : target.shadow_heights.view())
        .image(1, vertical ? target.blurred_shadow.view() : target.blurred_horizontally.view())
        .record(*device_, commands, VK_PIPELINE_BIND_POINT_COMPUTE, blur_layout_);
    push_constants(*device_, commands, blur_layout_, shared::BlurPushConstants{blurred_shadow_size});
    constexpr auto groups = blurred_shadow_size / blur_workgroup;
    device_->vk.vkCmdDispatch(commands, groups / texels_in_word, groups, 1);
}

} // namespace vitrine::render
