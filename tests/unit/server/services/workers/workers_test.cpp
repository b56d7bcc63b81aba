// The directory of workers, on both databases, and the choice among them.

#include <map>
#include <thread>

#include <gmock/gmock.h>

#include "server/services/database/database_connections.hpp"
#include "server/services/workers/worker_directory.hpp"
#include "server/services/workers/worker_registration.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using test::eventually;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

api::Worker worker_named(const std::string& id, std::uint32_t slots = 4)
{
    return {.id = id,
            .name = "host:1",
            .address = "http://10.0.0.1:8080",
            .role = "worker",
            .devices = {"A card", "Another; \"card\""},
            .viewer_slots = slots,
            .draw_slots = slots,
            .load = {.viewers = 1, .draws = 2, .imports = 3}};
}

class CatalogWorkers : public CatalogTest {
protected:
    // Every list is read from the database.
    WorkerDirectory directory(std::chrono::milliseconds max_silence = 1h, std::chrono::milliseconds keep = 1h)
    {
        return WorkerDirectory(catalog.connections(),
                               {.max_silence = max_silence, .cache = 0ms, .keep = keep});
    }
    // As if it had started and reported a day ago.
    void age(const std::string& id)
    {
        catalog.connections().write_unsynced([&](DatabaseConnection& sql) {
            sql << "UPDATE workers SET started = started - 86400000000, heartbeat = heartbeat - 86400000000 "
                   "WHERE id = :id",
                soci::use(id);
        });
    }
    static std::vector<std::string> ids(const std::vector<api::Worker>& workers)
    {
        std::vector<std::string> all;
        for (const auto& worker : workers)
            all.push_back(worker.id);
        return all;
    }
};

TEST_F(CatalogWorkers, ARowIsReadAsItWasWritten)
{
    auto workers = directory();
    const auto before = now();
    workers.put(worker_named("w1"));
    const auto live = workers.live_workers();
    ASSERT_EQ(live.size(), 1u);
    const auto& found = live.front();
    EXPECT_EQ(found.name, "host:1");
    EXPECT_EQ(found.address, "http://10.0.0.1:8080");
    EXPECT_EQ(found.role, "worker");
    EXPECT_THAT(found.devices, ElementsAre("A card", "Another; \"card\""));
    EXPECT_EQ(found.viewer_slots, 4u);
    EXPECT_EQ(found.load.viewers, 1u);
    EXPECT_EQ(found.load.draws, 2u);
    EXPECT_EQ(found.load.imports, 3u);
    EXPECT_TRUE(found.is_alive);
    EXPECT_GE(found.started, before - 1'000'000);
    EXPECT_LE(found.heartbeat - found.started, 1'000)
        << "microseconds: SQLite reads the clock for each column";
}

TEST_F(CatalogWorkers, AHeartbeatKeepsTheStart)
{
    auto workers = directory();
    workers.put(worker_named("w1"));
    const auto first = workers.live_workers().front();
    auto busy = worker_named("w1");
    busy.load.viewers = 4;
    busy.devices.clear();
    api::Worker second;
    EXPECT_TRUE(eventually([&] {
        workers.put(busy);
        second = workers.live_workers().front();
        return second.heartbeat > first.heartbeat;
    }));
    EXPECT_EQ(second.started, first.started);
    EXPECT_EQ(second.load.viewers, 4u);
    EXPECT_THAT(second.devices, IsEmpty());
}

TEST_F(CatalogWorkers, ASilentWorkerIsListedButNotAlive)
{
    auto workers = directory(1h, 48h);
    workers.put(worker_named("w1"));
    age("w1");
    workers.put(worker_named("w2"));
    EXPECT_THAT(ids(workers.live_workers()), ElementsAre("w2"));
    const auto all = workers.list();
    EXPECT_THAT(ids(all), ElementsAre("w2", "w1"));
    EXPECT_TRUE(all[0].is_alive);
    EXPECT_FALSE(all[1].is_alive);
    EXPECT_THAT(ids(workers.list(1)), ElementsAre("w2"));
    EXPECT_THAT(ids(workers.list(0)), ElementsAre("w2"));
}

TEST_F(CatalogWorkers, OldRowsAreRemovedByOthers)
{
    auto workers = directory();
    workers.put(worker_named("w1"));
    age("w1");
    workers.put(worker_named("w2"));
    EXPECT_THAT(ids(workers.list()), ElementsAre("w2"));
    workers.remove("w2");
    EXPECT_THAT(ids(workers.list()), IsEmpty());
}

TEST_F(CatalogWorkers, TheListOfLiveOnesIsKeptForAMoment)
{
    WorkerDirectory workers(catalog.connections(), {.max_silence = 1h, .cache = 1h});
    EXPECT_THAT(workers.live_workers(), IsEmpty());
    workers.put(worker_named("w1"));
    EXPECT_THAT(workers.live_workers(), IsEmpty());
    EXPECT_THAT(ids(workers.list()), ElementsAre("w1"));
}

TEST_F(CatalogWorkers, ARegistrationRenewsItsRowAndRemovesIt)
{
    auto workers = directory();
    std::atomic<std::uint32_t> viewers = 0;
    WorkerRegistration registration(
        workers,
        [&] {
            auto worker = worker_named("ignored");
            worker.load.viewers = viewers;
            return worker;
        },
        5ms);
    EXPECT_THAT(workers.list(), IsEmpty());
    registration.start();
    ASSERT_THAT(ids(workers.list()), ElementsAre(registration.id()));
    EXPECT_TRUE(workers.list().front().name.ends_with(":" + std::to_string(::getpid())));
    viewers = 7;
    EXPECT_TRUE(eventually([&] { return workers.list().front().load.viewers == 7; }));
    registration.stop();
    EXPECT_THAT(workers.list(), IsEmpty());
    registration.stop();
}

TEST_F(CatalogWorkers, AHeartbeatOutdatesNoAsset)
{
    const auto fish = add("fish").id;
    const auto known = catalog.generations().of_asset(fish);
    auto workers = directory();
    workers.put(worker_named("w1"));
    workers.remove("w1");
    EXPECT_TRUE(known.is_current());
}

std::vector<api::Worker> four_workers()
{
    std::vector<api::Worker> all;
    for (const auto* id : {"worker_a", "worker_b", "worker_c", "worker_d"})
        all.push_back(worker_named(id));
    return all;
}

std::map<std::string, std::string> choices(const std::vector<api::Worker>& workers)
{
    std::map<std::string, std::string> chosen;
    for (int i = 0; i < 400; ++i) {
        const auto model = "model" + std::to_string(i);
        chosen[model] = choose_worker(model, workers)->id;
    }
    return chosen;
}

TEST(ChooseWorker, DistributesModelsEvenly)
{
    std::map<std::string, int> counts;
    for (const auto& [model, worker] : choices(four_workers()))
        ++counts[worker];
    ASSERT_EQ(counts.size(), 4u);
    for (const auto& [worker, count] : counts) {
        EXPECT_GT(count, 65) << worker;
        EXPECT_LT(count, 135) << worker;
    }
}

TEST(ChooseWorker, DoesNotDependOnTheOrder)
{
    auto workers = four_workers();
    const auto before = choices(workers);
    std::ranges::reverse(workers);
    EXPECT_EQ(choices(workers), before);
}

TEST(ChooseWorker, OnlyModelsOfAWorkerThatLeavesMove)
{
    auto workers = four_workers();
    const auto before = choices(workers);
    workers.erase(workers.begin() + 1);
    for (const auto& [model, worker] : choices(workers))
        if (before.at(model) != "worker_b")
            EXPECT_EQ(worker, before.at(model));
        else
            EXPECT_NE(worker, "worker_b");
}

TEST(ChooseWorker, SpillsOverWhenTheFirstIsFullOrSilent)
{
    auto workers = four_workers();
    const auto* const first = choose_worker("fish", workers);
    auto& full = workers[static_cast<std::size_t>(first - workers.data())];
    full.load.viewers = full.viewer_slots;
    const auto* const second = choose_worker("fish", workers);
    ASSERT_NE(second, nullptr);
    EXPECT_NE(second, first);
    EXPECT_EQ(choose_worker("fish", workers, WorkerUse::draw), first) << "it still has room for a draw";
    full.load.draws = full.draw_slots;
    EXPECT_NE(choose_worker("fish", workers, WorkerUse::draw), first);
    for (auto& worker : workers)
        worker.is_alive = false;
    EXPECT_EQ(choose_worker("fish", workers), nullptr);
    EXPECT_EQ(choose_worker("fish", {}), nullptr);
}

} // namespace
} // namespace vitrine::server::testing
