#include "vk_renderer/frame/imported_memory.hpp"

#include <cstdint>
#include <utility>

namespace vitrine::render {

ImportedMemory::ImportedMemory(Buffer buffer, std::shared_ptr<Kept> kept)
    : pool_(UINT64_MAX, PixelWriter::device, std::move(kept))
{
    pool_.add(std::move(buffer));
}

std::shared_ptr<ImportedMemory> ImportedMemory::import(const std::shared_ptr<DeviceContext>& context,
                                                       std::span<std::byte> memory,
                                                       std::shared_ptr<void> owner)
{
    auto buffer = Buffer::import(context->device, memory,
                                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                 "imported pixels");
    if (!buffer) return nullptr;
    auto kept = std::make_shared<Kept>(std::move(owner), context);
    return std::shared_ptr<ImportedMemory>(new ImportedMemory(std::move(buffer), std::move(kept)));
}

} // namespace vitrine::render
