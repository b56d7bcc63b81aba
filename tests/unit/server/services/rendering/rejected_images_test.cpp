#include "server/services/rendering/rejected_images.hpp"

#include <gmock/gmock.h>

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

class RejectedImagesTest : public ::testing::Test {
protected:
    static ServiceError too_large() { return {Errc::unprocessable, "too_large_for_device", {}, "too large"}; }
    static ThumbnailParams thumbnail(std::uint32_t size)
    {
        ThumbnailParams params;
        params.size = size;
        return params;
    }
    static AssetRecord asset(const char* content_hash)
    {
        AssetRecord record;
        record.content_hash = content_hash;
        return record;
    }

    RejectedImages images;
    const AssetRecord model = asset("abc");
    const RejectedImages::Clock::time_point now{};
};

TEST_F(RejectedImagesTest, ImagesOfTheModelWithAsManyPixelsAreRejected)
{
    images.add(model, thumbnail(256), "1", too_large(), now);
    EXPECT_TRUE(images.find(model, thumbnail(256), "2", now));
    EXPECT_TRUE(images.find(model, thumbnail(512), "3", now));
    EXPECT_FALSE(images.find(model, thumbnail(128), "4", now));
    RenderParams render;
    render.view.width = 512;
    render.view.height = 128;
    EXPECT_TRUE(images.find(model, render, "5", now));
    EXPECT_FALSE(images.find(asset("other"), thumbnail(256), "6", now));
}

TEST_F(RejectedImagesTest, AnotherVariantIsAnotherModel)
{
    images.add(model, thumbnail(256), "1", too_large(), now);
    auto other = thumbnail(256);
    other.variant = 0;
    EXPECT_FALSE(images.find(model, other, "2", now));
}

TEST_F(RejectedImagesTest, WithOverlaysOnlyTheSameImageIsRejected)
{
    RenderParams render;
    render.view.width = render.view.height = 256;
    render.view.overlays.wireframe = true;
    images.add(model, render, "1", too_large(), now);
    EXPECT_TRUE(images.find(model, render, "1", now));
    EXPECT_FALSE(images.find(model, thumbnail(256), "2", now));

    SequenceParams crowd;
    crowd.crowd = 9;
    images.add(model, crowd, "3", too_large(), now);
    EXPECT_TRUE(images.find(model, crowd, "3", now));
    EXPECT_FALSE(images.find(model, SequenceParams{}, "4", now));
}

TEST_F(RejectedImagesTest, OtherErrorsAreNotRemembered)
{
    images.add(model, thumbnail(256), "1", {Errc::busy, "render_queue_full", {}, "busy", 1}, now);
    EXPECT_FALSE(images.find(model, thumbnail(256), "1", now));
}

TEST_F(RejectedImagesTest, TheDeviceIsAskedAgainLater)
{
    images.add(model, thumbnail(256), "1", too_large(), now);
    EXPECT_TRUE(images.find(model, thumbnail(256), "1", now + 9min));
    EXPECT_FALSE(images.find(model, thumbnail(256), "1", now + 10min));
}

} // namespace
} // namespace vitrine::server
