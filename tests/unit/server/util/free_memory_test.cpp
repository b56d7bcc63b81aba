// Returning freed memory to the system.
#include "server/util/free_memory.hpp"

#include <atomic>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/eventually.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

struct Watched {
    std::atomic<std::uint64_t> faulted = 0;
    std::atomic<int> looks = 0;
    std::atomic<int> given_back = 0;

    FreeMemoryTrimmer::Options options()
    {
        return {.pause = 1ms,
                .threshold_bytes = 100,
                .faulted_in =
                    [this] {
                        ++looks;
                        return faulted.load();
                    },
                .trim = [this] { ++given_back; }};
    }
    void await_looks(int count)
    {
        const int until = looks + count;
        EXPECT_TRUE(test::eventually([&] { return looks >= until; }));
    }
};

TEST(FreeMemory, IsReturnedAfterLargeUse)
{
    Watched watched;
    const FreeMemoryTrimmer keeper(watched.options());
    watched.await_looks(1);
    watched.faulted = 99;
    watched.await_looks(3);
    EXPECT_EQ(watched.given_back, 0) << "not worth it";
    watched.faulted = 100;
    watched.await_looks(3);
    EXPECT_EQ(watched.given_back, 1) << "once for what was used once";
    watched.faulted = 250;
    watched.await_looks(3);
    EXPECT_EQ(watched.given_back, 2);
}

TEST(FreeMemory, EndsImmediately)
{
    const FreeMemoryTrimmer keeper({.pause = 24h}); // ctest ends the test if the destructor waits
}

std::uint64_t resident_bytes()
{
    std::uint64_t size = 0;
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> size >> pages;
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool has_system_malloc = false;
#else
constexpr bool has_system_malloc = true;
#endif

// Small blocks with a live one above them, as in an arena after a scene was freed.
TEST(FreeMemory, IsReturnedBelowALiveBlock)
{
    if (!has_system_malloc) GTEST_SKIP() << "a sanitizer's malloc keeps what it is given";
    constexpr std::uint64_t much = 64u << 20;
    const auto faulted = bytes_faulted_in();
    std::vector<std::unique_ptr<std::string>> scene;
    for (std::size_t i = 0; i < much / 1000; ++i)
        scene.push_back(std::make_unique<std::string>(1000, 'x'));
    const auto living = std::make_unique<std::string>(1000, 'x');
    EXPECT_GE(bytes_faulted_in() - faulted, much / 2);
    scene.clear();
    const auto before = resident_bytes();
    trim_free_memory();
    EXPECT_LT(resident_bytes() + much / 2, before);
}

} // namespace
} // namespace vitrine::server
