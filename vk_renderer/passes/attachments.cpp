#include "vk_renderer/passes/attachments.hpp"

namespace vitrine::render {
namespace {

// Cleared to zeros: transparent, and far with reversed depth.
VkRenderingAttachmentInfo attachment(const GpuImage& image, VkImageLayout layout, VkAttachmentLoadOp load,
                                     VkAttachmentStoreOp store)
{
    VkRenderingAttachmentInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    info.imageView = image.view();
    info.imageLayout = layout;
    info.loadOp = load;
    info.storeOp = store;
    return info;
}

} // namespace

void begin_rendering(const Device& device, VkCommandBuffer commands, const Attachments& attachments,
                     std::uint32_t width, std::uint32_t height)
{
    constexpr auto clear = VK_ATTACHMENT_LOAD_OP_CLEAR, dont_care = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    const bool has_depth = attachments.depth != nullptr;
    const auto color = attachment(
        *attachments.color, has_depth ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_GENERAL,
        has_depth ? clear : dont_care, VK_ATTACHMENT_STORE_OP_STORE);
    VkRenderingAttachmentInfo depth{};
    if (has_depth)
        depth = attachment(*attachments.depth, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, clear,
                           VK_ATTACHMENT_STORE_OP_DONT_CARE);
    const VkRect2D area{{0, 0}, {width, height}};
    VkRenderingInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.renderArea = area;
    info.layerCount = 1;
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &color;
    info.pDepthAttachment = has_depth ? &depth : nullptr;
    device.vk.vkCmdBeginRendering(commands, &info);
    const VkViewport viewport{0.0f, 0.0f, static_cast<float>(width), static_cast<float>(height), 0.0f, 1.0f};
    device.vk.vkCmdSetViewport(commands, 0, 1, &viewport);
    device.vk.vkCmdSetScissor(commands, 0, 1, &area);
    device.vk.vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);
    device.vk.vkCmdSetFrontFace(commands, VK_FRONT_FACE_COUNTER_CLOCKWISE);
}

} // namespace vitrine::render
