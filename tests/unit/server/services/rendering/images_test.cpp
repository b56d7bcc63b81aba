#include "server/services/rendering/image_service.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <thread>

#include <gmock/gmock.h>

#include "tests/unit/server/services/support/fakes.hpp"

namespace vitrine::server::testing {
namespace {

class ImageServiceTest : public WholeServicesTest {
protected:
    AssetRecord imported(const std::string& name)
    {
        const auto created = upload(services, name);
        services.start();
        EXPECT_EQ(wait_for(services, created.job.id).state, JobState::succeeded);
        services.importer.stop(std::chrono::seconds(5));
        gpu.renders = gpu.frames = gpu.asked = 0;
        return services.catalog.find_asset(created.asset.id).value();
    }

    // Requests a frame as a live view does.
    void look_on()
    {
        auto looked =
            services.renders.submit(RenderPriority::interactive, [](RenderDevice&) { return true; });
        ASSERT_TRUE(looked);
        EXPECT_TRUE(looked->get());
    }

    Services services{config(), registry};
};

TEST_F(ImageServiceTest, RenderOnceForAHundredEqualRequests)
{
    const auto asset = imported("bar.obj");
    RenderParams params{.clip = 0, .time = 0.5};
    std::vector<std::jthread> threads;
    std::atomic<int> good = 0;
    for (int i = 0; i < 100; ++i)
        threads.emplace_back([&] {
            const auto image = services.images.render(asset, params);
            if (image && !image->bytes->empty()) ++good;
        });
    threads.clear();
    EXPECT_EQ(good, 100);
    EXPECT_EQ(gpu.renders, 1);
    (void)services.images.render(asset, params);
    EXPECT_EQ(gpu.renders, 1) << "and from the cache later";
}

TEST_F(ImageServiceTest, HaveAnEtagBeforeRendering)
{
    const auto asset = imported("bar.obj");
    RenderParams params{.clip = 0, .time = 0.5};
    const auto etag = ImageService::etag(asset, params);
    EXPECT_EQ(services.images.render(asset, params)->etag, etag);
    params.time = 0.25;
    EXPECT_NE(ImageService::etag(asset, params), etag);
    EXPECT_EQ(services.images.thumbnail(asset, 200)->etag, ImageService::thumbnail_etag(asset, 256));
}

TEST_F(ImageServiceTest, RejectInvalidParameters)
{
    const auto asset = imported("bar.obj");
    const auto refused = [&](auto change) {
        RenderParams params;
        change(params);
        const auto image = services.images.render(asset, params);
        EXPECT_EQ(image.error().kind, Errc::invalid);
        return image.error().where;
    };
    EXPECT_EQ(refused([](auto& p) { p.clip = 9; }), "clip");
    EXPECT_EQ(refused([](auto& p) { p.view.width = 0; }), "w");
    EXPECT_EQ(refused([](auto& p) { p.view.height = 100'000; }), "h");
    EXPECT_EQ(refused([](auto& p) { p.time = NAN; }), "t");
    EXPECT_EQ(refused([](auto& p) { p.quality = 0; }), "quality");
    EXPECT_EQ(services.images.sequence(asset, {.frames = 0}).error().where, "frames");
    EXPECT_EQ(services.images.sequence(asset, {.frames = 100, .size = 4096}).error().where, "size");
}

TEST_F(ImageServiceTest, ReportAFailingDevice)
{
    const auto asset = imported("bar.obj");
    gpu.fail = 1;
    EXPECT_EQ(services.images.render(asset, {}).error().kind, Errc::unavailable);
    EXPECT_TRUE(services.images.render(asset, {})) << "a failure is not kept";
}

TEST_F(ImageServiceTest, ReportAModelTooLargeForTheDevice)
{
    const auto asset = imported("bar.obj");
    gpu.too_large = true;
    const auto refused = services.images.render(asset, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, Errc::unprocessable);
    EXPECT_EQ(refused.error().code, "too_large_for_device");
    EXPECT_EQ(refused.error().detail, "it takes 9 MiB, there are 8");
}

TEST_F(ImageServiceTest, QuarantineTheModelThatLosesTwoDevices)
{
    const auto bad = imported("bar.obj");
    gpu.lose = 2;
    for (int i = 0; i < 2; ++i) {
        const auto refused = services.images.render(bad, {});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().kind, Errc::unprocessable);
        EXPECT_EQ(refused.error().code, "render_quarantined");
    }
    EXPECT_EQ(services.metrics.device(0).lost.Value(), 2.0);
    auto next = bad;
    next.source = "of the next version";
    EXPECT_TRUE(services.images.render(next, {}));
}

TEST_F(ImageServiceTest, PickTheSurfaceAtAPixel)
{
    const auto asset = imported("bar.obj");
    const RenderParams params{.clip = 0, .view = {.width = 64, .height = 32}};
    EXPECT_EQ(services.images.pick(asset, params, {5, 7}).value()->triangle, 5u);
    EXPECT_EQ(services.images.pick(asset, params, {0, 0}).value(), std::nullopt);
    EXPECT_EQ(services.images.pick(asset, params, {64, 0}).error().where, "x");
    EXPECT_EQ(services.images.pick(asset, params, {0, 32}).error().where, "y");
    EXPECT_EQ(services.images.pick(asset, {.clip = 9}, {0, 0}).error().where, "clip");
    gpu.fail = 1;
    EXPECT_EQ(services.images.pick(asset, params, {5, 7}).error().kind, Errc::unavailable);
    EXPECT_EQ(gpu.renders, 0);
}

TEST_F(ImageServiceTest, ReportAnEmptyModel)
{
    const auto asset = imported("void.obj");
    for (const auto& image : {services.images.render(asset, {}), services.images.thumbnail(asset, 256),
                              services.images.sequence(asset, {})}) {
        ASSERT_FALSE(image);
        EXPECT_EQ(image.error().kind, Errc::unprocessable);
        EXPECT_EQ(image.error().code, "nothing_to_show");
    }
}

// One Scene with bones for all images, so that it is uploaded once; documents describe the file.
TEST_F(ImageServiceTest, ShowTheBonesOfARigWithoutAMesh)
{
    const auto asset = imported("rig.obj");
    EXPECT_TRUE(asset.has_thumbnail);
    EXPECT_TRUE(services.images.thumbnail(asset, 256));
    EXPECT_TRUE(services.images.sequence(asset, {}));
    EXPECT_TRUE(services.images.pick(asset, {.view = {.width = 64, .height = 32}}, {5, 7}));
    const auto shown = services.scenes.find_shown(asset).value();
    EXPECT_EQ(shown->meshes.size(), 2u);
    EXPECT_EQ(services.scenes.find_shown(asset).value(), shown);
    const auto data = services.scenes.find(asset).value();
    EXPECT_TRUE(data->meshes.empty());
}

TEST_F(ImageServiceTest, ShowAModelUnchanged)
{
    const auto asset = imported("cube.obj");
    EXPECT_EQ(services.scenes.find_shown(asset).value(), services.scenes.find(asset).value());
}

TEST_F(ImageServiceTest, HaveNoThumbnailWithoutVisibleGeometry)
{
    const auto asset = imported("flat.obj");
    EXPECT_FALSE(asset.has_thumbnail);
    EXPECT_EQ(services.images.thumbnail(asset, 256).error().code, "nothing_to_show");
    EXPECT_EQ(services.images.sequence(asset, {}).error().code, "nothing_to_show");
    EXPECT_TRUE(services.images.render(asset, {})) << "with overlays there may be something";
}

// Does not wait: no device can render it.
TEST_F(ImageServiceTest, ReportAModelThatCannotBeRendered)
{
    const auto asset = imported("bar.obj");
    gpu.undrawable = true;
    for (const auto& image : {services.images.render(asset, {}), services.images.thumbnail(asset, 64),
                              services.images.sequence(asset, {.frames = 3, .size = 32})}) {
        ASSERT_FALSE(image);
        EXPECT_EQ(image.error().kind, Errc::unprocessable);
        EXPECT_EQ(image.error().code, "not_drawable");
        EXPECT_EQ(image.error().detail, "beyond all numbers");
    }
}

TEST_F(ImageServiceTest, WaitForTheImport)
{
    const auto created = upload(services, "bar.obj");
    EXPECT_EQ(services.images.thumbnail(created.asset, 256).error().kind, Errc::not_ready);
    EXPECT_EQ(services.images.render(created.asset, {}).error().kind, Errc::conflict);
}

TEST_F(ImageServiceTest, SpritesAreGrids)
{
    const auto asset = imported("bar.obj");
    const SequenceParams params{.frames = 10, .size = 32};
    const auto layout = services.images.sprite_layout(asset, params).value();
    EXPECT_EQ(layout.columns, 4u);
    EXPECT_EQ(layout.rows, 3u);
    EXPECT_EQ(layout.duration, 1.0);
    gpu.frame_ms = 4;
    const auto sheet = services.images.sequence(asset, params).value();
    EXPECT_EQ(sheet.content_type, "image/webp");
    EXPECT_EQ(gpu.frames, 10);
    EXPECT_EQ(gpu.renders, 1) << "one submission: no other request waits";
    EXPECT_EQ(
        services.images.sequence(asset, {.kind = SequenceParams::Kind::turntable, .frames = 5, .size = 32})
            ->content_type,
        "image/webp");
    EXPECT_EQ(gpu.frames, 15);
}

TEST_F(ImageServiceTest, SequenceIsBatchedDuringALiveView)
{
    const auto asset = imported("bar.obj");
    gpu.frame_ms = 4;
    look_on();
    EXPECT_TRUE(services.images.sequence(asset, {.frames = 10, .size = 32}));
    EXPECT_EQ(gpu.frames, 10);
    EXPECT_GT(gpu.renders, 1);
}

TEST_F(ImageServiceTest, LongSequenceIsBatched)
{
    const auto asset = imported("bar.obj");
    gpu.frame_ms = 100;
    EXPECT_TRUE(services.images.sequence(asset, {.frames = 10, .size = 32}));
    EXPECT_EQ(gpu.frames, 10);
    EXPECT_GT(gpu.renders, 1);
}

TEST_F(ImageServiceTest, SequenceOfUnknownCostStartsWithOneFrame)
{
    const auto asset = imported("bar.obj");
    EXPECT_TRUE(services.images.sequence(asset, {.frames = 5, .size = 32}));
    EXPECT_EQ(gpu.renders, 2) << "one, and four times as many";
}

TEST_F(ImageServiceTest, SequenceThatLosesADeviceIsRenderedFrameByFrame)
{
    const auto asset = imported("bar.obj");
    gpu.frame_ms = 4;
    gpu.most = 5;
    EXPECT_TRUE(services.images.sequence(asset, {.frames = 10, .size = 32}));
    EXPECT_EQ(gpu.devices, 2) << "one was lost";
    EXPECT_EQ(gpu.frames, 10);
    EXPECT_FALSE(services.renders.quarantined(asset.source));
}

TEST_F(ImageServiceTest, OnlyOtherModelsReduceTheBatch)
{
    const auto draw = [&](RenderRequest order) {
        services.renders.submit(std::move(order), [](RenderDevice&) { return true; }).value().wait();
    };
    draw({RenderPriority::image, "a"});
    draw({RenderPriority::batch, "c"});
    EXPECT_FALSE(services.renders.has_interactive_demand({RenderPriority::batch, "a"}))
        << "its own thumbnail";
    EXPECT_TRUE(services.renders.has_interactive_demand({RenderPriority::batch, "b"}));
    EXPECT_TRUE(services.renders.has_interactive_demand({RenderPriority::image, "b"}));
    draw({RenderPriority::image, "b"});
    EXPECT_TRUE(services.renders.has_interactive_demand({RenderPriority::batch, "a"}));
    EXPECT_TRUE(services.renders.has_interactive_demand({RenderPriority::batch, "b"})) << "a, before";
    draw({RenderPriority::interactive, "c"});
    EXPECT_TRUE(services.renders.has_interactive_demand({RenderPriority::image, "c"}))
        << "a live view of the same";
}

TEST_F(ImageServiceTest, NextBatchIsQueuedBeforeTheDeviceIsIdle)
{
    const auto asset = imported("bar.obj");
    look_on();
    gpu.asked = 0;
    std::unique_lock held(gpu.gate);
    std::jthread client([&] { EXPECT_TRUE(services.images.sequence(asset, {.frames = 10, .size = 32})); });
    const auto waiting = [&] { return services.renders.health().devices[0].waiting; };
    EXPECT_TRUE(test::eventually([&] { return gpu.asked != 0 && waiting() != 0; }));
    EXPECT_EQ(waiting(), 1u) << "while the first is drawn";
    held.unlock();
    client.join();
    EXPECT_EQ(gpu.frames, 10);
}

TEST_F(ImageServiceTest, StaticModelIsOrbited)
{
    const auto asset = imported("cube.obj");
    EXPECT_EQ(services.images.sprite_layout(asset, {.frames = 4, .size = 32})->duration, 0.0);
    EXPECT_TRUE(services.images.sequence(asset, {.frames = 4, .size = 32}));
    EXPECT_EQ(gpu.frames, 4);
}

AssetRecord of_source(const std::string& source)
{
    AssetRecord asset;
    asset.source = source;
    return asset;
}

TEST(ImageParams, HaveOneCanonicalText)
{
    RenderParams a, b;
    EXPECT_EQ(a.canonical(), b.canonical());
    b.time = 3.0;
    EXPECT_EQ(a.canonical(), b.canonical()) << "the static pose has one moment";
    b.quality = 10;
    EXPECT_EQ(a.canonical(), b.canonical()) << "PNG has no quality";
    b.view.camera.yaw = 1.0f;
    EXPECT_NE(a.canonical(), b.canonical());
}

TEST(ImageParams, DistinguishMaterialVariants)
{
    const std::set<std::string> stills{RenderParams{}.canonical(), RenderParams{.variant = 0}.canonical(),
                                       RenderParams{.variant = 1}.canonical()};
    EXPECT_EQ(stills.size(), 3u);
    const std::set<std::string> motions{SequenceParams{}.canonical(),
                                        SequenceParams{.variant = 0}.canonical(),
                                        SequenceParams{.variant = 1}.canonical()};
    EXPECT_EQ(motions.size(), 3u);
}

// A member missing in the key would return the image of another view.
TEST(ImageParams, EachMemberIsPartOfTheKey)
{
    using Change = std::function<void(RenderParams&)>;
    const std::vector<std::pair<const char*, Change>> changes{
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
        {"surface", [](auto& p) { p.view.overlays.surface = render::DebugView::weights; }},
        {"joint", [](auto& p) { p.view.overlays.joint = "upper"; }},
        {"background", [](auto& p) { p.view.background = glm::vec4(0.0f); }},
        {"background.r", [](auto& p) { p.view.background = glm::vec4(1.0f, 0.0f, 0.0f, 0.0f); }},
        {"background.g", [](auto& p) { p.view.background = glm::vec4(0.0f, 1.0f, 0.0f, 0.0f); }},
        {"background.b", [](auto& p) { p.view.background = glm::vec4(0.0f, 0.0f, 1.0f, 0.0f); }},
        {"background.a", [](auto& p) { p.view.background = glm::vec4(0.0f, 0.0f, 0.0f, 1.0f); }}};
    RenderParams base; // with a clip and a format for which time and quality matter
    base.clip = 1;
    base.format = render::ImageFormat::jpeg;
    std::map<std::string, std::string> views{{base.canonical(), "nothing"}};
    const auto asset = of_source("s");
    std::set<std::string> etags{ImageService::etag(asset, base)};
    for (const auto& [member, change] : changes) {
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
                                          {.frames = 12},
                                          {.size = 12},
                                          {.format = render::ImageFormat::png}};
    std::set<std::string> keys;
    for (const auto& params : all)
        EXPECT_TRUE(keys.insert(params.canonical()).second) << params.canonical();
}

// Three keys of one image: its source, its kind and the renderer revision.
TEST(ImageParams, SourceAndRevisionArePartOfTheKey)
{
    const auto asset = of_source("one"), other = of_source("two");
    EXPECT_NE(ImageService::etag(asset, RenderParams{}), ImageService::etag(other, RenderParams{}));
    EXPECT_NE(ImageService::thumbnail_etag(asset, 64), ImageService::thumbnail_etag(asset, 128));
    const DerivedKey key{"one", "render", "p", 1};
    for (const DerivedKey& changed :
         {DerivedKey{"two", "render", "p", 1}, DerivedKey{"one", "motion", "p", 1},
          DerivedKey{"one", "render", "q", 1}, DerivedKey{"one", "render", "p", 2}})
        EXPECT_NE(changed.digest(), key.digest());
}

TEST(ImageParams, ThumbnailsShowTheRepresentativePose)
{
    auto bar = test::skinned_bar();
    const auto params = thumbnail_params(bar, 256);
    EXPECT_EQ(params.clip, 0u);
    EXPECT_GT(params.time, 0.5) << "it bends until its end";
    EXPECT_TRUE(params.view.camera.automatic);
    EXPECT_NE(params.canonical(), RenderParams{}.canonical());
    EXPECT_EQ(thumbnail_params(test::textured_cube(), 256).clip, scene::none);
    bar.clips.insert(bar.clips.begin(), {"T-Pose", 0.0, 1.0, 30.0, 1, {}});
    EXPECT_EQ(thumbnail_params(bar, 256).clip, 1u) << "nothing moves in the first";
    bar.clips.push_back(bar.clips[1]);
    bar.clips[1].name = "BOTH_DEATH1";
    EXPECT_EQ(thumbnail_params(bar, 256).clip, 2u) << "it ends in the second";
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
