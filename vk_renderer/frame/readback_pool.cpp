#include "vk_renderer/frame/readback_pool.hpp"

#include <algorithm>

namespace vitrine::render {
namespace {

constexpr VkDeviceSize min_buffer_bytes = 64u << 10;
// A larger buffer is not used for so few bytes: frames that share it would hold all of it.
constexpr VkDeviceSize max_excess = 4;
// Sharing takes less than a microsecond, and holds a whole buffer: few pixels are copied.
constexpr VkDeviceSize min_shared_bytes = 64u << 10;

// With a reserve, so that batches of about the same size use the same buffers.
VkDeviceSize rounded(VkDeviceSize bytes)
{
    return (bytes + bytes / 8 + min_buffer_bytes - 1) / min_buffer_bytes * min_buffer_bytes;
}

} // namespace

struct ReadbackPool::State {
    explicit State(std::shared_ptr<DeviceContext> context_) : context(std::move(context_)) {}

    // Destroys the least recently used free buffers until the others have at most this size. Precondition:
    // the mutex is locked.
    void shrink(VkDeviceSize max_free_bytes);

    const std::shared_ptr<DeviceContext> context; // outlives the buffers
    std::mutex mutex;                             // guards the members below
    std::vector<std::unique_ptr<Slot>> slots;
    std::uint64_t shared_bytes = 0;
    // Set when the pool has ended before its last frame: owns itself until then.
    std::shared_ptr<State> self;
};

void ReadbackPool::State::shrink(VkDeviceSize max_free_bytes)
{
    VkDeviceSize free_bytes = 0;
    for (const auto& slot : slots)
        if (!slot->in_use_) free_bytes += slot->buffer_.size();
    while (free_bytes > max_free_bytes) {
        const auto oldest = std::ranges::min_element(
            slots, {}, [](const auto& slot) { return slot->in_use_ ? UINT64_MAX : slot->last_use_; });
        free_bytes -= (*oldest)->buffer_.size();
        slots.erase(oldest);
    }
}

void ReadbackPool::Slot::unused() noexcept
{
    std::shared_ptr<State> ended; // destroyed after the mutex is unlocked
    const std::lock_guard lock(state_.mutex);
    in_use_ = false;
    if (std::exchange(is_shared_, false)) state_.shared_bytes -= buffer_.size();
    if (state_.self && std::ranges::none_of(state_.slots, [](const auto& slot) { return slot->in_use_; }))
        ended = std::move(state_.self);
}

ReadbackPool::ReadbackPool(std::shared_ptr<DeviceContext> context, std::uint64_t max_shared_bytes)
    : state_(std::make_shared<State>(std::move(context))), max_shared_bytes_(max_shared_bytes)
{
}

ReadbackPool::~ReadbackPool()
{
    const auto state = std::move(state_); // after the lock
    const std::lock_guard lock(state->mutex);
    state->shrink(0);
    if (state->slots.empty()) return;
    state->context->instance.stop_messages();
    state->self = state;
}

ReadbackPool::Taken ReadbackPool::take(VkDeviceSize bytes)
{
    const std::lock_guard lock(state_->mutex);
    Slot* smallest = nullptr;
    for (const auto& slot : state_->slots) {
        const auto size = slot->buffer_.size();
        if (slot->in_use_ || size < bytes || size > max_excess * std::max(bytes, min_buffer_bytes)) continue;
        if (smallest == nullptr || size < smallest->buffer_.size()) smallest = slot.get();
    }
    if (smallest == nullptr) {
        const auto size = rounded(bytes);
        state_->shrink(max_shared_bytes_ > size ? max_shared_bytes_ - size : 0);
        Buffer buffer(
            state_->context->device, size,
            {MemoryDomain::readback, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT},
            "readback");
        smallest = state_->slots.emplace_back(std::make_unique<Slot>(*state_, std::move(buffer))).get();
    }
    smallest->in_use_ = true;
    smallest->last_use_ = ++uses_;
    return Taken(*smallest);
}

bool ReadbackPool::share(const Taken& taken, VkDeviceSize pixel_bytes)
{
    auto& slot = *taken.slot_;
    const auto size = slot.buffer_.size();
    if (pixel_bytes < min_shared_bytes || !slot.buffer_.is_cached()) return false;
    const std::lock_guard lock(state_->mutex);
    if (slot.is_shared_) return true;
    if (state_->shared_bytes + size > max_shared_bytes_) return false;
    state_->shared_bytes += size;
    slot.is_shared_ = true;
    return true;
}

void ReadbackPool::trim()
{
    const std::lock_guard lock(state_->mutex);
    state_->shrink(0);
}

} // namespace vitrine::render
