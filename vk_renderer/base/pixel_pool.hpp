#pragma once
// Pieces of memory into which pixels are written, one after the other. A writer takes a free one; its frames
// may share the pixels there, instead of copies, and it is free again when the last of them is gone. The
// pool, and what is taken, belong to one thread; frames may end on any thread, also after the pool. The
// memory that they use then is destroyed by the thread on which the last frame ends.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "vk_renderer/base/pixels.hpp"

namespace vitrine::render {

// `Memory` is movable and has size(), in bytes.
template <class Memory>
class PixelPool {
    struct State;

    class Slot final : public PixelMemory {
    public:
        Slot(State& state, Memory memory_, PixelWriter writer)
            : PixelMemory(writer), memory(std::move(memory_)), state_(state)
        {
        }
        Memory memory;
        // Guarded by State::mutex.
        bool in_use = false;
        bool is_shared = false; // by frames: counted in State::shared_bytes
        std::uint64_t last_use = 0;

    private:
        void unused() noexcept override { state_.release(*this); }

        State& state_;
    };

public:
    // Memory of one writer, which is its user.
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
        const Memory& operator*() const { return slot_->memory; }
        const Memory* operator->() const { return &slot_->memory; }
        // Pixels that share a range of the memory. Precondition: PixelPool::share() has returned true.
        Pixels pixels(std::span<const std::uint8_t> range) const { return {*slot_, range}; }

    private:
        friend class PixelPool;
        Slot* slot_ = nullptr;
    };

    // `max_shared_bytes`: of all memory that frames share; further frames are to be copied. `keeps`: what the
    // memory needs, as long as it exists.
    explicit PixelPool(std::uint64_t max_shared_bytes, PixelWriter writer = PixelWriter::device,
                       std::shared_ptr<void> keeps = nullptr)
        : state_(std::make_shared<State>(std::move(keeps))), max_shared_bytes_(max_shared_bytes),
          writer_(writer)
    {
    }
    ~PixelPool()
    {
        const auto state = std::move(state_); // destroyed after the lock
        const std::lock_guard lock(state->mutex);
        state->remove_free(0);
        if (!state->slots.empty()) state->self = state;
    }
    PixelPool(const PixelPool&) = delete;
    PixelPool& operator=(const PixelPool&) = delete;

    // Of new memory: with a reserve, so that about as many bytes use it again.
    static std::uint64_t rounded(std::uint64_t bytes)
    {
        return (bytes + bytes / 8 + min_bytes - 1) / min_bytes * min_bytes;
    }
    // Takes the smallest free memory with at least `bytes`; empty: there is none.
    Taken take(std::uint64_t bytes)
    {
        const std::lock_guard lock(state_->mutex);
        Slot* smallest = nullptr;
        for (const auto& slot : state_->slots) {
            const auto size = slot->memory.size();
            if (slot->in_use || size < bytes || size > max_excess * std::max(bytes, min_bytes)) continue;
            if (smallest == nullptr || size < smallest->memory.size()) smallest = slot.get();
        }
        if (smallest == nullptr) return {};
        smallest->in_use = true;
        smallest->last_use = ++uses_;
        return Taken(*smallest);
    }
    // Adds memory and takes it.
    Taken add(Memory memory)
    {
        const std::lock_guard lock(state_->mutex);
        auto& slot = *state_->slots.emplace_back(std::make_unique<Slot>(*state_, std::move(memory), writer_));
        slot.in_use = true;
        slot.last_use = ++uses_;
        return Taken(slot);
    }
    // Whether frames may share `pixel_bytes` of it; it is counted then. False: so few bytes that a copy is
    // cheaper, or the limit.
    bool share(const Taken& taken, std::uint64_t pixel_bytes)
    {
        auto& slot = *taken.slot_;
        const std::lock_guard lock(state_->mutex);
        if (pixel_bytes < min_shared_bytes) return false;
        if (slot.is_shared) return true;
        if (state_->shared_bytes + slot.memory.size() > max_shared_bytes_) return false;
        state_->shared_bytes += slot.memory.size();
        slot.is_shared = true;
        return true;
    }
    // Removes the least recently used free memory until new memory of this size, what is free and what frames
    // share are within the limit of what frames may share. Returns what was removed.
    std::vector<Memory> make_room(std::uint64_t bytes)
    {
        const std::lock_guard lock(state_->mutex);
        const auto used = state_->shared_bytes + bytes;
        return state_->remove_free(max_shared_bytes_ > used ? max_shared_bytes_ - used : 0);
    }
    // Removes and returns what nobody uses.
    std::vector<Memory> trim()
    {
        const std::lock_guard lock(state_->mutex);
        return state_->remove_free(0);
    }
    // Whether all of it is free.
    bool is_unused() const
    {
        const std::lock_guard lock(state_->mutex);
        return std::ranges::none_of(state_->slots, [](const auto& slot) { return slot->in_use; });
    }

private:
    static constexpr std::uint64_t min_bytes = 64u << 10;
    // Larger memory is not used for so few bytes: frames that share it would hold all of it.
    static constexpr std::uint64_t max_excess = 4;
    // Sharing takes less than a microsecond, and holds the whole memory: few pixels are copied.
    static constexpr std::uint64_t min_shared_bytes = 64u << 10;

    struct State {
        explicit State(std::shared_ptr<void> keeps_) : keeps(std::move(keeps_)) {}

        // Precondition: the mutex is locked.
        std::vector<Memory> remove_free(std::uint64_t max_free_bytes)
        {
            std::uint64_t free_bytes = 0;
            for (const auto& slot : slots)
                if (!slot->in_use) free_bytes += slot->memory.size();
            std::vector<Memory> removed;
            while (free_bytes > max_free_bytes) {
                const auto oldest = std::ranges::min_element(
                    slots, {}, [](const auto& slot) { return slot->in_use ? UINT64_MAX : slot->last_use; });
                free_bytes -= (*oldest)->memory.size();
                removed.push_back(std::move((*oldest)->memory));
                slots.erase(oldest);
            }
            return removed;
        }
        // On the thread of the last user.
        void release(Slot& slot) noexcept
        {
            std::shared_ptr<State> ended; // destroyed after the mutex is unlocked
            const std::lock_guard lock(mutex);
            slot.in_use = false;
            if (std::exchange(slot.is_shared, false)) shared_bytes -= slot.memory.size();
            if (self && std::ranges::none_of(slots, [](const auto& other) { return other->in_use; }))
                ended = std::move(self);
        }

        const std::shared_ptr<void> keeps; // destroyed after the memory
        std::mutex mutex;                  // guards the members below
        std::vector<std::unique_ptr<Slot>> slots;
        std::uint64_t shared_bytes = 0;
        // Set when the pool has ended before its last frame: owns itself until then.
        std::shared_ptr<State> self;
    };

    std::shared_ptr<State> state_;
    std::uint64_t max_shared_bytes_;
    PixelWriter writer_;
    std::uint64_t uses_ = 0;
};

} // namespace vitrine::render
