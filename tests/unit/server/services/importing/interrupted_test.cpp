// Interrupted imports: kills, a full disk, a failing environment, cancellation, a stop.

#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

#include <sqlite3.h>

#include "tests/unit/server/services/importing/fixture.hpp"
#include "tests/unit/server/services/support/log_watch.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::AnyOf;

class InterruptedTest : public ImportTest {
protected:
    // A heartbeat every half second; the lease does not expire while the machine is busy.
    static constexpr std::chrono::milliseconds frequent_heartbeat = 1500ms;

    void execute(const char* text)
    {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open((folder() / "data/catalog.sqlite").c_str(), &database), SQLITE_OK);
        ASSERT_EQ(sqlite3_busy_timeout(database, 30'000), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, text, nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(database);
    }
};

// It looks for work by reading: it does not wait for another process that writes, nor keep one from it.
TEST_F(InterruptedTest, AnIdleServerDoesNotWrite)
{
    Services services(config(), registry);
    services.start();
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((folder() / "data/catalog.sqlite").c_str(), &database), SQLITE_OK);
    ASSERT_EQ(sqlite3_busy_timeout(database, 30'000), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
    services.metrics.import_queue.Set(7);
    EXPECT_TRUE(test::eventually([&] { return services.metrics.import_queue.Value() == 0.0; }))
        << "it does not look for work";
    sqlite3_close(database);
}

TEST_F(InterruptedTest, AnUnfinishedRestoreIsNotServed)
{
    make().reset();
    const auto mark = folder() / "data" / restore_mark;
    std::ofstream(mark).flush();
    EXPECT_THROW(make(), StorageError);
    std::filesystem::remove(mark);
    EXPECT_NO_THROW(make());
}

TEST_F(InterruptedTest, KilledThumbnailUsesTheCachedScene)
{
    auto services = make();
    const auto created = leave_at_thumbnail(*services, "bar.obj");
    services.reset();
    services = make();
    auto place = services->events.subscribe(std::nullopt, [] {}).value();
    services->start();
    const auto job = wait_for(*services, created.job.id);
    EXPECT_EQ(job.state, JobState::succeeded);
    EXPECT_EQ(job.attempts, 2u);
    EXPECT_EQ(loader.loads, 1);
    EXPECT_TRUE(services->catalog.find_asset(created.asset.id)->has_thumbnail);
    services->stop(5s);
    for (const auto& event : take_all(*services, *place))
        EXPECT_THAT(event->type, AnyOf("job", "asset.thumbnail", "asset.updated"));
}

TEST_F(InterruptedTest, KilledThumbnailReloadsWithoutCache)
{
    auto services = make();
    const auto created = leave_at_thumbnail(*services, "bar.obj");
    services.reset();
    std::filesystem::remove_all(folder() / "data/derived");
    services = make();
    services->start();
    EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
    EXPECT_EQ(loader.loads, 2);
    EXPECT_TRUE(services->catalog.find_asset(created.asset.id)->has_thumbnail);
}

TEST_F(InterruptedTest, FailingEnvironmentIsRetriedThenFails)
{
    auto made = config();
    int calls = 0;
    made.importer.max_attempts = 3;
    made.load_scene = [&](const auto&, const std::string& main_name,
                          const auto&) -> LoadResult<scene::Scene> {
        ++calls;
        if (main_name.starts_with("cube") && calls > 2) return loader.load(main_name);
        throw StorageError(StorageError::Kind::failed, "disk gone");
    };
    Services services(made, registry);
    const auto created = upload(services, "cube.obj");
    services.start();
    EXPECT_EQ(wait_for(services, created.job.id).state, JobState::succeeded);
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(services.metrics.imports_retried.Value(), 2.0);
    const auto hopeless = upload(services, "bar.obj");
    const auto job = wait_for(services, hopeless.job.id);
    EXPECT_EQ(job.state, JobState::failed);
    EXPECT_EQ(job.attempts, 3u);
    EXPECT_EQ(job.problem->code, "storage_failed");
    EXPECT_EQ(job.problem->where, "bar.obj");
}

TEST_F(InterruptedTest, LeasesThatCannotBeRenewedAreLogged)
{
    LogWatch log("leases cannot be renewed");
    auto made = config();
    made.importer.lease = frequent_heartbeat;
    Services services(made, registry);
    services.start();
    execute("ALTER TABLE jobs RENAME TO jobs_elsewhere");
    EXPECT_TRUE(test::eventually([&] { return log.lines() > 0; }));
    execute("ALTER TABLE jobs_elsewhere RENAME TO jobs");
    EXPECT_EQ(wait_for(services, upload(services, "cube.obj").job.id).state, JobState::succeeded)
        << "it goes on";
    services.stop(5s);
}

TEST_F(InterruptedTest, MissingStorageIsRetriedWithoutLimit)
{
    auto made = config();
    std::atomic<int> calls = 0;
    made.importer.max_attempts = 3;
    made.importer.storage_interval = 1ms;
    made.load_scene = [&](const auto&, const std::string& main_name,
                          const auto&) -> LoadResult<scene::Scene> {
        using enum StorageError::Kind;
        if (++calls > 10) return loader.load(main_name);
        throw StorageError(calls % 2 == 0 ? full : unavailable, "no storage");
    };
    Services services(made, registry);
    auto place = services.events.subscribe(std::nullopt, [] {}).value();
    const auto created = upload(services, "cube.obj");
    services.start();
    const auto job = wait_for(services, created.job.id);
    EXPECT_EQ(job.state, JobState::succeeded);
    EXPECT_EQ(job.attempts, 1u);
    EXPECT_FALSE(job.problem);
    EXPECT_EQ(services.metrics.imports_retried.Value(), 10.0);
    std::map<std::string, int> reasons;
    for (const auto& event : place->take(1000).events)
        for (const char* reason : {"storage_full", "storage_unavailable"})
            reasons[reason] += event->data.find(reason) != std::string::npos ? 1 : 0;
    EXPECT_EQ(reasons["storage_full"], 5) << "subscribers get the reason";
    EXPECT_EQ(reasons["storage_unavailable"], 5);
}

TEST_F(InterruptedTest, IsCancelledWhileItRuns)
{
    auto made = config();
    made.importer.lease = frequent_heartbeat;
    std::promise<void> begun;
    made.load_scene = [&](const auto&, const std::string& main_name, const std::stop_token& stop) {
        begun.set_value();
        EXPECT_TRUE(test::eventually([&] { return stop.stop_requested(); }));
        return loader.load(main_name); // succeeds all the same
    };
    Services services(made, registry);
    const auto created = upload(services, "bar.obj");
    services.start();
    begun.get_future().wait();
    EXPECT_EQ(services.catalog.cancel_job(created.job.id)->state, JobState::running);
    EXPECT_EQ(wait_for(services, created.job.id).state, JobState::cancelled);
    EXPECT_EQ(services.catalog.find_asset(created.asset.id)->status, AssetStatus::failed);
}

TEST_F(InterruptedTest, StopReturnsJobsAndRestartContinuesThem)
{
    auto services = make();
    const auto created = upload(*services, "bar.obj");
    {
        std::unique_lock held(loader.gate);
        services->start();
        EXPECT_TRUE(test::eventually([&] { return loader.loads != 0; }));
        std::thread stop([&] { services->stop(10ms); });
        EXPECT_TRUE(test::eventually(
            [&] { return services->catalog.find_job(created.job.id)->state != JobState::running; }));
        EXPECT_EQ(services->catalog.find_job(created.job.id)->state, JobState::queued);
        EXPECT_EQ(services->catalog.find_job(created.job.id)->attempts, 0u);
        held.unlock();
        stop.join();
    }
    EXPECT_EQ(services->catalog.find_asset(created.asset.id)->status, AssetStatus::importing);
    services.reset();
    services = make();
    services->start();
    EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
}

// A loader that never finishes.
class HangingLoad {
public:
    LoadResult<scene::Scene> load(const std::stop_token& stop)
    {
        std::unique_lock lock(mutex_);
        begun_ = true;
        changed_.notify_all();
        changed_.wait(lock, stop, [] { return false; });
        return vitrine::fail(LoadErrc::timed_out, "", "stopped");
    }
    void await()
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return begun_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool begun_ = false;
};

TEST_F(InterruptedTest, StopDoesNotWaitForALoader)
{
    HangingLoad hanging;
    auto made = config();
    made.load_scene = [&](const auto&, const auto&, const std::stop_token& stop) {
        return hanging.load(stop);
    };
    auto services = std::make_unique<Services>(made, registry);
    const auto created = upload(*services, "bar.obj");
    services->start();
    hanging.await();
    services->stop(1h);
    const auto job = services->catalog.find_job(created.job.id).value();
    EXPECT_EQ(job.state, JobState::queued);
    EXPECT_EQ(job.attempts, 0u);
    EXPECT_FALSE(job.problem);
    EXPECT_EQ(services->catalog.find_asset(created.asset.id)->status, AssetStatus::importing);
    services.reset();
    services = make();
    services->start();
    EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
}

TEST_F(InterruptedTest, CancellationDoesNotWaitForALoader)
{
    HangingLoad hanging;
    auto made = config();
    made.importer.lease = frequent_heartbeat;
    made.load_scene = [&](const auto&, const auto&, const std::stop_token& stop) {
        return hanging.load(stop);
    };
    Services services(made, registry);
    const auto created = upload(services, "bar.obj");
    services.start();
    hanging.await();
    EXPECT_TRUE(services.catalog.cancel_job(created.job.id));
    EXPECT_EQ(wait_for(services, created.job.id).state, JobState::cancelled);
}

TEST_F(InterruptedTest, ModelThatCrashesTheServerFailsEventually)
{
    const auto services = make();
    const auto created = upload(*services, "bar.obj");
    const auto crash = [&] {
        ASSERT_TRUE(services->catalog.claim_job("dead", 30s));
        services->catalog.recover_jobs([](const std::string&) { return true; });
    };
    for (int times = 0; times < 20; ++times)
        crash();
    services->start();
    const auto job = wait_for(*services, created.job.id);
    EXPECT_EQ(job.state, JobState::failed);
    ASSERT_TRUE(job.problem);
    EXPECT_EQ(job.problem->code, "import_crashed");
    EXPECT_EQ(job.problem->where, "bar.obj");
    EXPECT_EQ(job.problem->detail, "the server has crashed 20 times during this import");
}

} // namespace
} // namespace vitrine::server::testing
