#pragma once
// Host memory of the caller, for example shared with another process, into which the device writes the
// results of one batch at a time. The frames of that batch are ranges of it. Used by the Renderer's thread;
// frames may end on any thread.

#include <cstddef>
#include <memory>
#include <span>

#include "vk_renderer/base/pixel_pool.hpp"
#include "vk_renderer/gpu/buffer.hpp"
#include "vk_renderer/gpu/device.hpp"

namespace vitrine::render {

class ImportedMemory {
public:
    using Taken = PixelPool<Buffer>::Taken;

    // `owner` keeps the memory as long as the device or frames use it. Null: the device cannot write to it.
    // Throws OutOfMemory.
    static std::shared_ptr<ImportedMemory> import(const std::shared_ptr<DeviceContext>& context,
                                                  std::span<std::byte> memory, std::shared_ptr<void> owner);

    // Empty: it has fewer bytes, many more (see PixelPool::take()), or a batch or frames use it.
    Taken take(VkDeviceSize bytes) { return pool_.take(bytes); }
    bool is_unused() const { return pool_.is_unused(); }

private:
    // Destroyed in reverse order.
    struct Kept {
        std::shared_ptr<void> owner;
        std::shared_ptr<DeviceContext> context;
    };
    ImportedMemory(Buffer buffer, std::shared_ptr<Kept> kept);

    PixelPool<Buffer> pool_; // of one buffer
};

} // namespace vitrine::render
