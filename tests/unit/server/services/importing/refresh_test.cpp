// Refreshes after an upgrade: everything that is stored about a model is replaced, and nothing else.

#include "tests/unit/server/services/importing/fixture.hpp"
#include "tests/unit/server/services/support/database.hpp"
#include "tests/unit/server/services/support/log_watch.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::Each;
using ::testing::Field;

// Counts the searches for models to refresh. Must exist as long as the services.
class SearchWatch {
public:
    SearchWatch() { spdlog::set_level(spdlog::level::debug); }
    ~SearchWatch() { spdlog::set_level(level_); }
    SearchWatch(const SearchWatch&) = delete;
    SearchWatch& operator=(const SearchWatch&) = delete;

    int count() const { return log_.lines(); }
    void await(int searches) const
    {
        EXPECT_TRUE(test::eventually([&] { return count() >= searches; }));
    }

private:
    const spdlog::level::level_enum level_ = spdlog::get_level();
    const LogWatch log_{"looked for models with older facts"};
};

class RefreshTest : public ImportTest {
protected:
    // Imports the file with services that stop afterwards; returns the asset.
    AssetRecord import_and_stop(const std::string& name)
    {
        auto services = make();
        services->start();
        const auto created = upload(*services, name);
        EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
        return services->catalog.find_asset(created.asset.id).value();
    }
    std::filesystem::path catalog_file() const { return folder() / "data/catalog.sqlite"; }
    void lose_cached_scenes() { std::filesystem::remove_all(folder() / "data/derived"); }

    void leave_old_documents()
    {
        age_facts(catalog_file());
        execute_sql(catalog_file(), "UPDATE documents SET json = '{\"joints\":[]}' WHERE kind = 'skeleton'");
        execute_sql(catalog_file(), "DELETE FROM documents WHERE kind IN ('rig', 'bounds')");
        execute_sql(catalog_file(), "DELETE FROM clip_facets");
        execute_sql(catalog_file(), "UPDATE versions SET triangles = 0, summary = ''");
    }
    static std::vector<std::string> documents(Services& services, const std::string& asset)
    {
        std::vector<std::string> found;
        for (const auto kind : {AssetDocument::skeleton, AssetDocument::clips, AssetDocument::bounds,
                                AssetDocument::rig, AssetDocument::warnings})
            found.push_back(services.catalog.find_document(asset, 1, kind).value_or("none"));
        return found;
    }

    static JobRecord wait_for_refresh(Services& services)
    {
        std::vector<JobRecord> jobs;
        EXPECT_TRUE(test::eventually([&] {
            jobs = services.catalog.list_jobs({.kind = JobKind::refresh});
            return !jobs.empty() && jobs.front().finished != 0;
        }));
        return jobs.empty() ? JobRecord{} : jobs.front();
    }
};

TEST_F(RefreshTest, ReplacesWhatAnOlderVersionHasStored)
{
    const auto asset = import_and_stop("bar.obj");
    const auto before = documents(*make(), asset.id);
    leave_old_documents();
    auto services = make();
    EXPECT_FALSE(services->catalog.find_asset(asset.id)->has_current_facts());
    EXPECT_NE(documents(*services, asset.id), before);
    services->start();
    EXPECT_EQ(wait_for_refresh(*services).state, JobState::succeeded);
    const auto refreshed = services->catalog.find_asset(asset.id).value();
    EXPECT_TRUE(refreshed.has_current_facts());
    EXPECT_EQ(documents(*services, asset.id), before);
    EXPECT_EQ(refreshed.counts.triangles, asset.counts.triangles);
    EXPECT_EQ(refreshed.summary, asset.summary);
    EXPECT_EQ(services->catalog.list_assets({.clip_facts = {.speed_min = 0.0}}).value().items.size(), 1u);
}

TEST_F(RefreshTest, KeepsWhatIsNotStoredAboutTheModel)
{
    const auto asset = import_and_stop("bar.obj");
    leave_old_documents();
    auto services = make();
    auto place = services->events.subscribe(std::nullopt, [] {}).value();
    services->start();
    EXPECT_EQ(wait_for_refresh(*services).state, JobState::succeeded);
    const auto refreshed = services->catalog.find_asset(asset.id).value();
    EXPECT_NE(refreshed.etag(), asset.etag());
    EXPECT_EQ(refreshed.status, AssetStatus::ready);
    EXPECT_EQ(refreshed.job, asset.job) << "the newest import";
    EXPECT_TRUE(refreshed.has_thumbnail);
    EXPECT_EQ(loader.loads, 1) << "the cached scene is of the same loaders";
    services->stop(5s); // the counters follow the end of the job
    EXPECT_EQ(services->metrics.refreshes.succeeded.Value(), 1.0);
    EXPECT_EQ(services->metrics.imports.succeeded.Value(), 1.0) << "before the upgrade";
    EXPECT_THAT(take_all(*services, *place),
                Each(::testing::Pointee(Field(&Event::type, ::testing::AnyOf("job", "asset.updated")))));
}

TEST_F(RefreshTest, KeepsNoSceneThatNoRequestUses)
{
    import_and_stop("bar.obj");
    age_facts(catalog_file());
    lose_cached_scenes();
    prometheus::Registry empty;
    Services services(config(), empty);
    services.start();
    EXPECT_EQ(wait_for_refresh(services).state, JobState::succeeded);
    EXPECT_EQ(loader.loads, 2);
    EXPECT_EQ(services.metrics.scene_bytes.Value(), 0.0);
    EXPECT_FALSE(std::filesystem::exists(folder() / "data/derived"));
}

// Searches are rare once nothing is left; a request does not wait for the next one.
TEST_F(RefreshTest, RequestNeedsNoSearch)
{
    const auto asset = import_and_stop("bar.obj");
    const SearchWatch searches;
    age_facts(catalog_file());
    auto services = make();
    ASSERT_TRUE(services->catalog.trash_asset(asset.id));
    services->start();
    const auto other = upload(*services, "cube.obj");
    wait_for(*services, other.job.id);
    searches.await(1); // and found nothing
    ASSERT_TRUE(services->catalog.restore_asset(asset.id));
    services->importer.prefer_refresh(asset.id);
    EXPECT_EQ(wait_for_refresh(*services).state, JobState::succeeded);
}

TEST_F(RefreshTest, RestoredAssetIsFound)
{
    const auto asset = import_and_stop("bar.obj");
    const SearchWatch searches;
    age_facts(catalog_file());
    auto changed = config();
    changed.importer.refresh_search = 20ms;
    Services services(changed, registry);
    ASSERT_TRUE(services.catalog.trash_asset(asset.id));
    services.start();
    searches.await(2);
    EXPECT_TRUE(services.catalog.list_jobs({.kind = JobKind::refresh}).empty());
    ASSERT_TRUE(services.catalog.restore_asset(asset.id));
    EXPECT_EQ(wait_for_refresh(services).state, JobState::succeeded);
}

TEST_F(RefreshTest, FileThatFailsKeepsItsFacts)
{
    const auto asset = import_and_stop("bar.obj");
    const SearchWatch searches;
    age_facts(catalog_file());
    lose_cached_scenes();
    auto changed = config();
    std::atomic<int> loads = 0;
    changed.load_scene = [&](const auto&, const auto&, const auto&) -> LoadResult<scene::Scene> {
        ++loads;
        return fail(LoadErrc::malformed, "line 3", "the new loader rejects it");
    };
    changed.importer.refresh_search = 1ms;
    Services services(changed, registry);
    services.start();
    const auto job = wait_for_refresh(services);
    EXPECT_EQ(job.state, JobState::failed);
    EXPECT_EQ(job.problem->code, "malformed");
    EXPECT_EQ(job.problem->where, "line 3");
    const auto kept = services.catalog.find_asset(asset.id).value();
    EXPECT_EQ(kept.status, AssetStatus::ready);
    EXPECT_FALSE(kept.has_current_facts());
    EXPECT_EQ(kept.summary, asset.summary);
    EXPECT_TRUE(services.catalog.find_document(asset.id, 1, AssetDocument::skeleton));
    const int before = searches.count();
    services.importer.prefer_refresh(asset.id);
    searches.await(before + 2); // one may have been under way
    EXPECT_EQ(services.catalog.list_jobs({.kind = JobKind::refresh}).size(), 1u);
    EXPECT_EQ(services.metrics.refreshes.failed.Value(), 1.0);
}

TEST_F(RefreshTest, FailureOfTheMachineIsRetried)
{
    const LogWatch interrupted("refresh interrupted");
    const auto asset = import_and_stop("bar.obj");
    age_facts(catalog_file());
    lose_cached_scenes();
    auto changed = config();
    std::atomic<int> loads = 0;
    changed.load_scene = [&](const auto&, const auto& name, const auto&) -> LoadResult<scene::Scene> {
        if (++loads < 3) return fail(LoadErrc::killed, "", "no memory");
        return loader.load(name);
    };
    Services services(changed, registry);
    services.start();
    const auto job = wait_for_refresh(services);
    EXPECT_EQ(job.state, JobState::succeeded);
    EXPECT_EQ(job.attempts, 3u);
    EXPECT_TRUE(services.catalog.find_asset(asset.id)->has_current_facts());
}

TEST_F(RefreshTest, StopReturnsItToTheQueue)
{
    const auto asset = import_and_stop("bar.obj");
    age_facts(catalog_file());
    lose_cached_scenes();
    auto services = make();
    {
        const std::lock_guard closed(loader.gate);
        services->start();
        ASSERT_TRUE(test::eventually([&] { return loader.loads == 2; }));
        services->interrupt();
    }
    services->stop(5s);
    const auto queued = services->catalog.list_jobs({.kind = JobKind::refresh}).front();
    EXPECT_EQ(queued.state, JobState::queued);
    EXPECT_EQ(queued.attempts, 0u);
    services.reset();
    services = make();
    services->start();
    EXPECT_TRUE(
        test::eventually([&] { return services->catalog.find_asset(asset.id)->has_current_facts(); }));
}

// The crashes of the server during a refresh are counted; the asset keeps its facts.
TEST_F(RefreshTest, CrashingServerGivesUp)
{
    const auto asset = import_and_stop("bar.obj");
    age_facts(catalog_file());
    auto services = make();
    for (int crash = 0; crash < 5; ++crash) {
        services->catalog.queue_refreshes({}, 1);
        ASSERT_TRUE(services->catalog.claim_refresh(process_owner() + "0", 30s)); // a process that has died
        services->catalog.recover_jobs([](const auto&) { return true; });
    }
    services->start();
    const auto job = wait_for_refresh(*services);
    EXPECT_EQ(job.state, JobState::failed);
    EXPECT_EQ(job.problem->code, "import_crashed");
    EXPECT_EQ(services->catalog.find_asset(asset.id)->status, AssetStatus::ready);
}

TEST_F(RefreshTest, WarningOfAMissingThumbnailStays)
{
    gpu.undrawable = true;
    const auto asset = import_and_stop("bar.obj");
    EXPECT_FALSE(asset.has_thumbnail);
    age_facts(catalog_file());
    auto services = make();
    services->start();
    EXPECT_EQ(wait_for_refresh(*services).state, JobState::succeeded);
    EXPECT_THAT(services->catalog.find_document(asset.id, 1, AssetDocument::warnings).value(),
                ::testing::HasSubstr("no_thumbnail"));
}

} // namespace
} // namespace vitrine::server::testing
