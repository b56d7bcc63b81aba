#pragma once
// The buffers into which batches write what the host reads. A batch takes a free one; its frames may share
// the pixels there, instead of copies, and the buffer is free again when the last of them is gone. The pool,
// and taking and returning buffers of batches, belong to the Renderer's thread; frames may end on any thread,
// also after the Renderer. The buffers that they use then keep the device, and are destroyed with it by the
// thread on which the last frame ends.

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "vk_renderer/base/pixels.hpp"
#include "vk_renderer/gpu/buffer.hpp"
#include "vk_renderer/gpu/device.hpp"

namespace vitrine::render {

class ReadbackPool {
    struct State;

    class Slot final : public PixelMemory {
    public:
        Slot(State& state, Buffer buffer) : buffer_(std::move(buffer)), state_(state) {}
        const Buffer& buffer() const { return buffer_; }

    private:
        friend class ReadbackPool;
        void unused() noexcept override;

        Buffer buffer_;
        State& state_;
        // Guarded by State::mutex.
        bool in_use_ = false;
        bool is_shared_ = false; // by frames: counted in State::shared_bytes
        std::uint64_t last_use_ = 0;
    };

public:
    // A buffer of one batch, which is its user.
    class Taken {
    public:
        Taken() = default;
        explicit Taken(Slot& slot) : slot_(&slot) { slot.add_user(); }
        Taken(Taken&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
        Taken& operator=(Taken&& other) noexcept
        {
            std::swap(slot_, other.slot_);
            return *this;
        }
        ~Taken()
        {
            if (slot_ != nullptr) slot_->remove_user();
        }

        explicit operator bool() const { return slot_ != nullptr; }
        const Buffer& operator*() const { return slot_->buffer(); }
        const Buffer* operator->() const { return &slot_->buffer(); }
        // Pixels that share a range of the buffer. Precondition: ReadbackPool::share() has returned true.
        Pixels pixels(std::span<const std::uint8_t> range) const { return {*slot_, range}; }

    private:
        friend class ReadbackPool;
        Slot* slot_ = nullptr;
    };

    // `max_shared_bytes`: of all buffers that frames share; further frames are to be copied.
    ReadbackPool(std::shared_ptr<DeviceContext> context, std::uint64_t max_shared_bytes);
    ~ReadbackPool();
    ReadbackPool(const ReadbackPool&) = delete;
    ReadbackPool& operator=(const ReadbackPool&) = delete;

    // Throws as Memory::allocate().
    Taken take(VkDeviceSize bytes);
    // Whether frames may share `pixel_bytes` of the buffer; it is counted then. False: memory that the host
    // reads slowly, so few bytes that a copy is cheaper, or the limit.
    bool share(const Taken& taken, VkDeviceSize pixel_bytes);
    // Frees the buffers that nobody uses.
    void trim();

private:
    std::shared_ptr<State> state_;
    std::uint64_t max_shared_bytes_;
    std::uint64_t uses_ = 0;
};

} // namespace vitrine::render
