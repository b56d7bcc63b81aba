// Covers of assets: their text, what thumbnails show, and new versions.

#include "server/services/catalog/cover.hpp"
#include "server/services/clip_editor.hpp"
#include "server/services/rendering/cover_still.hpp"
#include "tests/unit/server/services/importing/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Cover full_cover()
{
    return {.view = "30,15,2.5",
            .target = glm::dvec3(1.0, 0.5, -2.0),
            .fov = 30.0,
            .ortho = true,
            .clip = "bend",
            .time = 0.5,
            .background = "#ff0000",
            .variant = "red"};
}

TEST(CoverText, IsReadBack)
{
    EXPECT_EQ(cover_text({}), "");
    const auto text = cover_text(full_cover());
    EXPECT_EQ(cover_text(parse_cover(text)), text);
    EXPECT_EQ(parse_cover(text).target, full_cover().target);
    for (const auto* invalid : {"", "[]", "{", R"({"view": 3})", R"({"ortho": 1})"})
        EXPECT_EQ(cover_text(parse_cover(invalid)), "") << invalid;
}

class CoverTest : public ImportTest {
protected:
    CoverTest() : services_(config(), registry), id_(upload(services_, "bar.obj").asset.id)
    {
        services_.start();
        wait_for(services_, asset().job);
    }

    AssetRecord asset() { return services_.catalog.find_asset(id_).value(); }
    AssetRecord set(const Cover& cover)
    {
        AssetChange change;
        change.cover = cover_text(cover);
        return services_.catalog.change_asset(id_, change).value();
    }
    void import(const std::string& name)
    {
        const auto created =
            services_.ingest.ingest_version(id_, {}, {part(services_, name, "content of " + name)});
        EXPECT_EQ(wait_for(services_, created.value().job.id).state, JobState::succeeded);
    }
    std::string warnings(std::uint32_t number)
    {
        return services_.catalog.find_document(id_, number, AssetDocument::warnings).value();
    }
    std::vector<std::byte> thumbnail()
    {
        return *services_.images.thumbnail(asset(), {.size = 64}).value().bytes;
    }

    Services services_;
    std::string id_;
};

TEST_F(CoverTest, IsWhatTheThumbnailShows)
{
    const auto scene = services_.scenes.load(asset()).value();
    const auto without = cover_still(*scene, asset(), 64);
    EXPECT_TRUE(without.view.camera.automatic);
    auto cover = full_cover();
    cover.variant.clear();
    const auto still = cover_still(*scene, set(cover), 64);
    EXPECT_EQ(still.clip, 0u);
    EXPECT_EQ(still.time, 0.5);
    EXPECT_FALSE(still.view.camera.automatic);
    EXPECT_EQ(still.view.camera.yaw, 30.0f);
    EXPECT_EQ(still.view.camera.distance, 2.5f);
    EXPECT_EQ(still.view.camera.target, glm::vec3(1.0f, 0.5f, -2.0f));
    EXPECT_EQ(still.view.camera.vertical_fov, 30.0f);
    EXPECT_TRUE(still.view.camera.orthographic);
    EXPECT_EQ(still.view.background, glm::vec4(1.0f, 0.0f, 0.0f, 1.0f));
    EXPECT_EQ(still.view.width, 64u);
    const auto view_only = cover_still(*scene, set({.view = "front"}), 64);
    EXPECT_EQ(view_only.time, without.time) << "the representative pose, seen from the front";
    EXPECT_EQ(cover_still(*scene, set({.clip = "none"}), 64).clip, scene::none);
    EXPECT_EQ(cover_still(*scene, set({.view = "front", .variant = "red"}), 64).canonical(),
              without.canonical())
        << "the scene has no such variant";
}

TEST_F(CoverTest, ReplacesTheThumbnailAtOnce)
{
    const auto first = thumbnail();
    const auto tag = ImageService::etag(asset(), ThumbnailParams{.size = 64});
    const auto changed = set({.clip = "bend", .time = 0.9});
    EXPECT_NE(ImageService::etag(changed, ThumbnailParams{.size = 64}), tag);
    const auto late = thumbnail();
    set({.clip = "bend", .time = 0.1});
    EXPECT_NE(thumbnail(), late);
    EXPECT_EQ(set({.clip = "bend", .time = 0.9}).cover_key, changed.cover_key);
    EXPECT_EQ(thumbnail(), late);
    const auto revision = asset().revision;
    EXPECT_EQ(set({.clip = "bend", .time = 0.9}).revision, revision) << "nothing has changed";
    EXPECT_EQ(
        services_.images.thumbnail(changed, {.size = 64, .format = render::ImageFormat::png})->content_type,
        "image/png");
    set({});
    EXPECT_EQ(thumbnail(), first);
    EXPECT_EQ(ImageService::etag(asset(), ThumbnailParams{.size = 64}), tag);
}

TEST_F(CoverTest, BelongsToTheAssetAndIsCheckedAgainstEachVersion)
{
    set({.clip = "bend", .time = 0.9});
    import("other_bar.obj");
    EXPECT_EQ(cover_text(parse_cover(asset().cover)), asset().cover);
    EXPECT_THAT(warnings(2), Not(HasSubstr(cover_warning_code)));
    import("cube.obj");
    ASSERT_EQ(asset().version, 3u);
    EXPECT_THAT(warnings(3), HasSubstr(cover_warning_code));
    EXPECT_THAT(asset().summary, HasSubstr(R"("warnings":1)"));
    const auto scene = services_.scenes.load(asset()).value();
    EXPECT_TRUE(cover_still(*scene, asset(), 64).view.camera.automatic);
    const ListQuery with_code{.facts = {.warning_codes = {std::string(cover_warning_code)}}};
    const ListQuery without{.facts = {.warnings_max = 0}};
    const auto count = [&](const ListQuery& query) {
        return services_.catalog.list_assets(query).value().items.size();
    };
    EXPECT_EQ(count(with_code), 1u);
    EXPECT_EQ(count(without), 0u);
    set({});
    EXPECT_THAT(warnings(3), Not(HasSubstr(cover_warning_code)));
    EXPECT_THAT(asset().summary, HasSubstr(R"("warnings":0)"));
    EXPECT_EQ(count(with_code), 0u);
    EXPECT_EQ(count(without), 1u);
}

TEST_F(CoverTest, OfAUserClipFollowsIt)
{
    const auto scene = services_.scenes.load(asset()).value();
    const std::vector<UserClip> clips{
        {.name = "part", .clip = 0, .first_frame = 0, .last_frame = 1, .frame_rate = 1.0}};
    ASSERT_TRUE(set_user_clips(services_, asset(), scene, clips, ""));
    const auto with_clip = set({.clip = "part"});
    EXPECT_EQ(cover_still(*services_.scenes.load(asset()).value(), with_clip, 64).clip, 1u);
    const auto removed = set_user_clips(services_, with_clip, services_.scenes.load(asset()).value(), {}, "");
    ASSERT_TRUE(removed);
    EXPECT_THAT(warnings(1), HasSubstr(cover_warning_code));
    EXPECT_NE(removed->cover_key, with_clip.cover_key);
    EXPECT_NE(ImageService::etag(*removed, ThumbnailParams{}),
              ImageService::etag(with_clip, ThumbnailParams{}));
}

TEST_F(CoverTest, NamesClipsAsOtherVersionsMay)
{
    Cover cover{.clip = "c0"};
    ASSERT_TRUE(resolve_cover(cover, asset(), services_.catalog));
    EXPECT_EQ(cover.clip, "bend");
    cover.clip = "none";
    EXPECT_TRUE(resolve_cover(cover, asset(), services_.catalog));
    EXPECT_EQ(cover.clip, "none");
    cover.clip = "jump";
    EXPECT_EQ(resolve_cover(cover, asset(), services_.catalog).error().where, "clip");
    cover = {.variant = "red"};
    EXPECT_EQ(resolve_cover(cover, asset(), services_.catalog).error().where, "variant");
}

} // namespace
} // namespace vitrine::server::testing
