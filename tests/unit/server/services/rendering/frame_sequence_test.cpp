// Sprites and other frame sequences: their layout and batches.

#include "server/services/rendering/image_service.hpp"

#include <thread>

#include "tests/unit/server/services/rendering/image_fixture.hpp"
#include "tests/unit/server/services/support/fakes.hpp"

namespace vitrine::server::testing {
namespace {

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

TEST_F(ImageServiceTest, SpritesOfViewsHaveARowForEach)
{
    const auto asset = imported("bar.obj");
    const SequenceParams params{
        .frames = 3, .size = 16, .format = render::ImageFormat::png, .cameras = {{}, {.yaw = 90.0f}}};
    const auto layout = services.images.sprite_layout(asset, params).value();
    EXPECT_EQ(layout.columns, 3u);
    EXPECT_EQ(layout.rows, 2u);
    EXPECT_EQ(layout.frames, 6u);
    EXPECT_TRUE(services.images.sequence(asset, params));
    EXPECT_EQ(gpu.frames, 6);
    auto many = params;
    many.frames = 61;
    const auto rejected = services.images.sequence(asset, many);
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().where, "view") << "122 frames in all";
}

TEST_F(ImageServiceTest, SequencesAndLargeStillsAreLessUrgentThanImages)
{
    const auto asset = imported("bar.obj");
    Metrics metrics(registry);
    const auto batches = [&] { return metrics.renders_batch.Value(); };
    const auto before = batches();
    EXPECT_TRUE(services.images.render(asset, {.view = {.width = 2048, .height = 1024}}));
    EXPECT_EQ(batches(), before);
    EXPECT_TRUE(services.images.render(asset, {.view = {.width = 2048, .height = 1025}}));
    EXPECT_EQ(batches(), before + 1);
    EXPECT_TRUE(services.images.sequence(asset, {.frames = 2, .size = 32}));
    EXPECT_GT(batches(), before + 1);
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
    EXPECT_FALSE(services.renders.quarantined(asset.content_hash));
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

} // namespace
} // namespace vitrine::server::testing
