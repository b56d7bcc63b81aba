// Cache keys of images.

#include "server/services/rendering/image_service.hpp"

#include <functional>
#include <map>
#include <set>

#include "api/user_clips.hpp"
#include "server/services/catalog/append_user_clips.hpp"
#include "tests/unit/server/services/support/fakes.hpp"

namespace vitrine::server::testing {
namespace {

AssetRecord of_source(const std::string& source)
{
    AssetRecord asset;
    asset.source_hash = asset.content_hash = source;
    return asset;
}

TEST(ImageParams, HaveOneCanonicalText)
{
    RenderParams a, b;
    EXPECT_EQ(a.canonical(), b.canonical());
    b.time = 3.0;
    EXPECT_EQ(a.canonical(), b.canonical()) << "the static pose has one time";
    b.quality = 10;
    EXPECT_EQ(a.canonical(), b.canonical()) << "PNG has no quality";
    b.view.ghosts.step = 0.5;
    EXPECT_EQ(a.canonical(), b.canonical()) << "no ghosts have no step";
    b.view.camera.yaw = 1.0f;
    EXPECT_NE(a.canonical(), b.canonical());
}

TEST(ImageParams, DistinguishMaterialVariants)
{
    const std::set<std::string> stills{RenderParams{}.canonical(), RenderParams{.variant = 0}.canonical(),
                                       RenderParams{.variant = 1}.canonical()};
    EXPECT_EQ(stills.size(), 3u);
    const std::set<std::string> sequences{SequenceParams{}.canonical(),
                                          SequenceParams{.variant = 0}.canonical(),
                                          SequenceParams{.variant = 1}.canonical()};
    EXPECT_EQ(sequences.size(), 3u);
}

using ParamsChange = std::function<void(RenderParams&)>;
const std::vector<std::pair<const char*, ParamsChange>> member_changes{
    {"clip", [](auto& p) { p.clip = 2; }},
    {"time", [](auto& p) { p.time = 0.5; }},
    {"format", [](auto& p) { p.format = render::ImageFormat::webp; }},
    {"quality", [](auto& p) { p.quality = 40; }},
    {"width", [](auto& p) { p.view.width = 64; }},
    {"height", [](auto& p) { p.view.height = 64; }},
    {"yaw", [](auto& p) { p.view.camera.yaw = 10.0f; }},
    {"pitch", [](auto& p) { p.view.camera.pitch = 10.0f; }},
    {"distance", [](auto& p) { p.view.camera.distance = 2.0f; }},
    {"target", [](auto& p) { p.view.camera.target = glm::vec3(1.0f, 0.0f, 0.0f); }},
    {"target.y", [](auto& p) { p.view.camera.target = glm::vec3(0.0f, 1.0f, 0.0f); }},
    {"target.z", [](auto& p) { p.view.camera.target = glm::vec3(0.0f, 0.0f, 1.0f); }},
    {"fov", [](auto& p) { p.view.camera.vertical_fov = 30.0f; }},
    {"orthographic", [](auto& p) { p.view.camera.orthographic = true; }},
    {"automatic", [](auto& p) { p.view.camera.automatic = true; }},
    {"light", [](auto& p) { p.view.light = render::LightingPreset::reference; }},
    {"wireframe", [](auto& p) { p.view.overlays.wireframe = true; }},
    {"skeleton", [](auto& p) { p.view.overlays.skeleton = true; }},
    {"names", [](auto& p) { p.view.overlays.names = true; }},
    {"normals", [](auto& p) { p.view.overlays.normals = true; }},
    {"tangents", [](auto& p) { p.view.overlays.tangents = true; }},
    {"bounds", [](auto& p) { p.view.overlays.bounds = true; }},
    {"surface", [](auto& p) { p.view.overlays.debug_view = render::DebugView::weights; }},
    {"joint", [](auto& p) { p.view.overlays.joint = "upper"; }},
    {"background", [](auto& p) { p.view.background = glm::vec4(0.0f); }},
    {"background.r", [](auto& p) { p.view.background = glm::vec4(1.0f, 0.0f, 0.0f, 0.0f); }},
    {"background.g", [](auto& p) { p.view.background = glm::vec4(0.0f, 1.0f, 0.0f, 0.0f); }},
    {"background.b", [](auto& p) { p.view.background = glm::vec4(0.0f, 0.0f, 1.0f, 0.0f); }},
    {"background.a", [](auto& p) { p.view.background = glm::vec4(0.0f, 0.0f, 0.0f, 1.0f); }},
    {"crowd", [](auto& p) { p.view.crowd = 2; }},
    {"ghosts.before", [](auto& p) { p.view.ghosts.before = 1; }},
    {"ghosts.after", [](auto& p) { p.view.ghosts.after = 1; }},
    {"ghosts.step", [](auto& p) { p.view.ghosts = {.before = 1, .step = 0.2}; }}};

// A member missing in the key would return the image of another view.
TEST(ImageParams, EachMemberIsPartOfTheKey)
{
    RenderParams base; // with a clip and a format for which time and quality matter
    base.clip = 1;
    base.format = render::ImageFormat::jpeg;
    std::map<std::string, std::string> views{{base.canonical(), "nothing"}};
    const auto asset = of_source("s");
    std::set<std::string> etags{ImageService::etag(asset, base)};
    for (const auto& [member, change] : member_changes) {
        auto changed = base;
        change(changed);
        const auto [same, is_new] = views.emplace(changed.canonical(), member);
        EXPECT_TRUE(is_new) << member << " has the key of " << same->second;
        EXPECT_TRUE(etags.insert(ImageService::etag(asset, changed)).second) << member;
    }
}

TEST(ImageParams, EachMemberOfAMotionIsPartOfItsKey)
{
    using Kind = SequenceParams::Kind;
    const std::vector<SequenceParams> all{{},
                                          {.kind = Kind::animation},
                                          {.kind = Kind::turntable},
                                          {.clip = 0},
                                          {.clip = 1},
                                          {.variant = 0},
                                          {.variant = 1},
                                          {.frames = 12},
                                          {.size = 12},
                                          {.format = render::ImageFormat::png},
                                          {.crowd = 2},
                                          {.ghosts = {.before = 1}},
                                          {.ghosts = {.before = 1, .step = 0.2}},
                                          {.cameras = {{.yaw = 1.0f}}},
                                          {.cameras = {{.yaw = 1.0f}, {.yaw = 1.0f}}},
                                          {.cameras = {{.automatic = true}}},
                                          {.overlays = {.skeleton = true}},
                                          {.quality = 50}};
    std::set<std::string> keys;
    for (const auto& params : all)
        EXPECT_TRUE(keys.insert(params.canonical()).second) << params.canonical();
}

TEST(ImageParams, EachMemberOfAThumbnailIsPartOfItsKey)
{
    const auto asset = of_source("s");
    std::set<std::string> etags;
    for (const ThumbnailParams& params : {ThumbnailParams{},
                                          {.size = 64},
                                          {.variant = 0},
                                          {.variant = 1},
                                          {.format = render::ImageFormat::png},
                                          {.format = render::ImageFormat::jpeg},
                                          {.variant = 0, .format = render::ImageFormat::png}})
        EXPECT_TRUE(etags.insert(ImageService::etag(asset, params)).second) << params.canonical();
    EXPECT_EQ(ThumbnailParams{.size = 200}.canonical(), ThumbnailParams{.size = 256}.canonical());
}

// Three keys of one image: its source, its kind and the renderer revision.
TEST(ImageParams, SourceAndRevisionArePartOfTheKey)
{
    const auto asset = of_source("one"), other = of_source("two");
    EXPECT_NE(ImageService::etag(asset, RenderParams{}), ImageService::etag(other, RenderParams{}));
    EXPECT_NE(ImageService::etag(asset, ThumbnailParams{}), ImageService::etag(other, ThumbnailParams{}));
    const DerivedKey key{"one", "render", "p", 1};
    for (const DerivedKey& changed :
         {DerivedKey{"two", "render", "p", 1}, DerivedKey{"one", "sequence", "p", 1},
          DerivedKey{"one", "render", "q", 1}, DerivedKey{"one", "render", "p", 2}})
        EXPECT_NE(changed.digest(), key.digest());
}

// A file with two clips, of which the user has cut one.
TEST(ImageParams, UserClipsChangeOnlyTheirOwnKeys)
{
    auto before = of_source("source");
    before.counts.clips = 2;
    auto after = before;
    const std::vector<api::UserClip> cut{{"part", 0, 5, 15, 20.0}};
    after.user_clips = api::user_clips_text(cut);
    after.content_hash = "changed";
    after.counts.clips = 3;
    for (const std::uint32_t clip : {scene::none, 0u, 1u, 2u}) {
        const bool is_of_file = clip != 2;
        EXPECT_EQ(is_user_clip(after, clip), !is_of_file);
        const RenderParams still{.clip = clip};
        const SequenceParams sequence{.clip = clip};
        EXPECT_EQ(ImageService::etag(after, still) == ImageService::etag(before, still), is_of_file);
        EXPECT_EQ(ImageService::etag(after, sequence) == ImageService::etag(before, sequence), is_of_file);
        EXPECT_EQ(ImageService::pick_etag(after, still, {}) == ImageService::pick_etag(before, still, {}),
                  is_of_file);
        EXPECT_EQ(image_key(after, still).digest() == image_key(before, still).digest(), is_of_file);
        EXPECT_EQ(image_key(after, sequence).digest() == image_key(before, sequence).digest(), is_of_file);
    }
    EXPECT_EQ(ImageService::etag(after, ThumbnailParams{}), ImageService::etag(before, ThumbnailParams{}));
}

TEST(ImageParams, ThumbnailsShowTheRepresentativePose)
{
    auto bar = test::skinned_bar();
    const auto params = thumbnail_still(bar, 256);
    EXPECT_EQ(params.clip, 0u);
    EXPECT_GT(params.time, 0.5) << "it bends until its end";
    EXPECT_TRUE(params.view.camera.automatic);
    EXPECT_NE(params.canonical(), RenderParams{}.canonical());
    EXPECT_EQ(thumbnail_still(test::textured_cube(), 256).clip, scene::none);
    bar.clips.insert(bar.clips.begin(), {"T-Pose", 0.0, 1.0, 30.0, 1, {}});
    EXPECT_EQ(thumbnail_still(bar, 256).clip, 1u) << "nothing moves in the first";
    bar.clips.push_back(bar.clips[1]);
    bar.clips[1].name = "BOTH_DEATH1";
    EXPECT_EQ(thumbnail_still(bar, 256).clip, 2u) << "it ends in the second";
    EXPECT_EQ(thumbnail_still(bar, 256, {.count = 2}).clip, 1u) << "the third is not a candidate";
}

TEST(ImageParams, ThumbnailsComeInSteps)
{
    EXPECT_EQ(thumbnail_size(1), 64u);
    EXPECT_EQ(thumbnail_size(256), 256u);
    EXPECT_EQ(thumbnail_size(257), 384u);
    EXPECT_EQ(thumbnail_size(99'999), 1024u);
}

} // namespace
} // namespace vitrine::server::testing
