#pragma once
// The pixels of a frame: bytes of its own, or a range of memory that frames share, such as a buffer that the
// device has written. A value: copies share the memory, and changes are made to bytes of its own.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace vitrine::render {

enum class PixelWriter : std::uint8_t {
    device,
    // May be hostile and change the pixels at any time. Who reads them must accept that two reads of a byte
    // differ: what is computed from one must not be assumed of the other.
    other_process
};

// Memory with ranges that are pixels. Its users may end on any thread; its writer should not change the
// content before the last one has.
class PixelMemory {
public:
    PixelMemory(const PixelMemory&) = delete;
    PixelMemory& operator=(const PixelMemory&) = delete;
    void add_user() noexcept { users_.fetch_add(1, std::memory_order_relaxed); }
    void remove_user() noexcept
    {
        if (users_.fetch_sub(1, std::memory_order_acq_rel) == 1) unused();
    }
    PixelWriter writer() const { return writer_; }

protected:
    explicit PixelMemory(PixelWriter writer) : writer_(writer) {}
    ~PixelMemory() = default;

private:
    // The last user has ended, on the calling thread. May destroy the object.
    virtual void unused() noexcept = 0;

    const PixelWriter writer_;
    std::atomic<std::uint32_t> users_ = 0;
};

class Pixels {
public:
    using Bytes = std::vector<std::uint8_t>;

    Pixels() = default;
    Pixels(Bytes bytes) : bytes_(std::move(bytes)) {} // NOLINT(google-explicit-constructor)
    // A user of `memory`, of which `range` is a part.
    Pixels(PixelMemory& memory, std::span<const std::uint8_t> range) : memory_(&memory), range_(range)
    {
        memory.add_user();
    }
    Pixels(const Pixels& other) : bytes_(other.bytes_), memory_(other.memory_), range_(other.range_)
    {
        if (memory_ != nullptr) memory_->add_user();
    }
    Pixels(Pixels&& other) noexcept
        : bytes_(std::move(other.bytes_)), memory_(std::exchange(other.memory_, nullptr)),
          range_(std::exchange(other.range_, {}))
    {
    }
    Pixels& operator=(Pixels other) noexcept
    {
        std::swap(bytes_, other.bytes_);
        std::swap(memory_, other.memory_);
        std::swap(range_, other.range_);
        return *this;
    }
    ~Pixels() { leave_memory(); }

    const std::uint8_t* data() const { return memory_ != nullptr ? range_.data() : bytes_.data(); }
    std::size_t size() const { return memory_ != nullptr ? range_.size() : bytes_.size(); }
    bool empty() const { return size() == 0; }
    const std::uint8_t* begin() const { return data(); }
    const std::uint8_t* end() const { return data() + size(); }
    const std::uint8_t& operator[](std::size_t i) const { return data()[i]; }
    bool is_shared() const { return memory_ != nullptr; }
    // Whether another process can change the pixels while they are read: see PixelWriter.
    bool may_change() const { return memory_ != nullptr && memory_->writer() == PixelWriter::other_process; }

    // Bytes of its own, for changes; a shared range is copied.
    Bytes& own()
    {
        if (memory_ != nullptr) bytes_.assign(begin(), end());
        leave_memory();
        return bytes_;
    }
    // Replaces the pixels by a copy; reuses memory of its own.
    void assign(std::span<const std::uint8_t> pixels)
    {
        leave_memory();
        bytes_.assign(pixels.begin(), pixels.end());
    }
    // Ends the use of shared memory, if any: no pixels are left then. Bytes of its own are kept.
    void leave_memory()
    {
        if (memory_ != nullptr) std::exchange(memory_, nullptr)->remove_user();
        range_ = {};
    }

    friend bool operator==(const Pixels& a, const Pixels& b) { return std::ranges::equal(a, b); }

private:
    Bytes bytes_; // unused with `memory_`
    PixelMemory* memory_ = nullptr;
    std::span<const std::uint8_t> range_;
};

} // namespace vitrine::render
