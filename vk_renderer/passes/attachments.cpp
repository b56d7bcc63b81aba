#include "vk_renderer/passes/attachments.hpp"

namespace vitrine::render {
namespace {

// Cleared to zeros: transparent, and far with reversed depth.
VkRenderingAttachmentInfo attachment(const GpuImage& image, VkAttachmentLoadOp load,
                                     VkAttachmentStoreOp store)
{
    VkRenderingAttachmentInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    info.imageView = image.view();
    info.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    info.loadOp = load;
    info.storeOp = store;
    return info;
}

} // namespace

void begin_rendering(const Device& device, VkCommandBuffer commands, const Attachments& attachments,
                     std::uint32_t width, std::uint32_t height)
{
    constexpr auto clear = VK_ATTACHMENT_LOAD_OP_CLEAR, dont_care = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    const auto color = attachment(*attachments.color, attachments.depth != nullptr ? clear : dont_care,
                                  VK_ATTACHMENT_STORE_OP_STORE);
    VkRenderingAttachmentInfo depth{};
    if (attachments.depth != nullptr)
        depth = attachment(*attachments.depth, clear, VK_ATTACHMENT_STORE_OP_DONT_CARE);
    const VkRect2D area{{0, 0}, {width, height}};
    VkRenderingInfo info{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.renderArea = area;
    info.layerCount = 1;
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &color;
    info.pDepthAttachment = attachments.depth != nullptr ? &depth : nullptr;
    device.vk.vkCmdBeginRendering(commands, &info);
    const VkViewport viewport{0.0f, 0.0f, static_cast<float>(width), static_cast<float>(height), 0.0f, 1.0f};
    device.vk.vkCmdSetViewport(commands, 0, 1, &viewport);
    device.vk.vkCmdSetScissor(commands, 0, 1, &area);
    device.vk.vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);
    device.vk.vkCmdSetFrontFace(commands, VK_FRONT_FACE_COUNTER_CLOCKWISE);
}

} // namespace vitrine::render
