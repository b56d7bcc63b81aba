// Single flight, work pool, ids, times, and the lock of a data directory.

#include <filesystem>
#include <fstream>
#include <future>
#include <latch>
#include <thread>

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/resources.hpp"
#include "server/util/clock.hpp"
#include "server/util/ids.hpp"
#include "server/util/process_owner.hpp"
#include "server/util/single_flight.hpp"
#include "server/util/work_pool.hpp"
#include "tests/unit/server/services/support/fakes.hpp"

namespace vitrine::server::testing {
namespace {

namespace fs = std::filesystem;

// Whether every other thread of this process waits in the kernel (proc(5): state S).
bool others_wait()
{
    for (const auto& task : fs::directory_iterator("/proc/self/task")) {
        if (task.path().filename() == std::to_string(::gettid())) continue;
        std::string text;
        std::getline(std::ifstream(task.path() / "stat"), text);
        const auto end_of_name = text.rfind(')');
        if (end_of_name != std::string::npos && text.at(end_of_name + 2) != 'S') return false;
    }
    return true;
}

TEST(SingleFlights, RunEqualWorkOnce)
{
    constexpr int callers = 20;
    SingleFlight<int> flights;
    std::atomic<int> runs = 0, calls = 0;
    std::latch all(callers);
    const auto work = [&] {
        EXPECT_TRUE(test::eventually([&] { return calls == callers && others_wait(); }));
        return ++runs;
    };
    std::vector<std::jthread> threads;
    for (int i = 0; i < callers; ++i)
        threads.emplace_back([&] {
            all.arrive_and_wait();
            ++calls;
            EXPECT_EQ(flights.run("same", work), 1);
        });
    threads.clear();
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(flights.run("same", [&] { return ++runs; }), 2) << "nothing is kept";
}

TEST(SingleFlights, PropagateExceptions)
{
    SingleFlight<int> flights;
    EXPECT_THROW(flights.run("x", []() -> int { throw std::runtime_error("no"); }), std::runtime_error);
    EXPECT_EQ(flights.run("x", [] { return 3; }), 3);
}

// The client of the first caller leaves: the others still get their result.
TEST(SingleFlights, RunAgainWhatWasStopped)
{
    SingleFlight<int> flights;
    std::stop_source first;
    std::latch begun(1);
    std::jthread leader([&] {
        const StopScope scope(first.get_token());
        EXPECT_THROW(flights.run("same",
                                 [&]() -> int {
                                     begun.count_down();
                                     for (;;)
                                         check_stop();
                                 }),
                     Stopped);
    });
    begun.wait();
    std::jthread follower([&] { EXPECT_EQ(flights.run("same", [] { return 7; }), 7); });
    first.request_stop();
}

TEST(SingleFlights, StopWhoWaits)
{
    SingleFlight<int> flights;
    std::latch begun(1), release(1);
    std::jthread leader([&] {
        EXPECT_EQ(flights.run("same",
                              [&] {
                                  begun.count_down();
                                  release.wait();
                                  return 1;
                              }),
                  1);
    });
    begun.wait();
    std::stop_source source;
    source.request_stop();
    {
        const StopScope scope(source.get_token());
        EXPECT_THROW(flights.run("same", [] { return 2; }), Stopped);
    }
    release.count_down();
}

TEST(WorkPools, HaveTheirOwnPriority)
{
    WorkPool nice(1, 1, 5), usual(1, 1);
    const auto priority_in = [](WorkPool& pool) {
        std::promise<int> found;
        pool.post([&] { found.set_value(::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()))); });
        return found.get_future().get();
    };
    EXPECT_EQ(priority_in(usual), ::getpriority(PRIO_PROCESS, 0));
    EXPECT_EQ(priority_in(nice), std::min(19, ::getpriority(PRIO_PROCESS, 0) + 5));
}

TEST(LowerPriority, AppliesToTheThreadAndProcessesThatItStarts)
{
    const int usual = ::getpriority(PRIO_PROCESS, 0);
    int started = 0;
    std::jthread([&] {
        lower_priority(3);
        lower_priority(2);
        const pid_t child = ::fork();
        if (child == 0) ::_exit(::getpriority(PRIO_PROCESS, 0) + 20);
        ::waitpid(child, &started, 0);
    }).join();
    EXPECT_EQ(WEXITSTATUS(started) - 20, std::min(19, usual + 5));
    EXPECT_EQ(::getpriority(PRIO_PROCESS, 0), usual);
}

TEST(WorkPools, RejectTasksAboveTheLimit)
{
    WorkPool pool(1, 2);
    std::latch go(1);
    std::atomic<int> ran = 0;
    std::latch busy(1);
    ASSERT_TRUE(pool.post([&] {
        busy.count_down();
        go.wait();
    }));
    busy.wait();
    EXPECT_TRUE(pool.post([&] { ++ran; }));
    EXPECT_TRUE(pool.post([&] { ++ran; }));
    EXPECT_FALSE(pool.post([&] { ++ran; })) << "two tasks are waiting";
    go.count_down();
    pool.stop();
    EXPECT_EQ(ran, 2);
    EXPECT_FALSE(pool.post([] {}));
}

TEST(Ids, AscendWithTimeAndDiffer)
{
    const auto first = new_id("asset");
    EXPECT_EQ(first.size(), 32u);
    EXPECT_TRUE(first.starts_with("asset_0"));
    auto last = first;
    for (int i = 0; i < 10'000; ++i) { // several in each millisecond
        auto next = new_id("asset");
        ASSERT_LT(last, next);
        last = std::move(next);
    }
}

TEST(Clock, TimesAreWrittenAsRfc3339)
{
    const auto written = [](Micros instant) {
        return api::to_json(api::Version{.created = instant}).at("createdAt");
    };
    EXPECT_EQ(written(0), "1970-01-01T00:00:00.000Z");
    // 2024-02-29 12:34:56.789012: 19,782 days after 1970-01-01.
    const Micros instant = (((19'782LL * 24 + 12) * 60 + 34) * 60 + 56) * 1'000'000 + 789'012;
    EXPECT_EQ(written(instant), "2024-02-29T12:34:56.789Z");
}

TEST(Owners, DistinguishLiveAndDeadProcesses)
{
    const auto self = process_owner();
    EXPECT_FALSE(is_dead(self));
    EXPECT_TRUE(is_dead(self + "0")) << "the same pid, begun at another time";
    EXPECT_FALSE(is_dead("elsewhere/12345678/1/1")) << "unknown";
    EXPECT_FALSE(is_dead(""));
}

TEST(Locks, ExcludeASecondProcess)
{
    const TemporaryFolder scratch(fs::temp_directory_path());
    const DataLock lock(scratch.path());
    EXPECT_THROW(DataLock(scratch.path()), StorageError);
}

TEST(Locks, CreateTheirFolder)
{
    const TemporaryFolder scratch(fs::temp_directory_path());
    const auto root = scratch.path() / "new" / "data";
    const DataLock lock(root);
    EXPECT_TRUE(fs::is_regular_file(root / "lock"));
}

} // namespace
} // namespace vitrine::server::testing
