#include "vk_renderer/frame/readback_pool.hpp"

namespace vitrine::render {

ReadbackPool::ReadbackPool(std::shared_ptr<DeviceContext> context, std::uint64_t max_shared_bytes)
    : context_(context), buffers_(max_shared_bytes, PixelWriter::device, std::move(context))
{
}

ReadbackPool::~ReadbackPool()
{
    if (!buffers_.is_unused()) context_->instance.stop_messages();
}

ReadbackPool::Taken ReadbackPool::take(VkDeviceSize bytes)
{
    if (auto taken = buffers_.take(bytes)) return taken;
    const auto size = PixelPool<Buffer>::rounded(bytes);
    buffers_.make_room(size);
    return buffers_.add(Buffer(
        context_->device, size,
        {MemoryDomain::readback, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT},
        "readback"));
}

bool ReadbackPool::share(const Taken& taken, VkDeviceSize pixel_bytes)
{
    return taken->is_cached() && buffers_.share(taken, pixel_bytes);
}

void ReadbackPool::trim()
{
    buffers_.trim();
}

} // namespace vitrine::render
