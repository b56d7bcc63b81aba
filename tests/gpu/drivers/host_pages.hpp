#pragma once
// Memory that two processes could share.

#include <cstddef>
#include <span>

#include <sys/mman.h>

namespace vitrine::test {

class HostPages {
public:
    explicit HostPages(std::size_t count)
        : bytes_(static_cast<std::byte*>(::mmap(nullptr, count * page, PROT_READ | PROT_WRITE,
                                                MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
                 count * page)
    {
    }
    ~HostPages() { ::munmap(bytes_.data(), bytes_.size()); }
    HostPages(const HostPages&) = delete;
    HostPages& operator=(const HostPages&) = delete;

    std::span<std::byte> bytes() const { return bytes_; }
    bool contains(const void* at) const { return at >= bytes_.data() && at < bytes_.data() + bytes_.size(); }

    static constexpr std::size_t page = 64 << 10; // of any system

private:
    std::span<std::byte> bytes_;
};

} // namespace vitrine::test
