// Uploads and imports of new versions of an asset.

#include <boost/json/parse.hpp>

#include "server/services/clip_editor.hpp"
#include "tests/unit/server/services/importing/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class VersionTest : public ImportTest {
protected:
    VersionTest() : services_(config(), registry), created_(upload(services_, "bar.obj"))
    {
        services_.start();
        wait_for(services_, created_.job.id);
    }

    const std::string& id() const { return created_.asset.id; }
    AssetRecord asset() { return services_.catalog.find_asset(id()).value(); }
    AssetRecord version(std::uint32_t number) { return services_.catalog.find_version(id(), number).value(); }
    Result<CreatedVersion> post(const std::vector<std::string>& names,
                                std::vector<IgnoredFile>* ignored = nullptr)
    {
        std::vector<FileRecord> parts;
        for (const auto& name : names)
            parts.push_back(part(services_, name, "a version, " + name));
        return services_.ingest.ingest_version(id(), {}, std::move(parts), ignored);
    }
    JobState import(const std::string& name)
    {
        return wait_for(services_, post({name}).value().job.id).state;
    }
    void cut(const std::string& name, std::uint32_t last_frame = 1)
    {
        const auto scene = services_.scenes.load(asset()).value();
        auto clips = api::parse_user_clips(asset().user_clips);
        clips.push_back(
            {.name = name, .clip = 0, .first_frame = 0, .last_frame = last_frame, .frame_rate = 1.0});
        const auto changed = set_user_clips(services_, asset(), scene, clips, "");
        ASSERT_TRUE(changed) << changed.error().detail;
    }
    std::vector<std::string> clip_names(std::uint32_t number)
    {
        std::vector<std::string> names;
        for (const auto& clip : services_.scenes.load(version(number)).value()->clips)
            names.push_back(clip.name);
        return names;
    }
    std::string warnings(std::uint32_t number)
    {
        return services_.catalog.find_document(id(), number, AssetDocument::warnings).value();
    }

    Services services_;
    Created created_;
};

TEST_F(VersionTest, UserClipsAreTakenOver)
{
    cut("part");
    EXPECT_EQ(import("other_bar.obj"), JobState::succeeded);
    EXPECT_EQ(asset().version, 2u);
    EXPECT_THAT(clip_names(2), ElementsAre("bend", "part"));
    EXPECT_THAT(clip_names(1), ElementsAre("bend", "part"));
    const auto text = services_.catalog.find_document(id(), 2, AssetDocument::bounds);
    EXPECT_EQ(boost::json::parse(text.value()).at("clips").as_array().size(), 2u);
    cut("more");
    EXPECT_THAT(clip_names(2), ElementsAre("bend", "part", "more"));
    EXPECT_THAT(clip_names(1), ElementsAre("bend", "part"));
}

TEST_F(VersionTest, UserClipsThatDoNotFitComeBackWithTheirVersion)
{
    cut("part");
    EXPECT_EQ(import("cube.obj"), JobState::succeeded);
    EXPECT_THAT(clip_names(2), ElementsAre());
    EXPECT_THAT(warnings(2), HasSubstr("user_clip_lost"));
    const auto restored = services_.catalog.restore_version(id(), 1).value();
    EXPECT_EQ(wait_for(services_, restored.job.id).state, JobState::succeeded);
    EXPECT_EQ(asset().version, 3u);
    EXPECT_THAT(clip_names(3), ElementsAre("bend", "part"));
    EXPECT_EQ(version(3).content_hash, version(1).content_hash) << "all derived files are there already";
    EXPECT_EQ(asset().main_file, "bar.obj");
    EXPECT_TRUE(asset().has_thumbnail);
}

TEST_F(VersionTest, UserClipsAreNotChangedMeanwhile)
{
    const auto scene = services_.scenes.load(asset()).value();
    JobRecord job;
    {
        const std::lock_guard loading(loader.gate);
        job = post({"other_bar.obj"})->job;
        const auto rejected = set_user_clips(
            services_, asset(), scene,
            {{.name = "part", .clip = 0, .first_frame = 0, .last_frame = 1, .frame_rate = 1.0}}, "");
        ASSERT_FALSE(rejected);
        EXPECT_EQ(rejected.error().code, "import_running");
    }
    wait_for(services_, job.id);
    cut("part");
    EXPECT_THAT(clip_names(2), ElementsAre("bend", "part"));
}

TEST_F(VersionTest, ThatFailsLeavesTheScene)
{
    cut("part");
    EXPECT_EQ(import("bad.obj"), JobState::failed);
    EXPECT_EQ(asset().version, 1u);
    EXPECT_EQ(asset().status, AssetStatus::ready);
    EXPECT_THAT(clip_names(1), ElementsAre("bend", "part"));
    EXPECT_TRUE(services_.images.thumbnail(asset(), {.size = 64}));
    EXPECT_EQ(services_.scenes.load(version(2)).error().code, "import_failed");
}

TEST_F(VersionTest, OneModelOfSeveralIsTheVersion)
{
    std::vector<IgnoredFile> ignored;
    const auto chosen = post({"new/bar.obj", "new/hat.obj"}, &ignored);
    ASSERT_TRUE(chosen) << chosen.error().detail;
    EXPECT_EQ(chosen->version.main_file, "new/bar.obj");
    ASSERT_EQ(ignored.size(), 1u);
    EXPECT_EQ(ignored[0].name, "new/hat.obj");
    EXPECT_EQ(ignored[0].reason, "of_another_model");
    EXPECT_EQ(post({"hat.obj", "cap.obj"}).error().code, "several_models");
    EXPECT_EQ(post({"readme.txt"}).error().code, "no_model");
}

TEST_F(VersionTest, MembersOfAZipThatAreSkippedAreNamed)
{
    Ingest ingest(
        services_.catalog, *services_.blobs,
        loader_with(
            [&](const auto&, const std::filesystem::path& to) -> LoadResult<std::vector<worker::BundleFile>> {
                std::ofstream(to / "cap.obj") << "a cap";
                return {{{"cap.obj", to / "cap.obj"}, {"__MACOSX/._cap.obj", {}}, {"latest.obj", {}}}};
            }),
        folder() / "data/tmp", {});
    std::vector<IgnoredFile> ignored;
    ASSERT_TRUE(ingest.ingest({part(services_, "caps.zip")}, &ignored));
    ASSERT_EQ(ignored.size(), 2u);
    EXPECT_EQ(ignored[0].reason, "system_file");
    EXPECT_EQ(ignored[1].name, "latest.obj");
    EXPECT_EQ(ignored[1].reason, "link");
}

TEST_F(VersionTest, SystemFilesBesideAModelAreIgnored)
{
    std::vector<IgnoredFile> ignored;
    const auto made = services_.ingest.ingest(
        {part(services_, "a/cap.obj"), part(services_, "a/.DS_Store"), part(services_, "./.git/config")},
        &ignored);
    ASSERT_TRUE(made);
    ASSERT_EQ(made->size(), 1u);
    ASSERT_EQ(ignored.size(), 2u);
    EXPECT_EQ(ignored[0].name, "a/.DS_Store");
    EXPECT_EQ(ignored[0].reason, "system_file");
    EXPECT_EQ(ignored[1].reason, "system_file");
    EXPECT_EQ(services_.catalog.files(made->front().asset.id, 1).size(), 1u);
    EXPECT_FALSE(services_.ingest.ingest({part(services_, "Thumbs.db")}, &ignored));
}

} // namespace
} // namespace vitrine::server::testing
