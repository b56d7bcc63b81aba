// From the samples of a batch's images to pixels in host memory.
#include "vk_renderer/frame/batch_renderer.hpp"
#include "vk_renderer/frame/batch_sizes.hpp"

namespace vitrine::render {
namespace {

// All overlays except lines and names that extend beyond the model's bounds.
bool stays_within_bounds(const Overlays& overlays)
{
    return overlays == Overlays{.wireframe = overlays.wireframe,
                                .debug_view = overlays.debug_view,
                                .joint = overlays.joint};
}

} // namespace

ResolvePass::ResolveArea BatchRenderer::resolved(const BatchSlot& slot, std::size_t image)
{
    const auto& view = *slot.images[image].view;
    const auto& params = slot.params[image];
    return {.width = view.width,
            .height = view.height,
            .studio = shared::has_backdrop(params.backdrop) || shared::has_ground(params.ground)};
}

void BatchRenderer::record_resolve(BatchSlot& slot, VkCommandBuffer commands, std::size_t first,
                                   std::size_t end)
{
    const auto for_each = [&](auto record) {
        for (auto i = first; i < end; ++i)
            record(i, target_pool_.target(static_cast<std::uint32_t>(i - first)), resolved(slot, i));
    };
    target_pool_.end_colors(commands, end - first, attachments, raster_read);
    for_each([&](std::size_t i, const RenderTargets& target, const ResolvePass::ResolveArea& image) {
        const auto& offsets = slot.image_offsets[i];
        const bool within = !slot.images[i].instances && stays_within_bounds(slot.images[i].view->overlays);
        resolve_->record(commands, target,
                         {.uniforms = slot.frame_data.get(),
                          .uniform_offset = i * params_stride(),
                          .bounds = skinned_[offsets.posed].boxes.get(),
                          .box = within ? offsets.pose : shared::no_box},
                         image);
    });
    slot.timestamps.record_pass(commands, Pass::resolve);
    memory_barrier(*device_, commands, attachments, transfer);
    for_each([&](std::size_t i, const RenderTargets& target, const ResolvePass::ResolveArea& image) {
        resolve_->copy(commands, target, image, slot.readback->get(), slot.image_offsets[i].pixels_offset);
    });
    slot.timestamps.record_pass(commands, Pass::copy);
}

// Every image of the batch has a range of its own in the buffer: the dispatches may overlap.
void BatchRenderer::record_compute_resolve(BatchSlot& slot, VkCommandBuffer commands, std::size_t first,
                                           std::size_t end)
{
    if (copies_resolved())
        ensure(resolved_pixels_, slot.timestamps_offset,
               {MemoryDomain::device, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
               "resolved pixels");
    // Samples and shadows.
    target_pool_.end_colors(commands, end - first, attachments | compute, compute);
    for (auto i = first; i < end; ++i)
        compute_resolve_->record(commands, target_pool_.target(static_cast<std::uint32_t>(i - first)),
                                 {.uniforms = slot.frame_data.get(),
                                  .uniform_offset = i * params_stride(),
                                  .pixels = copies_resolved() ? resolved_pixels_.get() : slot.readback->get(),
                                  .pixels_offset = slot.image_offsets[i].pixels_offset},
                                 resolved(slot, i));
    slot.timestamps.record_pass(commands, Pass::resolve);
}

bool BatchRenderer::copies_resolved() const
{
    return device_->traits.resolve_path == ResolvePath::compute_to_device;
}

// The images are consecutive in both buffers, at equal offsets.
void BatchRenderer::record_pixel_copy(BatchSlot& slot, VkCommandBuffer commands)
{
    if (!copies_resolved() || slot.images.empty()) return;
    const auto first = slot.image_offsets.front().pixels_offset;
    const auto end = slot.image_offsets.back().pixels_offset + pixel_bytes(*slot.images.back().view);
    const VkBufferCopy region{first, first, end - first};
    memory_barrier(*device_, commands, compute, transfer);
    device_->vk.vkCmdCopyBuffer(commands, resolved_pixels_.get(), slot.readback->get(), 1, &region);
    slot.timestamps.record_pass(commands, Pass::copy);
}

} // namespace vitrine::render
