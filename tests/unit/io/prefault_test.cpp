#include "loaders/base/prefault.hpp"

#include <cstdint>
#include <memory>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "loaders/worker/protocol/sanitizers.hpp"

namespace vitrine {
namespace {

constexpr std::uintptr_t page_bytes = 4096;

// As /proc/self/pagemap tells it: whether the page is in memory for this process.
bool is_mapped(std::uintptr_t address)
{
    std::uint64_t entry = 0; // the file is read by whole entries only
    const int pages = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    const auto count =
        ::pread(pages, &entry, sizeof entry, static_cast<off_t>(address / page_bytes * sizeof entry));
    ::close(pages);
    EXPECT_EQ(count, static_cast<ssize_t>(sizeof entry));
    return (entry >> 63) == 1;
}

TEST(Prefault, MapsTheHeapThatFollows)
{
    if (worker::sanitized) GTEST_SKIP() << "their allocators do not use this heap";
    const auto small = std::make_unique<std::byte[]>(64);
    const auto begin = reinterpret_cast<std::uintptr_t>(small.get());
    ASSERT_NE(::sbrk(1 << 20), reinterpret_cast<void*>(-1)); // memory that nothing has written
    const auto end = reinterpret_cast<std::uintptr_t>(::sbrk(0));
    ASSERT_GT(end, begin);
    ASSERT_FALSE(is_mapped(end - page_bytes));
    prefault_heap(end - begin - (512 << 10));
    EXPECT_TRUE(is_mapped(end - (600 << 10)));
    EXPECT_FALSE(is_mapped(end - page_bytes)); // no more than was asked for
    prefault_heap(std::size_t{1} << 40);       // no more than there is
    EXPECT_TRUE(is_mapped(end - page_bytes));
}

} // namespace
} // namespace vitrine
