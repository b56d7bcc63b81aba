#include "vk_renderer/gpu/image.hpp"

#include <algorithm>

namespace vitrine::render {
namespace {

ImageHandle create_image(const Device& device, const ImageDesc& desc)
{
    const VkImageCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                 .pNext = nullptr,
                                 .flags = 0,
                                 .imageType = VK_IMAGE_TYPE_2D,
                                 .format = desc.format,
                                 .extent = {desc.width, desc.height, 1},
                                 .mipLevels = desc.mip_levels,
                                 .arrayLayers = 1,
                                 .samples = desc.samples,
                                 .tiling = desc.tiling,
                                 .usage = desc.usage,
                                 .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
                                 .queueFamilyIndexCount = 0,
                                 .pQueueFamilyIndices = nullptr,
                                 .initialLayout = desc.tiling == VK_IMAGE_TILING_LINEAR
                                                      ? VK_IMAGE_LAYOUT_PREINITIALIZED
                                                      : VK_IMAGE_LAYOUT_UNDEFINED};
    VkImage image = VK_NULL_HANDLE;
    check(device.vk.vkCreateImage(device.handle, &info, nullptr, &image), "creating an image");
    return {device, image};
}

ImageViewHandle create_view(const Device& device, VkImage image, const ImageDesc& desc)
{
    const VkImageViewCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                     .pNext = nullptr,
                                     .flags = 0,
                                     .image = image,
                                     .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                     .format = desc.format,
                                     .components = {},
                                     .subresourceRange = {aspect_of(desc.format), 0, desc.mip_levels, 0, 1}};
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

GpuImage::GpuImage(const Device& device, const ImageDesc& desc, std::string_view name)
    : desc_(desc), image_(create_image(device, desc))
{
    VkMemoryRequirements needs{};
    device.vk.vkGetImageMemoryRequirements(device.handle, get(), &needs);
    memory_ = desc.tiling == VK_IMAGE_TILING_LINEAR
                  ? device.memory().allocate(
                        needs, ResourceTiling::linear,
                        {{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | host_coherent}, {host_coherent}})
                  : device.memory().allocate(needs, ResourceTiling::optimal,
                                             {{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT}});
    check(device.vk.vkBindImageMemory(device.handle, get(), memory_.memory(), memory_.offset()),
          "binding an image");
    view_ = create_view(device, get(), desc);
    device.name(VK_OBJECT_TYPE_IMAGE, reinterpret_cast<std::uint64_t>(get()), name);
}

SamplerHandle create_sampler(const Device& device, const SamplerDesc& desc)
{
    const bool anisotropic = desc.anisotropy > 1.0f && device.features.samplerAnisotropy == VK_TRUE;
    const VkSamplerCreateInfo info{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                   .pNext = nullptr,
                                   .flags = 0,
                                   .magFilter = desc.filter,
                                   .minFilter = desc.filter,
                                   .mipmapMode = desc.mipmaps,
                                   .addressModeU = desc.u,
                                   .addressModeV = desc.v,
                                   .addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                   .mipLodBias = 0.0f,
                                   .anisotropyEnable = anisotropic ? VK_TRUE : VK_FALSE,
                                   .maxAnisotropy =
                                       std::clamp(desc.anisotropy, 1.0f, device.limits.maxSamplerAnisotropy),
                                   .compareEnable = VK_FALSE,
                                   .compareOp = VK_COMPARE_OP_ALWAYS,
                                   .minLod = 0.0f,
                                   .maxLod = desc.in_texels ? 0.0f : VK_LOD_CLAMP_NONE,
                                   .borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
                                   .unnormalizedCoordinates = desc.in_texels ? VK_TRUE : VK_FALSE};
    VkSampler sampler = VK_NULL_HANDLE;
    check(device.vk.vkCreateSampler(device.handle, &info, nullptr, &sampler), "creating a sampler");
    return {device, sampler};
}

} // namespace vitrine::render
