#pragma once
// The buffers into which batches write what the host reads, and which their frames may share: see PixelPool.
// Frames that outlive the Renderer keep the device.

#include <cstdint>
#include <memory>

#include "vk_renderer/base/pixel_pool.hpp"
#include "vk_renderer/gpu/buffer.hpp"
#include "vk_renderer/gpu/device.hpp"

namespace vitrine::render {

class ReadbackPool {
public:
    using Taken = PixelPool<Buffer>::Taken;

    // `max_shared_bytes`: of all buffers that frames share; further frames are to be copied.
    ReadbackPool(std::shared_ptr<DeviceContext> context, std::uint64_t max_shared_bytes);
    ~ReadbackPool();
    ReadbackPool(const ReadbackPool&) = delete;
    ReadbackPool& operator=(const ReadbackPool&) = delete;

    // Throws as Memory::allocate().
    Taken take(VkDeviceSize bytes);
    // As PixelPool::share(); also false for memory that the host reads slowly.
    bool share(const Taken& taken, VkDeviceSize pixel_bytes);
    // Frees the buffers that nobody uses.
    void trim();

private:
    const std::shared_ptr<DeviceContext> context_;
    PixelPool<Buffer> buffers_;
};

} // namespace vitrine::render
