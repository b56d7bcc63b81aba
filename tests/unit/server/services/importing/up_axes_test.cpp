// Up axes that people give: a version of its own, whose scene is turned.

#include <boost/json/parse.hpp>

#include "server/services/clip_editor.hpp"
#include "tests/unit/server/services/importing/fixture.hpp"

namespace vitrine::server::testing {
namespace {

class UpAxisTest : public ImportTest {
protected:
    UpAxisTest() : services_(config(), registry), id_(upload(services_, "bar.obj").asset.id)
    {
        services_.start();
        wait_for(services_, asset().job);
    }

    AssetRecord asset() { return services_.catalog.find_asset(id_).value(); }
    AssetRecord version(std::uint32_t number) { return services_.catalog.find_version(id_, number).value(); }
    Result<CreatedVersion> orient(const std::string& axis)
    {
        AssetChange change;
        change.up_axis = axis;
        return services_.catalog.orient_asset(id_, change);
    }
    void turn(const std::string& axis)
    {
        const auto oriented = orient(axis);
        ASSERT_TRUE(oriented) << oriented.error().detail;
        EXPECT_EQ(wait_for(services_, oriented->job.id).state, JobState::succeeded);
    }
    SharedScene scene(std::uint32_t number) { return services_.scenes.load(version(number)).value(); }
    boost::json::value bounds(std::uint32_t number)
    {
        return boost::json::parse(
            services_.catalog.find_document(id_, number, AssetDocument::bounds).value());
    }
    static double size_along(const boost::json::value& bounds, std::size_t axis)
    {
        const auto& box = bounds.at("static");
        return box.at("max").at(axis).to_number<double>() - box.at("min").at(axis).to_number<double>();
    }

    Services services_;
    std::string id_;
};

TEST_F(UpAxisTest, MakesAVersionThatIsTurned)
{
    const auto before = asset();
    turn("z");
    const auto after = asset();
    EXPECT_EQ(after.version, 2u);
    EXPECT_EQ(after.up_axis, "z");
    EXPECT_EQ(services_.catalog.versions(id_).front().up_axis, "z");
    EXPECT_EQ(services_.catalog.versions(id_).front().restored_from, 1u);
    EXPECT_TRUE(after.has_thumbnail);
    EXPECT_NE(ImageService::etag(after, RenderParams{}), ImageService::etag(before, RenderParams{}));
    EXPECT_NE(ImageService::etag(after, ThumbnailParams{}), ImageService::etag(before, ThumbnailParams{}));
    EXPECT_EQ(scene(2)->file_space.axes[2], glm::vec3(0.0f, 1.0f, 0.0f));
    EXPECT_NEAR(size_along(bounds(2), 1), size_along(bounds(1), 2), 1e-6);
    EXPECT_NEAR(size_along(bounds(2), 2), size_along(bounds(1), 1), 1e-6);
    EXPECT_EQ(version(1).content_hash, before.content_hash) << "permanent URLs stay as they are";
    EXPECT_EQ(scene(1)->file_space.axes[1], glm::vec3(0.0f, 1.0f, 0.0f));
}

TEST_F(UpAxisTest, IsKeptByNewContentAndReset)
{
    const auto source = asset().content_hash;
    turn("x");
    const auto created =
        services_.ingest.ingest_version(id_, {}, {part(services_, "other_bar.obj", "other")});
    EXPECT_EQ(wait_for(services_, created.value().job.id).state, JobState::succeeded);
    EXPECT_EQ(asset().up_axis, "x");
    EXPECT_EQ(scene(3)->file_space.axes[0], glm::vec3(0.0f, 1.0f, 0.0f));
    const auto restored = services_.catalog.restore_version(id_, 1).value();
    EXPECT_EQ(wait_for(services_, restored.job.id).state, JobState::succeeded);
    EXPECT_EQ(asset().up_axis, "") << "a restored version is as it was";
    EXPECT_EQ(asset().content_hash, source);
    turn("x");
    turn("");
    EXPECT_EQ(asset().content_hash, source);
    EXPECT_EQ(asset().version, 6u);
}

TEST_F(UpAxisTest, IsGivenOnce)
{
    EXPECT_TRUE(orient("")->existing);
    EXPECT_EQ(asset().version, 1u);
    JobRecord job;
    {
        const std::lock_guard loading(loader.gate);
        job = orient("z")->job;
        EXPECT_EQ(orient("x").error().code, "import_running");
        EXPECT_EQ(orient("").error().code, "import_running") << "z would become current";
    }
    wait_for(services_, job.id);
    EXPECT_TRUE(orient("z")->existing);
    EXPECT_EQ(asset().version, 2u);
}

TEST_F(UpAxisTest, UserClipsFollow)
{
    const std::vector<UserClip> clips{
        {.name = "part", .clip = 0, .first_frame = 0, .last_frame = 1, .frame_rate = 1.0}};
    ASSERT_TRUE(set_user_clips(services_, asset(), scene(1), clips, ""));
    turn("-y");
    ASSERT_EQ(scene(2)->clips.size(), 2u);
    EXPECT_EQ(scene(2)->clips[1].name, "part");
}

} // namespace
} // namespace vitrine::server::testing
