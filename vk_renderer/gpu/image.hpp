#pragma once
// 2D images and samplers. Images stay in VK_IMAGE_LAYOUT_GENERAL after their first use, so that barriers only
// concern memory; color and depth of the render targets, which some drivers compress in other layouts alone
// (passes/render_targets.hpp), do not.

#include <cstdint>
#include <string_view>

#include "vk_renderer/gpu/handle.hpp"

namespace vitrine::render {

struct ImageDesc {
    VkFormat format = VK_FORMAT_UNDEFINED;
    std::uint32_t width = 1;
    std::uint32_t height = 1;
    std::uint32_t mip_levels = 1;
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
    VkImageUsageFlags usage = 0;
    // Linear: in host-visible memory, initially in PREINITIALIZED, so that host writes are preserved.
    VkImageTiling tiling = VK_IMAGE_TILING_OPTIMAL;
};

class GpuImage {
public:
    GpuImage() = default;
    GpuImage(const Device& device, const ImageDesc& desc, std::string_view name);

    VkImage get() const { return image_.get(); }
    VkImageView view() const { return view_.get(); }
    const ImageDesc& desc() const { return desc_; }
    VkDeviceSize size_bytes() const { return memory_.size(); }
    // For linear images; null if their memory is not host-visible.
    std::byte* mapped() const { return memory_.mapped(); }
    explicit operator bool() const { return static_cast<bool>(image_); }

private:
    ImageDesc desc_;
    Allocation memory_;
    ImageHandle image_;
    ImageViewHandle view_;
};

VkImageAspectFlags aspect_of(VkFormat format);

struct SamplerDesc {
    VkFilter filter = VK_FILTER_LINEAR;
    VkSamplerMipmapMode mipmaps = VK_SAMPLER_MIPMAP_MODE_LINEAR;
    VkSamplerAddressMode u = VK_SAMPLER_ADDRESS_MODE_REPEAT;
    VkSamplerAddressMode v = VK_SAMPLER_ADDRESS_MODE_REPEAT;
    float anisotropy = 0.0f; // 0: none
    bool in_texels = false; // coordinates are in texels of an image without mip maps, and not fractions of it
};
// Of an image without mip maps, at coordinates in texels.
inline constexpr SamplerDesc texel_sampler{.mipmaps = VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                           .u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                           .v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                           .in_texels = true};
SamplerHandle create_sampler(const Device& device, const SamplerDesc& desc);

} // namespace vitrine::render
