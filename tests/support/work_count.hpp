#pragma once
// Counts the work of the loaders instead of measuring its time. With VITRINE_COUNT_WORK (preset asan) the
// compiler counts how often each code region of the folders in VITRINE_COUNTED (cmake/VitrineTargets.cmake)
// runs, that is each loop body, branch and function
// (-fprofile-instr-generate), also in templates of the standard library. No runtime library is linked: only
// the counters are read. Functions of the C library (memchr, memcpy) are one step however long their input
// is.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <gtest/gtest.h>

// Defined by the linker where an object has counters.
extern "C" {
extern const std::uint64_t work_counters_begin[] __asm__("__start___llvm_prf_cnts")
    __attribute__((weak, visibility("hidden")));
extern const std::uint64_t work_counters_end[] __asm__("__stop___llvm_prf_cnts")
    __attribute__((weak, visibility("hidden")));
}

namespace vitrine::test {

// Regions executed since the start of the program, by all threads; 0 in builds without counters.
inline std::uint64_t work_count()
{
    std::uint64_t sum = 0;
    for (const std::uint64_t* counter = work_counters_begin; counter != work_counters_end; ++counter)
        sum += *counter;
    return sum;
}

// Returns the regions executed by the call.
template <class Work>
std::uint64_t work_of(Work work)
{
    const std::uint64_t before = work_count();
    work();
    return work_count() - before;
}

// Counts the regions of `work` for n, 4 n and 16 n things, and expects that the second increase is at most
// `factor` times the first: 4 if linear, 5 if n log n, 16 if quadratic, however much is done once. Sixteen
// times n should be small enough that quadratic work ends within seconds. Without counters it is only
// executed.
template <class Work>
void expect_nearly_linear(std::string_view what, int n, Work work, double factor = 6.0)
{
    work(n); // what is computed once
    const auto steps_of = [&](int count) { return static_cast<double>(work_of([&] { work(count); })); };
    const double few = steps_of(n), some = steps_of(4 * n), many = steps_of(16 * n);
    EXPECT_LE(many - some, factor * (some - few)) << what << ": " << few << " steps for " << n << ", " << some
                                                  << " for " << 4 * n << ", " << many << " for " << 16 * n;
    if (work_count() != 0) EXPECT_GT(some - few, 3 * n) << what << ": the counters do not count this";
}

// Expects at most this many executed regions.
template <class Work>
void expect_work_below(std::string_view what, std::uint64_t most, Work work)
{
    const std::uint64_t steps = work_of(work);
    EXPECT_LE(steps, most) << what;
}

// Returns what `read` returns, which reads a text of so many bytes: expects at most `most` executed regions a
// byte, beside those of a small file.
template <class Read>
auto read_in_proportion(std::size_t bytes, std::uint64_t most, Read read)
{
    const std::uint64_t before = work_count();
    auto result = read();
    EXPECT_LE(work_count() - before, most * (bytes + 20'000)) << "for " << bytes << " bytes";
    return result;
}

} // namespace vitrine::test
