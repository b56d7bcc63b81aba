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

// Expects that `work` of 4 n things takes at most `factor` times the regions of n things: 4 if linear, 5 if
// n log n, 16 if quadratic. Without counters it is only executed.
template <class Work>
void expect_nearly_linear(std::string_view what, int n, Work work, double factor = 8.0)
{
    work(n); // what is computed once
    const auto few = static_cast<double>(work_of([&] { work(n); }));
    const auto many = static_cast<double>(work_of([&] { work(4 * n); }));
    EXPECT_LE(many, factor * few) << what << ": " << few << " steps for " << n << ", " << many << " for "
                                  << 4 * n;
    if (work_count() != 0) EXPECT_GT(few, n) << what << ": the counters do not count this";
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

// Tests of which each executes at most this many regions.
template <std::uint64_t Most>
class LimitedWork : public testing::Test {
    void TearDown() override { EXPECT_LE(work_count() - before_, Most); }

    std::uint64_t before_ = work_count();
};

} // namespace vitrine::test
