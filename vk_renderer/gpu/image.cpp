#include "vk_renderer/gpu/image.hpp"

#include <algorithm>

namespace vitrine::render {
namespace {

ImageHandle create_image(const Device& device, const ImageDesc& use)
{
    const VkImageCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                 .pNext = nullptr,
                                 .flags = 0,
                                 .imageType = VK_IMAGE_TYPE_2D,
                                 .format = use.format,
                                 .extent = {use.width, use.height, 1},
                                 .mipLevels = use.mip_levels,
                                 .arrayLayers = 1,
                                 .samples = use.samples,
                                 .tiling = use.tiling,
                                 .usage = use.usage,
                                 .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
                                 .queueFamilyIndexCount = 0,
                                 .pQueueFamilyIndices = nullptr,
                                 .initialLayout = use.tiling == VK_IMAGE_TILING_LINEAR
                                                      ? VK_IMAGE_LAYOUT_PREINITIALIZED
                                                      : VK_IMAGE_LAYOUT_UNDEFINED};
    VkImage image = VK_NULL_HANDLE;
    check(device.vk.vkCreateImage(device.handle, &info, nullptr, &image), "creating an image");
    return {device, image};
}

ImageViewHandle create_view(const Device& device, VkImage image, const ImageDesc& use)
{
    const VkImageViewCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                     .pNext = nullptr,
                                     .flags = 0,
                                     .image = image,
                                     .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                     .format = use.format,
                                     .components = {},
                                     .subresourceRange = {aspect_of(use.format), 0, use.mip_levels, 0, 1}};
    VkImageView view = VK_NULL_HANDLE;
    check(device.vk.vkCreateImageView(device.handle, &info, nullptr, &view), "creating an image view");
    return {device, view};
}

} // namespace

VkImageAspectFlags aspect_of(VkFormat format)
{
    const bool depth = format == VK_FORMAT_D32_SFLOAT || format == VK_FORMAT_D16_UNORM;
    return depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
}

GpuImage::GpuImage(const Device& device, const ImageDesc& use, std::string_view name)
    : use_(use), image_(create_image(device, use))
{
    VkMemoryRequirements needs{};
    device.vk.vkGetImageMemoryRequirements(device.handle, get(), &needs);
    memory_ =
        use.tiling == VK_IMAGE_TILING_LINEAR
            ? device.memory().allocate(needs, ResourceTiling::linear,
                                       {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | host_coherent, host_coherent})
            : device.memory().allocate(needs, ResourceTiling::optimal,
                                       {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0});
    check(device.vk.vkBindImageMemory(device.handle, get(), memory_.memory(), memory_.offset()),
          "binding an image");
    view_ = create_view(device, get(), use);
    device.name(VK_OBJECT_TYPE_IMAGE, reinterpret_cast<std::uint64_t>(get()), name);
}

SamplerHandle create_sampler(const Device& device, const SamplerDesc& use)
{
    const bool anisotropic = use.anisotropy > 1.0f && device.features.samplerAnisotropy == VK_TRUE;
    const VkSamplerCreateInfo info{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                   .pNext = nullptr,
                                   .flags = 0,
                                   .magFilter = use.filter,
                                   .minFilter = use.filter,
                                   .mipmapMode = use.mipmaps,
                                   .addressModeU = use.u,
                                   .addressModeV = use.v,
                                   .addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                   .mipLodBias = 0.0f,
                                   .anisotropyEnable = anisotropic ? VK_TRUE : VK_FALSE,
                                   .maxAnisotropy =
                                       std::clamp(use.anisotropy, 1.0f, device.limits.maxSamplerAnisotropy),
                                   .compareEnable = VK_FALSE,
                                   .compareOp = VK_COMPARE_OP_ALWAYS,
                                   .minLod = 0.0f,
                                   .maxLod = VK_LOD_CLAMP_NONE,
                                   .borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
                                   .unnormalizedCoordinates = VK_FALSE};
    VkSampler sampler = VK_NULL_HANDLE;
    check(device.vk.vkCreateSampler(device.handle, &info, nullptr, &sampler), "creating a sampler");
    return {device, sampler};
}

} // namespace vitrine::render
