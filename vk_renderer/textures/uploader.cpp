#include "vk_renderer/textures/uploader.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

#include "vk_renderer/textures/alpha_coverage.hpp"
#include "vk_renderer/textures/mipmaps.hpp"

namespace vitrine::render {
namespace {

constexpr VkDeviceSize max_piece_bytes = 32u << 20;
constexpr VkDeviceSize min_staging_bytes = 4u << 20; // enough for most scenes
// Of pieces in a staging buffer: the size of a texel of the largest format, a multiple of 4.
constexpr VkDeviceSize min_staging_alignment = 16;

VkOffset3D extent_of(const ImageDesc& desc, std::uint32_t level)
{
    return {static_cast<std::int32_t>(std::max(desc.width >> level, 1u)),
            static_cast<std::int32_t>(std::max(desc.height >> level, 1u)), 1};
}

std::uint32_t levels_of(std::uint32_t width, std::uint32_t height)
{
    return static_cast<std::uint32_t>(std::bit_width(std::max(width, height)));
}

VkBufferImageCopy level_region(const ImageDesc& desc, std::uint32_t level, VkDeviceSize offset)
{
    const auto extent = extent_of(desc, level);
    return {.bufferOffset = offset,
            .bufferRowLength = 0,
            .bufferImageHeight = 0,
            .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1},
            .imageOffset = {},
            .imageExtent = {static_cast<std::uint32_t>(extent.x), static_cast<std::uint32_t>(extent.y), 1}};
}

VkDeviceSize level_bytes(const ImageDesc& desc, std::uint32_t level)
{
    const auto extent = extent_of(desc, level);
    return VkDeviceSize{4} * static_cast<std::uint32_t>(extent.x) * static_cast<std::uint32_t>(extent.y);
}

} // namespace

Uploader::Uploader(const Device& device, Timeline& timeline)
    : device_(&device), timeline_(&timeline), submissions_{Submission(device), Submission(device)}
{
}

VkCommandBuffer Uploader::recording()
{
    if (recording_ != VK_NULL_HANDLE) return recording_;
    auto& next = submissions_.front();
    timeline_->wait(next.done);
    timeline_->destroy_expired();
    next.staged_bytes = 0;
    return recording_ = next.commands.begin();
}

Uploader::Staged Uploader::stage(std::span<const std::byte> bytes, std::span<const std::byte> more)
{
    const auto size = bytes.size() + more.size();
    const auto alignment = std::max(min_staging_alignment, device_->limits.optimalBufferCopyOffsetAlignment);
    recording();
    auto offset = (submissions_.front().staged_bytes + alignment - 1) / alignment * alignment;
    if (offset > 0 && offset + size > submissions_.front().staging.size()) {
        submit();
        recording();
        offset = 0;
    }
    auto& current = submissions_.front();
    if (size > current.staging.size())
        current.staging = Buffer(*device_, std::max<VkDeviceSize>(std::bit_ceil(size), min_staging_bytes),
                                 {MemoryDomain::staging, VK_BUFFER_USAGE_TRANSFER_SRC_BIT}, "staging");
    copy_to(current.staging, offset, bytes);
    copy_to(current.staging, offset + bytes.size(), more);
    current.staged_bytes = offset + size;
    return {current.staging.get(), offset};
}

Buffer Uploader::buffer(std::span<const std::byte> bytes, BufferDesc desc, std::string_view name)
{
    desc.usage |= VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    Buffer result(*device_, bytes.size(), desc, name);
    if (bytes.empty()) return result;
    if (result.mapped() != nullptr) {
        std::memcpy(result.mapped(), bytes.data(), bytes.size());
        return result;
    }
    for (std::size_t at = 0; at < bytes.size(); at += max_piece_bytes) {
        const auto piece = bytes.subspan(at, std::min<std::size_t>(max_piece_bytes, bytes.size() - at));
        const auto source = stage(piece);
        const VkBufferCopy region{source.offset, at, piece.size()};
        device_->vk.vkCmdCopyBuffer(recording(), source.buffer, result.get(), 1, &region);
    }
    return result;
}

GpuImage Uploader::image(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height,
                         bool srgb, std::string_view name, AlphaFilter alpha)
{
    assert(!alpha.any() || srgb);
    const bool linear = device_->traits.linear_textures;
    const VkImageUsageFlags copied = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    const ImageDesc desc{.format = srgb ? VK_FORMAT_R8G8B8A8_SRGB : VK_FORMAT_R8G8B8A8_UNORM,
                         .width = width,
                         .height = height,
                         .mip_levels = alpha.min_alpha > 0 ? alpha_coverage_levels(width, height)
                                                           : levels_of(width, height),
                         .usage = VK_IMAGE_USAGE_SAMPLED_BIT | (linear ? 0 : copied),
                         .tiling = linear ? VK_IMAGE_TILING_LINEAR : VK_IMAGE_TILING_OPTIMAL};
    GpuImage result(*device_, desc, name);
    // lavapipe generates and compiles a program for each kind of blit in every process.
    if (!alpha.any() && !device_->traits.software) {
        copy_and_blit_mipmaps(result, pixels);
        return result;
    }
    const auto smaller = alpha.min_alpha > 0 ? alpha_coverage_mipmaps(pixels, width, height, alpha.min_alpha)
                         : alpha.weights_color ? blended_mipmaps(pixels, width, height)
                                               : mipmaps(pixels, width, height, srgb);
    linear ? write_levels(result, pixels, smaller) : copy_levels(result, pixels, smaller);
    return result;
}

void Uploader::write_levels(const GpuImage& image, std::span<const std::uint8_t> pixels,
                            std::span<const std::uint8_t> smaller)
{
    const auto& desc = image.desc();
    auto from = std::as_bytes(pixels);
    for (std::uint32_t level = 0; level < desc.mip_levels; ++level) {
        const VkImageSubresource which{VK_IMAGE_ASPECT_COLOR_BIT, level, 0};
        VkSubresourceLayout place{};
        device_->vk.vkGetImageSubresourceLayout(device_->handle, image.get(), &which, &place);
        const auto bytes = level_bytes(desc, level);
        const auto rows = static_cast<std::uint32_t>(extent_of(desc, level).y);
        for (std::uint32_t y = 0; y < rows; ++y)
            std::ranges::copy(from.subspan(y * (bytes / rows), bytes / rows),
                              image.mapped() + place.offset + y * place.rowPitch);
        from = level == 0 ? std::as_bytes(smaller) : from.subspan(bytes);
    }
    transition_preinitialized(*device_, recording(), image, everything);
}

void Uploader::copy_levels(const GpuImage& image, std::span<const std::uint8_t> pixels,
                           std::span<const std::uint8_t> smaller)
{
    const auto& desc = image.desc();
    const bool is_large = pixels.size() + smaller.size() > max_piece_bytes;
    transition_undefined(*device_, recording(), image, transfer);
    if (is_large) {
        copy_rows(image, 0, std::as_bytes(pixels));
        auto rest = std::as_bytes(smaller);
        for (std::uint32_t level = 1; level < desc.mip_levels; ++level) {
            copy_rows(image, level, rest.first(level_bytes(desc, level)));
            rest = rest.subspan(level_bytes(desc, level));
        }
        return;
    }
    const auto source = stage(std::as_bytes(pixels), std::as_bytes(smaller));
    std::vector<VkBufferImageCopy> regions;
    auto at = source.offset;
    for (std::uint32_t level = 0; level < desc.mip_levels; at += level_bytes(desc, level++))
        regions.push_back(level_region(desc, level, at));
    device_->vk.vkCmdCopyBufferToImage(recording(), source.buffer, image.get(), VK_IMAGE_LAYOUT_GENERAL,
                                       static_cast<std::uint32_t>(regions.size()), regions.data());
}

void Uploader::copy_rows(const GpuImage& image, std::uint32_t level, std::span<const std::byte> pixels)
{
    const auto extent = extent_of(image.desc(), level);
    const std::size_t row_bytes = pixels.size() / static_cast<std::uint32_t>(extent.y);
    const std::size_t piece = std::max<std::size_t>(max_piece_bytes / row_bytes, 1) * row_bytes;
    for (std::size_t at = 0; at < pixels.size(); at += piece) {
        const auto rows = pixels.subspan(at, std::min(piece, pixels.size() - at));
        const auto source = stage(rows);
        auto region = level_region(image.desc(), level, source.offset);
        region.imageOffset.y = static_cast<std::int32_t>(at / row_bytes);
        region.imageExtent.height = static_cast<std::uint32_t>(rows.size() / row_bytes);
        device_->vk.vkCmdCopyBufferToImage(recording(), source.buffer, image.get(), VK_IMAGE_LAYOUT_GENERAL,
                                           1, &region);
    }
}

void Uploader::copy_and_blit_mipmaps(const GpuImage& image, std::span<const std::uint8_t> pixels)
{
    const auto& desc = image.desc();
    transition_undefined(*device_, recording(), image, transfer);
    copy_rows(image, 0, std::as_bytes(pixels));
    for (std::uint32_t level = 1; level < desc.mip_levels; ++level) {
        memory_barrier(*device_, recording(), transfer, transfer);
        const VkImageBlit blit{.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level - 1, 0, 1},
                               .srcOffsets = {{}, extent_of(desc, level - 1)},
                               .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1},
                               .dstOffsets = {{}, extent_of(desc, level)}};
        device_->vk.vkCmdBlitImage(recording(), image.get(), VK_IMAGE_LAYOUT_GENERAL, image.get(),
                                   VK_IMAGE_LAYOUT_GENERAL, 1, &blit, VK_FILTER_LINEAR);
    }
}

void Uploader::prepare(const GpuImage& image)
{
    transition_undefined(*device_, recording(), image, everything);
}

void Uploader::submit()
{
    if (recording_ == VK_NULL_HANDLE) return;
    memory_barrier(*device_, recording_, transfer, everything);
    auto& current = submissions_.front();
    current.done = timeline_->submit(current.commands.end());
    std::ranges::rotate(submissions_, submissions_.begin() + 1);
    discard();
}

void Uploader::finish()
{
    submit();
    timeline_->wait(timeline_->submitted());
    timeline_->destroy_expired();
}

void Uploader::discard()
{
    recording_ = VK_NULL_HANDLE;
}

} // namespace vitrine::render
