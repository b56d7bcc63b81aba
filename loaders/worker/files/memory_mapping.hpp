#pragma once
// Maps a whole file privately. If a file shrinks while it is mapped, only the loader process is killed; the
// parent maps only sealed memory.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <sys/mman.h>

#include "loaders/io/input.hpp"

namespace vitrine::worker {

class MemoryMapping {
public:
    MemoryMapping() = default;
    MemoryMapping(MemoryMapping&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
    MemoryMapping& operator=(MemoryMapping&& other) noexcept
    {
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~MemoryMapping()
    {
        if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
    }

    // `protection` of mmap(); what is written stays in this process. Empty optional if the address space is
    // exhausted.
    static std::optional<MemoryMapping> map(int fd, std::uint64_t size, int protection = PROT_READ)
    {
        MemoryMapping mapping;
        if (size == 0) return mapping;
        void* at = ::mmap(nullptr, size, protection, MAP_PRIVATE, fd, 0);
        if (at == MAP_FAILED) return std::nullopt;
        mapping.bytes_ = {static_cast<const std::byte*>(at), size};
        return mapping;
    }

    Bytes bytes() const { return bytes_; }
    // Of a mapping with PROT_WRITE.
    std::span<std::byte> writable_bytes() { return {const_cast<std::byte*>(bytes_.data()), bytes_.size()}; }

private:
    Bytes bytes_;
};

} // namespace vitrine::worker
