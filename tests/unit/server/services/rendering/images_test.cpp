#include "server/services/rendering/image_service.hpp"

#include <chrono>
#include <thread>

#include "server/services/rendering/remembered_errors.hpp"
#include "server/services/storage/scene_changes.hpp"
#include "tests/unit/server/services/rendering/image_fixture.hpp"
#include "tests/unit/server/services/support/fakes.hpp"

using namespace std::chrono_literals;

namespace vitrine::server::testing {
namespace {

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
    EXPECT_EQ(services.images.thumbnail(asset, {.size = 200})->etag,
              ImageService::etag(asset, ThumbnailParams{.size = 256}));
}

TEST_F(ImageServiceTest, RejectInvalidParameters)
{
    const auto asset = imported("bar.obj");
    const auto rejected = [&](auto change) {
        RenderParams params;
        change(params);
        const auto image = services.images.render(asset, params);
        EXPECT_EQ(image.error().kind, Errc::invalid);
        return image.error().where;
    };
    EXPECT_EQ(rejected([](auto& p) { p.clip = 9; }), "clip");
    EXPECT_EQ(rejected([](auto& p) { p.view.width = 0; }), "w");
    EXPECT_EQ(rejected([](auto& p) { p.view.height = 100'000; }), "h");
    EXPECT_EQ(rejected([](auto& p) { p.time = NAN; }), "t");
    EXPECT_EQ(rejected([](auto& p) { p.quality = 0; }), "quality");
    EXPECT_EQ(rejected([](auto& p) { p.view.crowd = 10'001; }), "crowd");
    EXPECT_EQ(rejected([](auto& p) {
                  p.view.crowd = 6'000;
                  p.view.ghosts.after = 1;
              }),
              "crowd");
    EXPECT_EQ(services.images.sequence(asset, {.crowd = 10'001}).error().where, "crowd");
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
    const auto rejected = services.images.render(asset, {});
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().kind, Errc::unprocessable);
    EXPECT_EQ(rejected.error().code, "too_large_for_device");
    EXPECT_EQ(rejected.error().detail, "it takes 9 MiB, there are 8");
    const int asked = gpu.asked;
    EXPECT_EQ(services.images.render(asset, {}).error().detail, rejected.error().detail);
    EXPECT_EQ(gpu.asked, asked) << "the same image is not tried again";
    gpu.too_large = false;
    EXPECT_TRUE(services.images.render(asset, {.view = {.width = 16, .height = 16}}))
        << "a smaller image is tried";
}

TEST_F(ImageServiceTest, RememberAModelTooLargeForTheDeviceInOtherImages)
{
    const auto asset = imported("bar.obj");
    gpu.too_large = true;
    EXPECT_FALSE(services.images.render(asset, {.view = {.width = 300, .height = 200}}));
    const int asked = gpu.asked;
    RenderParams wires{.view = {.width = 600, .height = 400}};
    wires.view.overlays.wireframe = true;
    for (const auto& image :
         {services.images.render(asset, {.view = {.width = 200, .height = 300}}),
          services.images.render(asset, wires), services.images.thumbnail(asset, {.size = 512}),
          services.images.sequence(asset, {.frames = 3, .size = 256})}) {
        ASSERT_FALSE(image);
        EXPECT_EQ(image.error().code, "too_large_for_device");
    }
    EXPECT_EQ(gpu.asked, asked) << "no image of this size or a larger one is tried";
    EXPECT_FALSE(services.images.render(asset, {.view = {.width = 299, .height = 200}}));
    EXPECT_GT(gpu.asked, asked) << "a smaller one is";
    auto next = asset;
    next.content_hash = "of the next version";
    gpu.too_large = false;
    EXPECT_TRUE(services.images.render(next, {.view = {.width = 300, .height = 200}}));
}

TEST_F(ImageServiceTest, TryAModelWithoutTheOverlaysThatAreTooLarge)
{
    const auto asset = imported("bar.obj");
    RenderParams tangents;
    tangents.view.overlays.tangents = true;
    gpu.too_large = true;
    EXPECT_FALSE(services.images.render(asset, tangents));
    gpu.too_large = false;
    const int asked = gpu.asked;
    EXPECT_FALSE(services.images.render(asset, tangents));
    EXPECT_EQ(gpu.asked, asked);
    EXPECT_TRUE(services.images.render(asset, {}));
}

TEST(RememberedErrors, ForgetTheOldestAndTheExpired)
{
    RememberedErrors errors(2, 60s);
    const RememberedErrors::Clock::time_point start{};
    const auto error = [](const char* detail) {
        return ServiceError{Errc::unprocessable, "code", "", detail};
    };
    errors.add("a", error("one"), 100, start);
    errors.add("b", error("two"), 100, start + 10s);
    EXPECT_EQ(errors.find("a", 100, start + 59s)->detail, "one");
    EXPECT_TRUE(errors.find("a", 101, start)) << "a larger image";
    EXPECT_FALSE(errors.find("a", 99, start)) << "a smaller image";
    EXPECT_FALSE(errors.find("a", 100, start + 60s));
    EXPECT_FALSE(errors.find("c", 100, start));
    errors.add("b", error("again"), 100, start + 20s);
    errors.add("c", error("three"), 100, start + 20s);
    EXPECT_FALSE(errors.find("a", 100, start + 20s)) << "the oldest";
    EXPECT_EQ(errors.find("b", 100, start + 79s)->detail, "again");
    EXPECT_EQ(errors.find("c", 100, start + 79s)->detail, "three");
}

TEST_F(ImageServiceTest, QuarantineTheModelThatLosesTwoDevices)
{
    const auto bad = imported("bar.obj");
    gpu.lose = 2;
    for (int i = 0; i < 2; ++i) {
        const auto rejected = services.images.render(bad, {});
        ASSERT_FALSE(rejected);
        EXPECT_EQ(rejected.error().kind, Errc::unprocessable);
        EXPECT_EQ(rejected.error().code, "render_quarantined");
    }
    EXPECT_EQ(services.metrics.device(0).losses.Value(), 2.0);
    auto next = bad;
    next.content_hash = "of the next version";
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
    for (const auto& image :
         {services.images.render(asset, {}), services.images.thumbnail(asset, {.size = 256}),
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
    EXPECT_TRUE(services.images.thumbnail(asset, {.size = 256}));
    EXPECT_TRUE(services.images.sequence(asset, {}));
    EXPECT_TRUE(services.images.pick(asset, {.view = {.width = 64, .height = 32}}, {5, 7}));
    const auto shown = services.scenes.load_shown(asset).value();
    EXPECT_EQ(shown->meshes.size(), 2u);
    EXPECT_EQ(services.scenes.load_shown(asset).value(), shown);
    const auto data = services.scenes.load(asset).value();
    EXPECT_TRUE(data->meshes.empty());
}

// The bone from the hips to the head belongs to the hips, a small one to the head.
TEST_F(ImageServiceTest, ShowTheBonesThatALookLeaves)
{
    const auto rig = imported("rig.obj");
    const auto meshes_shown = [&](const scene::Look& look) {
        // The look may be that of a base of the asset.
        const auto changed = with_changes(
            {.base = with_changes({.base = rig, .look = look}), .skinning = scene::SkinningMethod::linear});
        EXPECT_TRUE(services.scenes.load(changed)) << "for poses and exports";
        const auto shown = services.scenes.load_shown(changed);
        EXPECT_EQ(services.images.render(changed, {}).has_value(), shown.has_value());
        if (!shown) return shown.error().code;
        std::string names;
        for (const auto& node : (*shown)->nodes)
            if (node.mesh != scene::none && node.visible) names += node.name + " ";
        return names;
    };
    EXPECT_EQ(meshes_shown({.clay = true}), "hips head ");
    EXPECT_EQ(meshes_shown({.hidden = {1}}), "hips ");
    EXPECT_EQ(meshes_shown({.only = {1}}), "head ");
    EXPECT_EQ(meshes_shown({.hidden = {0}}), "nothing_to_show");
    EXPECT_EQ(meshes_shown({.hidden = {1}, .only = {1}}), "nothing_to_show");
}

TEST_F(ImageServiceTest, ShowAModelUnchanged)
{
    const auto asset = imported("cube.obj");
    EXPECT_EQ(services.scenes.load_shown(asset).value(), services.scenes.load(asset).value());
}

TEST_F(ImageServiceTest, HaveNoThumbnailWithoutVisibleGeometry)
{
    const auto asset = imported("flat.obj");
    EXPECT_FALSE(asset.has_thumbnail);
    EXPECT_EQ(services.images.thumbnail(asset, {.size = 256}).error().code, "nothing_to_show");
    EXPECT_EQ(services.images.sequence(asset, {}).error().code, "nothing_to_show");
    EXPECT_TRUE(services.images.render(asset, {})) << "with overlays there may be something";
}

// Does not wait: no device can render it.
TEST_F(ImageServiceTest, ReportAModelThatCannotBeRendered)
{
    const auto asset = imported("bar.obj");
    gpu.undrawable = true;
    for (const auto& image :
         {services.images.render(asset, {}), services.images.thumbnail(asset, {.size = 64}),
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
    EXPECT_EQ(services.images.thumbnail(created.asset, {.size = 256}).error().kind, Errc::not_ready);
    EXPECT_EQ(services.images.render(created.asset, {}).error().kind, Errc::not_ready);
}

} // namespace
} // namespace vitrine::server::testing
