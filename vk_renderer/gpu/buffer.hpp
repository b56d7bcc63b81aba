#pragma once
// A buffer with its memory, by domain: what it is for, not which flags.

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "vk_renderer/gpu/handle.hpp"

namespace vitrine::render {

enum class MemoryDomain : std::uint8_t {
    device,   // written and read by the device; mapped only where the device's memory is the host's
    upload,   // written by the host each frame, read by the device
    readback, // written by the device, read by the host
};

struct BufferDesc {
    MemoryDomain domain = MemoryDomain::device;
    VkBufferUsageFlags usage = 0;
    // Also storage_or_texels as texels of this format (see DeviceTraits::prefers_texel_buffers).
    VkFormat texels = VK_FORMAT_UNDEFINED;
};

class Buffer {
public:
    Buffer() = default;
    // At least 16 bytes, so that an empty array still binds.
    Buffer(const Device& device, VkDeviceSize size, BufferDesc use, std::string_view name);

    VkBuffer get() const { return buffer_.get(); }
    VkBufferView texels() const { return view_.get(); }
    VkDeviceSize size() const { return size_; }
    std::byte* mapped() const { return memory_.mapped(); }
    explicit operator bool() const { return static_cast<bool>(buffer_); }

private:
    Allocation memory_;
    BufferHandle buffer_;
    BufferViewHandle view_;
    VkDeviceSize size_ = 0;
};

// Precondition: the buffer is mapped and holds offset + the data.
template <class T>
void copy_to(const Buffer& buffer, VkDeviceSize offset, std::span<const T> data)
{
    if (!data.empty()) std::memcpy(buffer.mapped() + offset, data.data(), data.size_bytes());
}

} // namespace vitrine::render
