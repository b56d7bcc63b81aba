#pragma once
// The largest block that a call asks the heap for. Counted in builds with AddressSanitizer, whose allocator
// reports each block; other builds only execute the call.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string_view>

#include <gtest/gtest.h>

#if __has_feature(address_sanitizer)
#include <sanitizer/allocator_interface.h>
#endif

namespace vitrine::test {

inline std::atomic<std::size_t> largest_allocation = 0; // by all threads, since it was last set

#if __has_feature(address_sanitizer)
inline const int allocation_hooks = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t size) {
        if (size > largest_allocation) largest_allocation = size;
    },
    [](const volatile void*) {});
#endif

// Expects that no block is larger than `most` bytes.
template <class Work>
void expect_no_allocation_above(std::string_view what, std::size_t most, Work work)
{
    largest_allocation = 0;
    work();
    EXPECT_LE(largest_allocation, most) << what;
#if __has_feature(address_sanitizer)
    EXPECT_GT(largest_allocation, 0u) << what << ": allocations are not counted";
#endif
}

} // namespace vitrine::test
