// The limit of a folder of derived files, which several processes hold without a lock.

#include <atomic>
#include <fstream>
#include <thread>
#include <vector>

#include "server/services/storage/shared_derived.hpp"
#include "tests/unit/server/services/storage/shared_derived_fixture.hpp"

namespace vitrine::server::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

std::uintmax_t bytes_under(const fs::path& folder)
{
    std::uintmax_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) bytes += entry.file_size();
    return bytes;
}

TEST_F(SharedDerivedTest, TheOldestAreRemovedFirst)
{
    options.limit_bytes = 16 * 40'000; // 40,000 bytes a part
    fs::create_directories(place / "ab");
    for (int i = 0; i < 60; ++i) { // 60,000 bytes in one part
        const auto name = "ab" + std::string(60, '0') + std::to_string(10 + i);
        std::ofstream(place / "ab" / name) << std::string(1000, 'x');
        make_old(place / "ab" / name, std::chrono::hours(i));
    }
    std::ofstream(place / "ab" / "derived_1.part") << "left by a killed process";
    make_old(place / "ab" / "derived_1.part", 48h);
    prometheus::Registry registry;
    Metrics metrics(registry);
    const auto shared = metrics.shared_derived();
    SharedDerived tier(make_folder_derived_store(place), options, shared, {});
    tier.collect('b');
    EXPECT_EQ(files_under(place), 61u) << "another part";
    tier.collect('a');
    EXPECT_EQ(files_under(place), 36u) << "nine tenths of the limit are left";
    EXPECT_TRUE(fs::exists(place / "ab" / ("ab" + std::string(60, '0') + "45")));
    EXPECT_FALSE(fs::exists(place / "ab" / ("ab" + std::string(60, '0') + "46")));
    EXPECT_EQ(shared.removed.Value(), 24.0);
    EXPECT_EQ(shared.bytes.Value(), 16 * 36'000.0);
}

// Returns how often a file was not found that this process has just stored.
int make_many(CacheOfProcess& process, int step)
{
    int wrong = 0;
    for (int n = 0; n < 400; ++n) {
        const auto name = std::to_string((n * step) % 500);
        const std::string text(16'000, name.front());
        if (process.find(name) == text) continue;
        process.store(name, text);
        wrong += process.find(name) == text ? 0 : 1;
    }
    return wrong;
}

// Each process collects for itself; all list and remove the same objects while others store and read them.
TEST_F(SharedDerivedTest, RacingProcessesHoldTheLimit)
{
    options.limit_bytes = 2 << 20;
    options.missing_time = 0ms;
    const std::array processes{open("a"), open("b"), open("c")};
    std::atomic<int> wrong = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; const auto& process : processes)
            threads.emplace_back([&, step = ++i] { wrong += make_many(*process, step); });
    }
    EXPECT_EQ(wrong, 0);
    double removed = 0, dropped = 0;
    for (const auto& process : processes) {
        EXPECT_EQ(process->shared.damaged.Value(), 0.0);
        EXPECT_EQ(process->shared.is_available.Value(), 1.0);
        removed += process->shared.removed.Value();
        dropped += process->shared.dropped.Value();
    }
    EXPECT_GT(removed, 50);
    EXPECT_EQ(dropped, 0);
    for (const auto& process : processes)
        process->cache.interrupt();
    prometheus::Registry registry;
    Metrics metrics(registry);
    SharedDerived tier(make_folder_derived_store(place), options, metrics.shared_derived(), {});
    EXPECT_LT(bytes_under(place), options.limit_bytes * 3 / 2);
    for (const char digit : std::string_view("0123456789abcdef"))
        tier.collect(digit);
    EXPECT_LE(bytes_under(place), options.limit_bytes);
    EXPECT_GT(bytes_under(place), options.limit_bytes / 4);
}

} // namespace
} // namespace vitrine::server::testing
