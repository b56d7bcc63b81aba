// Importer: from a queued job to a ready or failed asset.

#include <boost/json/parse.hpp>

#include "tests/unit/server/services/importing/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;

TEST_F(ImportTest, PublishesEventsInOrder)
{
    const auto services = make();
    auto place = services->events.subscribe(std::nullopt, [] {}).value();
    const auto created = upload(*services, "bar.obj");
    services->start();
    const auto job = wait_for(*services, created.job.id);
    EXPECT_EQ(job.state, JobState::succeeded);
    services->stop(5s);

    std::vector<std::string> story;
    for (const auto& event : take_all(*services, *place))
        if (event->type != "job") story.push_back(event->type);
    EXPECT_THAT(story, ElementsAre("asset.created", "asset.metadata", "asset.bounds", "asset.thumbnail",
                                   "asset.updated"));
    const auto asset = services->catalog.find_asset(created.asset.id).value();
    EXPECT_EQ(asset.status, AssetStatus::ready);
    EXPECT_EQ(asset.format, "obj");
    EXPECT_EQ(asset.counts.joints, 2u);
    EXPECT_TRUE(asset.has_thumbnail);
    EXPECT_EQ(services->metrics.imports.succeeded.Value(), 1.0);
    const auto& stages = services->metrics.import_stages;
    const auto count = [](const prometheus::Histogram& stage) {
        return stage.Collect().histogram.sample_count;
    };
    for (const auto* stage : {&stages.queue, &stages.load, &stages.bounds, &stages.thumbnail})
        EXPECT_EQ(count(*stage), 1u);
    EXPECT_EQ(count(stages.store), 3u) << "metadata, bounds, thumbnail";
    for (const auto document : {AssetDocument::skeleton, AssetDocument::clips, AssetDocument::materials,
                                AssetDocument::warnings, AssetDocument::variants, AssetDocument::bounds})
        EXPECT_TRUE(services->catalog.find_document(asset.id, 1, document)) << to_string(document);
    EXPECT_EQ(services->catalog.list_assets({.q = "upper"})->items.size(), 1u) << "a joint's name";
}

TEST_F(ImportTest, PublishesAllMetadataBeforeTheFirstThumbnail)
{
    const auto services = make();
    auto place = services->events.subscribe(std::nullopt, [] {}).value();
    std::vector<Created> created;
    for (const char* name : {"bar.obj", "cube.obj", "other bar.obj"})
        created.push_back(upload(*services, name));
    services->start();
    for (const auto& item : created) {
        const auto job = wait_for(*services, item.job.id);
        EXPECT_EQ(job.state, JobState::succeeded);
        EXPECT_EQ(job.attempts, 1u);
    }
    services->stop(5s);

    std::vector<std::string> story;
    std::map<std::string, double> progress;
    for (const auto& event : take_all(*services, *place)) {
        if (event->type != "job") story.push_back(event->type);
        if (event->type != "job") continue;
        const auto job = boost::json::parse(event->data).at("job");
        auto& known = progress[std::string(job.at("id").as_string())];
        EXPECT_GE(job.at("progress").to_number<double>(), known) << event->data;
        known = job.at("progress").to_number<double>();
    }
    std::vector<std::string> wanted{"asset.created", "asset.created", "asset.created"};
    for (int i = 0; i < 3; ++i)
        wanted.insert(wanted.end(), {"asset.metadata", "asset.bounds"});
    for (int i = 0; i < 3; ++i)
        wanted.insert(wanted.end(), {"asset.thumbnail", "asset.updated"});
    EXPECT_EQ(story, wanted);
    EXPECT_EQ(loader.loads, 3) << "the thumbnail takes the scene that was kept";
}

TEST_F(ImportTest, ConservativeBoundsContainExactBounds)
{
    const auto services = make();
    const auto created = upload(*services, "bar.obj");
    services->start();
    wait_for(*services, created.job.id);
    const auto bounds =
        boost::json::parse(*services->catalog.find_document(created.asset.id, 1, AssetDocument::bounds));
    const auto& clip = bounds.at("clips").at(0);
    EXPECT_EQ(clip.at("clip"), "c0");
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto at = [&](const char* kind, const char* end) {
            return clip.at(kind).at(end).at(axis).to_number<double>();
        };
        EXPECT_LE(at("conservative", "min"), at("exact", "min"));
        EXPECT_GE(at("conservative", "max"), at("exact", "max"));
        EXPECT_LT(at("exact", "min"), at("exact", "max"));
    }
}

TEST_F(ImportTest, InvalidFileFailsAndKeepsItsOriginal)
{
    const auto services = make();
    const auto created = upload(*services, "bad.obj");
    services->start();
    const auto job = wait_for(*services, created.job.id);
    EXPECT_EQ(job.state, JobState::failed);
    EXPECT_EQ(job.attempts, 1u);
    EXPECT_EQ(job.problem->code, "truncated");
    const auto asset = services->catalog.find_asset(created.asset.id).value();
    EXPECT_EQ(asset.problem->where, "byte 9");
    EXPECT_TRUE(services->blobs->find_local(services->catalog.files(asset.id, 1).front().blob));
}

// By the out-of-memory killer: the file is not the reason.
TEST_F(ImportTest, RepeatsALoadWhoseProcessWasKilled)
{
    auto made = config();
    std::atomic<int> kills = 2;
    made.load_scene = [&](const auto&, const auto&, const auto&) -> LoadResult<scene::Scene> {
        if (kills-- > 0)
            return vitrine::fail(LoadErrc::killed, {}, "the loader process was killed from outside");
        return loader.load("bar.obj");
    };
    Services services(made, registry);
    const auto created = upload(services, "bar.obj");
    services.start();
    const auto job = wait_for(services, created.job.id);
    EXPECT_EQ(job.state, JobState::succeeded);
    EXPECT_EQ(job.attempts, 3u);
    EXPECT_EQ(services.metrics.imports_retried.Value(), 2.0);
}

TEST_F(ImportTest, FailsAfterFiveKilledLoads)
{
    auto made = config();
    made.load_scene = [&](const auto&, const auto&, const auto&) -> LoadResult<scene::Scene> {
        return vitrine::fail(LoadErrc::killed, {}, "the loader process was killed from outside");
    };
    Services services(made, registry);
    const auto created = upload(services, "bar.obj");
    services.start();
    const auto job = wait_for(services, created.job.id);
    EXPECT_EQ(job.state, JobState::failed);
    EXPECT_EQ(job.attempts, 5u);
    EXPECT_EQ(job.problem->code, "killed");
}

// A first attempt runs beside others; a repeated one waits until no other load runs.
TEST_F(ImportTest, RepeatsAlone)
{
    auto made = config();
    made.importer.workers = 3;
    std::atomic<int> running = 0, most_beside_repeated = 0;
    std::atomic<bool> killed = false;
    made.load_scene = [&](const auto&, const std::string& main_name,
                          const auto&) -> LoadResult<scene::Scene> {
        const int others = running++;
        const bool repeated = main_name == "victim.obj" && killed.exchange(true);
        if (repeated) most_beside_repeated = std::max(most_beside_repeated.load(), others);
        for (int i = 0; i < 20; ++i) {
            std::this_thread::sleep_for(1ms);
            if (repeated) most_beside_repeated = std::max(most_beside_repeated.load(), running - 1);
        }
        --running;
        if (main_name == "victim.obj" && !repeated) return vitrine::fail(LoadErrc::killed, {}, "killed");
        return loader.load(main_name);
    };
    Services services(made, registry);
    std::vector<Created> created;
    for (const char* name : {"victim.obj", "b.obj", "c.obj", "d.obj", "e.obj", "f.obj", "g.obj", "h.obj"})
        created.push_back(upload(services, name));
    services.start();
    for (const auto& one : created)
        EXPECT_EQ(wait_for(services, one.job.id).state, JobState::succeeded);
    EXPECT_TRUE(killed);
    EXPECT_EQ(most_beside_repeated, 0);
}

TEST_F(ImportTest, ReimportsOnRequest)
{
    auto made = config();
    std::atomic<bool> broken = true;
    made.load_scene = [&](const auto&, const std::string& main_name,
                          const auto&) -> LoadResult<scene::Scene> {
        if (broken) return vitrine::fail(LoadErrc::timed_out, {}, "too slow");
        return loader.load(main_name);
    };
    Services services(made, registry);
    const auto created = upload(services, "bar.obj");
    EXPECT_EQ(services.catalog.reimport_asset(created.asset.id).error().code, "import_running");
    services.start();
    EXPECT_EQ(wait_for(services, created.job.id).state, JobState::failed);
    broken = false;
    const auto again = services.catalog.reimport_asset(created.asset.id).value();
    EXPECT_EQ(again.asset.status, AssetStatus::importing);
    EXPECT_EQ(wait_for(services, again.job.id).state, JobState::succeeded);
    const auto ready = services.catalog.reimport_asset(created.asset.id).value();
    EXPECT_EQ(ready.asset.status, AssetStatus::ready) << "its data stays available";
    EXPECT_EQ(wait_for(services, ready.job.id).state, JobState::succeeded);
    services.catalog.trash_asset(created.asset.id);
    EXPECT_EQ(services.catalog.reimport_asset(created.asset.id).error().code, "no_asset");
}

TEST_F(ImportTest, ErrorWithoutLocationNamesTheFile)
{
    auto made = config();
    made.load_scene = [&](const auto&, const auto&, const auto&) -> LoadResult<scene::Scene> {
        return vitrine::fail(LoadErrc::crashed, {}, "the loader process was terminated by SIGSEGV");
    };
    Services services(made, registry);
    const auto created = upload(services, "deep/bar.obj");
    services.start();
    EXPECT_EQ(wait_for(services, created.job.id).problem->where, "deep/bar.obj");
    EXPECT_EQ(services.catalog.find_asset(created.asset.id)->problem->where, "deep/bar.obj");
}

TEST_F(ImportTest, MissingThumbnailIsReportedAsAWarning)
{
    const auto services = make();
    gpu.fail = 1'000;
    const auto created = upload(*services, "cube.obj");
    services->start();
    EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
    const auto asset = services->catalog.find_asset(created.asset.id).value();
    EXPECT_FALSE(asset.has_thumbnail);
    EXPECT_NE(services->catalog.find_document(asset.id, 1, AssetDocument::warnings)->find("no_thumbnail"),
              std::string::npos);
    EXPECT_EQ(to_json(asset).at("warnings").to_number<int>(), 1);
}

TEST_F(ImportTest, EmptySceneIsReadyWithoutThumbnail)
{
    const auto services = make();
    const auto created = upload(*services, "void.obj");
    services->start();
    EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
    const auto asset = services->catalog.find_asset(created.asset.id).value();
    EXPECT_EQ(asset.status, AssetStatus::ready);
    EXPECT_FALSE(asset.has_thumbnail);
    EXPECT_EQ(gpu.renders, 0);
    const auto warnings = *services->catalog.find_document(asset.id, 1, AssetDocument::warnings);
    EXPECT_NE(warnings.find("nothing_to_show"), std::string::npos);
    EXPECT_EQ(warnings.find("no_thumbnail"), std::string::npos);
    const auto bounds =
        boost::json::parse(*services->catalog.find_document(asset.id, 1, AssetDocument::bounds));
    EXPECT_TRUE(bounds.at("static").is_null());
}

TEST_F(ImportTest, LostDeviceIsRetried)
{
    const auto services = make();
    gpu.lose = 1;
    const auto created = upload(*services, "cube.obj");
    services->start();
    EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
    EXPECT_TRUE(services->catalog.find_asset(created.asset.id)->has_thumbnail);
}

TEST_F(ImportTest, ModelThatLosesTwoDevicesHasNoThumbnail)
{
    const auto services = make();
    gpu.lose = 2;
    const auto created = upload(*services, "cube.obj");
    services->start();
    EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
    EXPECT_FALSE(services->catalog.find_asset(created.asset.id)->has_thumbnail);
    const auto warnings = *services->catalog.find_document(created.asset.id, 1, AssetDocument::warnings);
    EXPECT_NE(warnings.find("no_thumbnail"), std::string::npos);
}

TEST_F(ImportTest, WorksWithoutADeviceExceptForThumbnails)
{
    gpu.absent = true;
    const auto services = make();
    const auto created = upload(*services, "bar.obj");
    services->start();
    EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
    EXPECT_TRUE(services->catalog.find_document(created.asset.id, 1, AssetDocument::bounds))
        << "from the CPU";
}

} // namespace
} // namespace vitrine::server::testing
