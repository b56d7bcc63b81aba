#pragma once
// Host data to device buffers and images: straight where the device's memory is the host's, through staging
// buffers elsewhere.

#include <span>
#include <string_view>
#include <vector>

#include "vk_renderer/gpu/buffer.hpp"
#include "vk_renderer/gpu/commands.hpp"
#include "vk_renderer/gpu/image.hpp"
#include "vk_renderer/gpu/timeline.hpp"
#include "vk_renderer/textures/alpha_coverage.hpp"

namespace vitrine::render {

class Uploader {
public:
    Uploader(const Device& device, Timeline& timeline);

    Buffer buffer(std::span<const std::byte> bytes, BufferDesc use, std::string_view name);
    // RGBA, 8 bits each; with a full chain of mip maps, averaged in linear light where the format is sRGB.
    // An `alpha` of any use takes sRGB.
    Image image(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height, bool srgb,
                std::string_view name, AlphaFilter alpha = {});
    // Takes an image that the device itself will fill to GENERAL.
    void prepare(const Image& image);
    // Everything is on the device when this returns.
    void finish();
    // After a failure half way: forgets what was recorded and not yet sent.
    void discard();

private:
    VkCommandBuffer recording();
    // With room for `more_bytes` behind `bytes`.
    const Buffer& stage(std::span<const std::byte> bytes, VkDeviceSize more_bytes = 0);
    // `smaller`: the levels below the first, one after the other. The image is linear.
    void write_levels(const Image& image, std::span<const std::uint8_t> pixels,
                      std::span<const std::uint8_t> smaller);
    void copy_levels(const Image& image, std::span<const std::uint8_t> pixels,
                     std::span<const std::uint8_t> smaller);
    void copy_and_blit_mipmaps(const Image& image, std::span<const std::uint8_t> pixels);

    const Device* device_;
    Timeline* timeline_;
    Commands commands_;
    VkCommandBuffer recording_ = VK_NULL_HANDLE;
    std::vector<Buffer> staging_;
    VkDeviceSize staged_bytes_ = 0;
};

} // namespace vitrine::render
