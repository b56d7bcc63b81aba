#pragma once
// Copies host data to device buffers and images: directly if device memory is host-visible, otherwise through
// staging buffers in system memory, in pieces of at most 32 MiB. Up to two submissions are in flight, each
// with its staging buffer, which the next submission but one uses again: drivers of graphics cards take
// milliseconds to allocate 32 MiB of system memory.

#include <array>
#include <span>
#include <string_view>

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
    // 8-bit RGBA with a full mip chain, averaged in linear light for sRGB formats. A non-default `alpha`
    // requires sRGB.
    GpuImage image(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height, bool srgb,
                   std::string_view name, AlphaFilter alpha = {});
    // Transitions an image that the device fills to GENERAL.
    void prepare(const GpuImage& image);
    // Submits the uploads: later submissions find them complete. Waits for nothing but the submission before
    // the last one.
    void submit();
    // All uploads have completed when it returns.
    void finish();
    // After a failure: discards commands that were recorded but not submitted.
    void discard();

private:
    struct Staged {
        VkBuffer buffer = VK_NULL_HANDLE;
        VkDeviceSize offset = 0;
    };

    VkCommandBuffer recording();
    // For commands that are recorded before the next call. Submits what was recorded before if the staging
    // buffer is full. Precondition: at most max_piece_bytes together.
    Staged stage(std::span<const std::byte> bytes, std::span<const std::byte> more = {});
    // `smaller`: the levels below the first, concatenated. The image is linearly tiled.
    void write_levels(const GpuImage& image, std::span<const std::uint8_t> pixels,
                      std::span<const std::uint8_t> smaller);
    void copy_levels(const GpuImage& image, std::span<const std::uint8_t> pixels,
                     std::span<const std::uint8_t> smaller);
    // In pieces of some rows.
    void copy_rows(const GpuImage& image, std::uint32_t level, std::span<const std::byte> pixels);
    void copy_and_blit_mipmaps(const GpuImage& image, std::span<const std::uint8_t> pixels);

    const Device* device_;
    Timeline* timeline_;
    struct Submission {
        explicit Submission(const Device& device) : commands(device) {}
        Commands commands;
        Buffer staging;
        VkDeviceSize staged_bytes = 0;
        std::uint64_t done = 0; // timeline value
    };
    std::array<Submission, 2> submissions_; // the first one is recorded next
    VkCommandBuffer recording_ = VK_NULL_HANDLE;
};

} // namespace vitrine::render
