#pragma once
// A buffer with its memory, classified by domain (usage) instead of memory flags.

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "vk_renderer/gpu/handle.hpp"

namespace vitrine::render {

enum class MemoryDomain : std::uint8_t {
    device,   // written and read by the device; mapped only if device memory is host-visible
    upload,   // written by the host each frame, read by the device
    staging,  // written by the host once, copied by the device
    readback, // written by the device, read by the host
};

struct BufferDesc {
    MemoryDomain domain = MemoryDomain::device;
    VkBufferUsageFlags usage = 0;
    // Also bound by storage_or_texels as texels of this format (see DeviceTraits::prefers_texel_buffers).
    VkFormat texels = VK_FORMAT_UNDEFINED;
};

class Buffer {
public:
    Buffer() = default;
    // Allocates at least 16 bytes, so that an empty array can be bound, and 16 more for texels whose size
    // would be a power of two: llvmpipe compiles each shader again for every combination of texel buffers
    // that have such a size (pot_width of its static texture state), which takes about 80 ms each time.
    Buffer(const Device& device, VkDeviceSize size, BufferDesc desc, std::string_view name);
    // In memory of the host, which must outlive the buffer. Empty: the device cannot use it, as
    // Memory::import().
    static Buffer import(const Device& device, std::span<std::byte> memory, VkBufferUsageFlags usage,
                         std::string_view name);

    VkBuffer get() const { return buffer_.get(); }
    VkBufferView texels() const { return view_.get(); }
    VkDeviceSize size() const { return size_; }
    std::byte* mapped() const { return memory_.mapped(); }
    // See Allocation::read(). Precondition: the commands that write have completed.
    const std::byte* read() const { return memory_.read(); }
    bool is_cached() const { return memory_.is_cached(); } // see Allocation
    explicit operator bool() const { return static_cast<bool>(buffer_); }

private:
    Allocation memory_;
    BufferHandle buffer_;
    BufferViewHandle view_;
    VkDeviceSize size_ = 0;
};

// Precondition: the buffer is mapped and has room for the data at `offset`.
template <class T>
void copy_to(const Buffer& buffer, VkDeviceSize offset, std::span<const T> data)
{
    if (!data.empty()) std::memcpy(buffer.mapped() + offset, data.data(), data.size_bytes());
}

} // namespace vitrine::render
