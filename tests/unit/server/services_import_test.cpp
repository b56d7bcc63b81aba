// Ingest, importer, wire: from the parts of an upload to an asset that is ready.

#include <fstream>
#include <map>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

#include "server/services/describe.hpp"
#include "server/services/wire.hpp"
#include "server/util/owner.hpp"
#include "server/util/sha256.hpp"
#include "tests/unit/server/services_fakes.hpp"
#include "tests/unit/server/tiny_disk.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class ImportTest : public WholeServicesTest {
protected:
    FileRecord part(Services& services, const std::string& name, const std::string& text = {})
    {
        const auto blob = services.blobs->put(bytes_of(text.empty() ? name : text));
        return {name, blob.hash, blob.size_bytes, blob.hold};
    }

    // Until so many blobs are left; not fewer.
    void await_blobs(std::size_t count)
    {
        for (int i = 0; i < 2000 && files_under(folder() / "data/blobs") > count; ++i)
            std::this_thread::sleep_for(5ms);
        EXPECT_EQ(files_under(folder() / "data/blobs"), count);
    }

    static std::vector<std::string> file_names(Services& services, const Created& created)
    {
        std::vector<std::string> names;
        for (const auto& file : services.catalog.files(created.asset.id, 1))
            names.push_back(file.name);
        return names;
    }

    // As a process that was killed while it drew the thumbnail left it.
    Created leave_at_thumbnail(Services& services, const std::string& name)
    {
        const auto created = upload(services, name);
        const auto lease = services.catalog.claim_job(process_owner() + "0", 30s).value();
        const auto scene = services.scenes.load(lease.asset).value();
        EXPECT_TRUE(services.catalog.record_metadata(lease, describe(*scene)));
        EXPECT_TRUE(services.catalog.record_fact(lease, Fact::bounds, "{}"));
        services.catalog.heartbeat(lease, JobStage::thumbnail, 0.8, 30s);
        return created;
    }

    std::unique_ptr<Services> make() { return std::make_unique<Services>(config(), registry); }
};

TEST_F(ImportTest, TellsItsStoryInOrder)
{
    const auto services = make();
    auto place = services->events.subscribe(std::nullopt, [] {}).value();
    const auto created = upload(*services, "bar.obj");
    services->start();
    const auto job = wait_for(*services, created.job.id);
    EXPECT_EQ(job.state, JobState::succeeded);
    services->stop(5s);

    std::vector<std::string> story;
    for (const auto& event : place->take().events)
        if (event->type != "job") story.push_back(event->type);
    EXPECT_THAT(story, ElementsAre("asset.created", "asset.metadata", "asset.bounds", "asset.thumbnail",
                                   "asset.updated"));
    const auto asset = services->catalog.find_asset(created.asset.id).value();
    EXPECT_EQ(asset.status, AssetStatus::ready);
    EXPECT_EQ(asset.format, "obj");
    EXPECT_EQ(asset.counts.joints, 2u);
    EXPECT_TRUE(asset.has_thumbnail);
    EXPECT_EQ(services->metrics.imports_succeeded.Value(), 1.0);
    for (const auto fact : {Fact::skeleton, Fact::clips, Fact::materials, Fact::warnings, Fact::bounds})
        EXPECT_TRUE(services->catalog.find_fact(asset.id, 1, fact)) << to_string(fact);
    EXPECT_EQ(services->catalog.list_assets({.q = "upper"})->items.size(), 1u) << "a joint's name";
}

TEST_F(ImportTest, TellsAllMetadataBeforeTheFirstThumbnail)
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
    for (const auto& event : place->take(1000).events) {
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

TEST_F(ImportTest, AKilledThumbnailIsDrawnFromTheKeptScene)
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
    for (const auto& event : place->take().events)
        EXPECT_THAT(event->type, AnyOf("job", "asset.thumbnail", "asset.updated"));
}

TEST_F(ImportTest, AKilledThumbnailIsLoadedAgainWhereTheCacheIsGone)
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

TEST_F(ImportTest, BoundsHoldTheExactOnes)
{
    const auto services = make();
    const auto created = upload(*services, "bar.obj");
    services->start();
    wait_for(*services, created.job.id);
    const auto bounds = boost::json::parse(*services->catalog.find_fact(created.asset.id, 1, Fact::bounds));
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

TEST_F(ImportTest, ABadFileFailsAtOnceAndKeepsItsOriginal)
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
    EXPECT_TRUE(services->blobs->find_size(services->catalog.files(asset.id, 1).front().blob));
}

TEST_F(ImportTest, AFaultWithoutAPlaceNamesTheFile)
{
    auto made = config();
    made.load_scene = [&](const auto&, const auto&, const auto&) -> LoadResult<scene::Scene> {
        return vitrine::fail(LoadErrc::crashed, {}, "the loader process was ended by SIGSEGV");
    };
    Services services(made, registry);
    const auto created = upload(services, "deep/bar.obj");
    services.start();
    EXPECT_EQ(wait_for(services, created.job.id).problem->where, "deep/bar.obj");
    EXPECT_EQ(services.catalog.find_asset(created.asset.id)->problem->where, "deep/bar.obj");
}

TEST_F(ImportTest, AMissingThumbnailIsAWarning)
{
    const auto services = make();
    gpu.fail = 1'000;
    const auto created = upload(*services, "cube.obj");
    services->start();
    EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
    const auto asset = services->catalog.find_asset(created.asset.id).value();
    EXPECT_FALSE(asset.has_thumbnail);
    EXPECT_NE(services->catalog.find_fact(asset.id, 1, Fact::warnings)->find("no_thumbnail"),
              std::string::npos);
    EXPECT_EQ(to_json(asset).at("warnings").to_number<int>(), 1);
}

TEST_F(ImportTest, NothingToShowIsReadyWithoutAPicture)
{
    const auto services = make();
    const auto created = upload(*services, "void.obj");
    services->start();
    EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
    const auto asset = services->catalog.find_asset(created.asset.id).value();
    EXPECT_EQ(asset.status, AssetStatus::ready);
    EXPECT_FALSE(asset.has_thumbnail);
    EXPECT_EQ(gpu.renders, 0);
    const auto warnings = *services->catalog.find_fact(asset.id, 1, Fact::warnings);
    EXPECT_NE(warnings.find("nothing_to_show"), std::string::npos);
    EXPECT_EQ(warnings.find("no_thumbnail"), std::string::npos);
    const auto bounds = boost::json::parse(*services->catalog.find_fact(asset.id, 1, Fact::bounds));
    EXPECT_TRUE(bounds.at("static").is_null());
}

TEST_F(ImportTest, ALostDeviceIsTriedAgain)
{
    const auto services = make();
    gpu.lose = 2;
    const auto created = upload(*services, "cube.obj");
    services->start();
    EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
    EXPECT_TRUE(services->catalog.find_asset(created.asset.id)->has_thumbnail);
}

TEST_F(ImportTest, WorksWithoutADeviceButForThePictures)
{
    gpu.absent = true;
    const auto services = make();
    const auto created = upload(*services, "bar.obj");
    services->start();
    EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
    EXPECT_TRUE(services->catalog.find_fact(created.asset.id, 1, Fact::bounds)) << "from the CPU";
}

TEST_F(ImportTest, AFailingEnvironmentIsTriedAgainAndThenGivenUp)
{
    auto made = config();
    int calls = 0;
    made.importer.attempts = 3;
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

TEST_F(ImportTest, AFullDiskIsWaitedForHoweverLong)
{
    auto made = config();
    std::atomic<int> calls = 0;
    made.importer.attempts = 3;
    made.importer.full_disk = 1ms;
    made.load_scene = [&](const auto&, const std::string& main_name,
                          const auto&) -> LoadResult<scene::Scene> {
        if (++calls > 10) return loader.load(main_name);
        throw StorageError(StorageError::Kind::full, "disk full");
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
    int told = 0;
    for (const auto& event : place->take(1000).events)
        told += event->data.find("storage_full") != std::string::npos ? 1 : 0;
    EXPECT_EQ(told, 10) << "whoever listens learns why it waits";
}

TEST_F(ImportTest, IsCancelledWhileItRuns)
{
    auto made = config();
    made.importer.lease = 90ms; // beats each 30 ms
    Services services(made, registry);
    std::unique_lock held(loader.gate);
    const auto created = upload(services, "bar.obj");
    services.start();
    while (loader.loads == 0)
        std::this_thread::sleep_for(1ms);
    EXPECT_EQ(services.catalog.cancel_job(created.job.id)->state, JobState::running);
    std::this_thread::sleep_for(100ms);
    held.unlock();
    EXPECT_EQ(wait_for(services, created.job.id).state, JobState::cancelled);
    EXPECT_EQ(services.catalog.find_asset(created.asset.id)->status, AssetStatus::failed);
}

TEST_F(ImportTest, AStopHandsBackAndARestartTakesUp)
{
    auto services = make();
    const auto created = upload(*services, "bar.obj");
    {
        std::unique_lock held(loader.gate);
        services->start();
        while (loader.loads == 0)
            std::this_thread::sleep_for(1ms);
        std::thread stop([&] { services->stop(10ms); });
        while (services->catalog.find_job(created.job.id)->state == JobState::running)
            std::this_thread::sleep_for(1ms);
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

// A loader that never ends by itself.
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

TEST_F(ImportTest, AStopDoesNotWaitForALoader)
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

TEST_F(ImportTest, ACancellationDoesNotWaitForALoaderEither)
{
    HangingLoad hanging;
    auto made = config();
    made.importer.lease = 90ms; // beats each 30 ms
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

TEST_F(ImportTest, AModelThatTakesTheServerDownIsLeftOutAtLast)
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
    EXPECT_EQ(job.problem->detail, "the server ended 20 times during this import");
}

TEST_F(ImportTest, SeveralModelsMakeSeveralAssets)
{
    const auto services = make();
    const auto created = services->ingest.ingest(
        {part(*services, "kit/a.obj"), part(*services, "kit/a.mtl"), part(*services, "kit/b.obj"),
         part(*services, "kit/b.mtl"), part(*services, "kit/tex/wood.png"), part(*services, "readme.txt")});
    ASSERT_TRUE(created) << created.error().detail;
    ASSERT_EQ(created->size(), 2u);
    EXPECT_THAT(file_names(*services, created->at(0)),
                ElementsAre("kit/a.mtl", "kit/a.obj", "kit/tex/wood.png", "readme.txt"));
    EXPECT_THAT(file_names(*services, created->at(1)),
                ElementsAre("kit/b.mtl", "kit/b.obj", "kit/tex/wood.png", "readme.txt"));
    EXPECT_EQ(created->at(0).asset.name, "a");
}

TEST_F(ImportTest, ModelsOfOtherFoldersKeepTheirCompanions)
{
    const auto services = make();
    const auto created =
        services->ingest.ingest({part(*services, "imp/imp.md5mesh"), part(*services, "imp/walk.md5anim"),
                                 part(*services, "hog/hog.md5mesh"), part(*services, "hog/walk.md5anim"),
                                 part(*services, "hog/skin.tga")});
    ASSERT_EQ(created->size(), 2u);
    for (const auto& item : *created) {
        const auto names = file_names(*services, item);
        const auto other = item.asset.name == "imp" ? "hog/walk.md5anim" : "imp/walk.md5anim";
        EXPECT_EQ(std::ranges::find(names, other), names.end());
        EXPECT_NE(std::ranges::find(names, item.asset.name + "/walk.md5anim"), names.end());
        EXPECT_NE(std::ranges::find(names, "hog/skin.tga"), names.end()) << "pictures may be shared";
    }
}

TEST_F(ImportTest, FilesOfOneNameAreToldApartByTheirFolders)
{
    const auto services = make();
    const auto created = services->ingest.ingest(
        {part(*services, "game/imp/mesh.md5mesh"), part(*services, "game/hog/mesh.md5mesh"),
         part(*services, "game/hog/mesh.obj"), part(*services, "mesh.md5mesh")});
    ASSERT_EQ(created->size(), 4u);
    std::vector<std::string> names;
    for (const auto& item : *created)
        names.push_back(item.asset.name);
    EXPECT_THAT(names, testing::UnorderedElementsAre("imp mesh", "hog mesh", "mesh", "mesh"));
}

TEST_F(ImportTest, KnowsAnUploadAgain)
{
    const auto services = make();
    EXPECT_FALSE(upload(*services, "bar.obj").existing);
    EXPECT_TRUE(upload(*services, "bar.obj").existing);
    EXPECT_EQ(services->catalog.asset_count(), 1u);
}

TEST_F(ImportTest, RefusesUploadsThatMakeNoSense)
{
    const auto services = make();
    const auto refused = [&](std::vector<FileRecord> parts) {
        const auto answer = services->ingest.ingest(std::move(parts));
        EXPECT_FALSE(answer);
        return answer.error().code;
    };
    EXPECT_EQ(refused({part(*services, "readme.txt")}), "no_model");
    EXPECT_EQ(refused({}), "no_model");
    EXPECT_EQ(refused({part(*services, "../../etc/a.obj")}), "bad_name");
    EXPECT_EQ(refused({part(*services, "a.obj", "1"), part(*services, "./a.obj", "2")}), "duplicate_name");
    EXPECT_EQ(services->catalog.asset_count(), 0u);
    EXPECT_TRUE(services->ingest.ingest({part(*services, "a.obj", "1"), part(*services, ".\\a.obj", "1")}));
}

TEST_F(ImportTest, RefusesWhatPassesTheLimits)
{
    auto made = config();
    made.ingest = {.files = 3, .models = 2, .queued = 1};
    Services services(made, registry);
    std::vector<FileRecord> parts;
    for (const char* name : {"a.obj", "b.obj", "c.obj"})
        parts.push_back(part(services, name));
    EXPECT_EQ(services.ingest.ingest(parts).error().kind, Errc::too_large) << "three models";
    parts.push_back(part(services, "d.png"));
    EXPECT_EQ(services.ingest.ingest(parts).error().kind, Errc::too_large) << "four files";
    upload(services, "bar.obj");
    const auto full = services.ingest.ingest({part(services, "cube.obj")});
    EXPECT_EQ(full.error().code, "import_queue_full");
    EXPECT_GT(full.error().retry_after_s, 0u);
}

TEST_F(ImportTest, UnpacksZips)
{
    const auto services = make();
    const Ingest::Unpack unpack =
        [](const std::filesystem::path& zip,
           const std::filesystem::path& to) -> LoadResult<std::vector<worker::BundleFile>> {
        if (std::filesystem::file_size(zip) < 9) return vitrine::fail(LoadErrc::malformed, {}, "no zip");
        std::ofstream(to / "bar.obj") << "v";
        return std::vector<worker::BundleFile>{{"deep/bar.obj", to / "bar.obj"}};
    };
    Ingest ingest(services->catalog, *services->blobs, services->events, unpack, folder() / "data/tmp", {},
                  [] {});
    const auto one = ingest.ingest({part(*services, "kit.zip", "long enough")});
    EXPECT_EQ(one->front().asset.main_file, "deep/bar.obj");
    const auto two =
        ingest.ingest({part(*services, "kit.zip", "long enough"), part(*services, "more.ZIP", "and this")});
    EXPECT_EQ(two.error().code, "malformed");
    EXPECT_EQ(two.error().where, "more.ZIP");
    EXPECT_TRUE(std::filesystem::is_empty(folder() / "data/tmp")) << "the scratch folder is gone";
}

TEST_F(ImportTest, BlobsOfRefusedUploadsGo)
{
    const auto services = make();
    upload(*services, "bar.obj");
    services->start();
    EXPECT_FALSE(services->ingest.ingest({part(*services, "readme.txt"), part(*services, "notes.txt")}));
    EXPECT_FALSE(services->ingest.ingest({part(*services, "readme.txt", "content of bar.obj")}));
    await_blobs(1);
    // Counted after the file has gone; three where the first sweep came between the two uploads.
    for (int i = 0; i < 2000 && services->metrics.blobs_swept.Value() < 2.0; ++i)
        std::this_thread::sleep_for(5ms);
    EXPECT_GE(services->metrics.blobs_swept.Value(), 2.0);
}

TEST_F(ImportTest, BlobsThatAKilledProcessLeftGo)
{
    auto services = make();
    const auto created = upload(*services, "bar.obj");
    services->blobs->put(bytes_of("never named")); // its process ends before it can be swept
    services.reset();
    services = make();
    const auto held = services->blobs->put(bytes_of("of an upload under way"));
    services->start();
    await_blobs(2);
    EXPECT_EQ(wait_for(*services, created.job.id).state, JobState::succeeded);
    EXPECT_TRUE(services->blobs->find_size(held.hash));
}

TEST_F(ImportTest, AnUnpackedZipGoesAndItsFilesStay)
{
    const auto services = make();
    services->start();
    const Ingest::Unpack unpack =
        [](const std::filesystem::path&,
           const std::filesystem::path& to) -> LoadResult<std::vector<worker::BundleFile>> {
        std::ofstream(to / "bar.obj") << "v";
        return std::vector<worker::BundleFile>{{"bar.obj", to / "bar.obj"}};
    };
    Ingest ingest(services->catalog, *services->blobs, services->events, unpack, folder() / "data/tmp", {},
                  [] {});
    const auto created = ingest.ingest({part(*services, "kit.zip")});
    ASSERT_TRUE(created);
    await_blobs(1);
    const auto blob = services->catalog.files(created->front().asset.id, 1).front().blob;
    EXPECT_TRUE(services->blobs->find_size(blob));
}

// The same bytes, refused and taken at once from several threads: what was taken stays.
TEST_F(ImportTest, SweepingSparesWhatAnotherUploadTakes)
{
    const auto services = make();
    services->start();
    constexpr int rounds = 40;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 3; ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < rounds; ++i) {
                    const auto text = "bytes " + std::to_string(i);
                    const auto name = t == 0 ? "bar" + std::to_string(i) + ".obj" : std::string("a.txt");
                    EXPECT_EQ(services->ingest.ingest({part(*services, name, text)}).has_value(), t == 0);
                }
            });
    }
    await_blobs(rounds);
    EXPECT_EQ(services->catalog.asset_count(), static_cast<std::size_t>(rounds));
}

TEST_F(ImportTest, ImportsSamplesOnlyIntoAnEmptyCatalog)
{
    const auto services = make();
    const auto samples = folder() / "samples";
    std::filesystem::create_directories(samples / "robot");
    std::ofstream(samples / "robot/bar.obj") << "1";
    std::ofstream(samples / "robot/bar.mtl") << "2";
    std::ofstream(samples / "cube.obj") << "3";
    EXPECT_EQ(import_samples(*services, samples), 2u);
    EXPECT_EQ(import_samples(*services, samples), 0u);
    EXPECT_EQ(services->catalog.asset_count(), 2u);
}

// A disk of 4 MB that is full but for a few pages from the moment on that the loader runs: each number of
// pages breaks another write of the import.
class FullDiskTest : public ImportTest {
protected:
    std::filesystem::path filler = folder() / "data/filler";

    bool fill_but(std::size_t left)
    {
        std::ofstream file(filler, std::ios::binary);
        const std::string page(4096, 'x');
        while (file.write(page.data(), 4096).flush()) {
        }
        file.close();
        const auto size = std::filesystem::file_size(filler);
        std::filesystem::resize_file(filler, size - std::min<std::uintmax_t>(size, left));
        return size >= left;
    }

    void import_on_a_full_disk(Services& services, std::size_t left)
    {
        std::unique_lock held(loader.gate);
        const int loads = loader.loads;
        const double retried = services.metrics.imports_retried.Value();
        const auto created = upload(services, "bar" + std::to_string(left) + ".obj");
        services.importer.wake();
        while (loader.loads == loads)
            std::this_thread::sleep_for(1ms);
        ASSERT_TRUE(fill_but(left));
        held.unlock();
        const auto is_over = [&] { return services.catalog.find_job(created.job.id)->finished != 0; };
        for (int i = 0; i < 100 && !is_over() && services.metrics.imports_retried.Value() == retried; ++i)
            std::this_thread::sleep_for(5ms);
        EXPECT_NE(services.catalog.find_job(created.job.id)->state, JobState::failed);
        std::filesystem::remove(filler);
        EXPECT_EQ(wait_for(services, created.job.id).state, JobState::succeeded) << left << " bytes left";
        expect_whole(services, created.asset.id);
    }

    static void expect_whole(Services& services, const std::string& id)
    {
        EXPECT_EQ(services.catalog.find_asset(id)->status, AssetStatus::ready);
        const auto blob = services.catalog.files(id, 1).front().blob;
        EXPECT_EQ(sha256_hex(text_of(services.blobs->read(blob, 0, 1000).value())), blob);
        EXPECT_TRUE(services.catalog.find_fact(id, 1, Fact::bounds));
    }
};

TEST_F(FullDiskTest, ImportsGoOnWhenThereIsRoomAgain)
{
    std::filesystem::create_directories(folder() / "data");
    TinyDisk disk(folder() / "data", "size=4m");
    if (!disk.mounted()) GTEST_SKIP() << "a tmpfs can be mounted by root only";
    auto made = config();
    made.importer.full_disk = 5ms;
    made.importer.lease = 150ms; // runs out where not even the way back to the queue can be written
    auto services = std::make_unique<Services>(made, registry);
    services->start();
    std::size_t imported = 0;
    for (std::size_t left = 0; left <= 256 << 10; left += left < 64 << 10 ? 8 << 10 : 64 << 10, ++imported)
        import_on_a_full_disk(*services, left);
    EXPECT_GT(services->metrics.imports_retried.Value(), 0.0) << "no write was ever broken";
    EXPECT_EQ(services->metrics.imports_failed.Value(), 0.0);
    services.reset();
    services = std::make_unique<Services>(made, registry);
    EXPECT_EQ(services->catalog.list_assets({.status = AssetStatus::ready})->items.size(), imported);
}

TEST_F(FullDiskTest, AZipThatDoesNotFitIsToldAsSuch)
{
    const auto services = make();
    const Ingest::Unpack unpack = [](const auto&,
                                     const auto&) -> LoadResult<std::vector<worker::BundleFile>> {
        throw std::system_error(ENOSPC, std::generic_category(), "write bar.obj");
    };
    Ingest ingest(services->catalog, *services->blobs, services->events, unpack, folder() / "data/tmp", {},
                  [] {});
    try {
        (void)ingest.ingest({part(*services, "kit.zip")});
        FAIL() << "unpacked to a full disk";
    } catch (const StorageError& error) {
        EXPECT_EQ(error.kind, StorageError::Kind::full);
    }
}

TEST_F(ImportTest, ASecondServerIsKeptOut)
{
    const auto services = make();
    prometheus::Registry second;
    EXPECT_THROW(Services(config(), second), StorageError);
}

TEST(Wire, AssetsHaveTheMembersOfTheContract)
{
    AssetRecord asset;
    asset.id = "asset_1";
    asset.created = 1'700'000'000'123'000;
    auto json = to_json(asset);
    EXPECT_EQ(json.at("createdAt"), "2023-11-14T22:13:20.123Z");
    EXPECT_TRUE(json.at("format").is_null());
    EXPECT_FALSE(json.contains("counts"));
    EXPECT_EQ(json.at("links").at("thumbnail"), "/v1/assets/asset_1/thumbnail");
    asset.format = "md5";
    asset.summary = R"({"bounds":{"min":[0,0,0],"max":[1,1,1]},"warnings":2})";
    json = to_json(asset);
    EXPECT_EQ(json.at("warnings").to_number<int>(), 2);
    EXPECT_EQ(json.at("counts").at("joints").to_number<int>(), 0);
}

TEST(Wire, ClipsAreNamedByIdOrIndex)
{
    EXPECT_EQ(find_clip("c2", 3), 2u);
    EXPECT_EQ(find_clip("2", 3), 2u);
    for (const char* text : {"3", "c3", "", "c", "cc1", "1x", "-1", "99999999999"})
        EXPECT_FALSE(find_clip(text, 3)) << text;
}

} // namespace
} // namespace vitrine::server::testing
