// Images rendered in one call equal images rendered separately.

#include <algorithm>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

using render::Frame;
using render::FrameRequest;

class GpuFrameRequests : public Gpu {
protected:
    static void expect_as_alone(const std::vector<FrameRequest>& frame_requests)
    {
        std::vector<Frame> frames, alone;
        renderer().render(frame_requests, frames);
        ASSERT_EQ(frames.size(), frame_requests.size());
        for (std::size_t i = 0; i < frame_requests.size(); ++i) {
            renderer().render(std::span(frame_requests).subspan(i, 1), alone);
            EXPECT_EQ(frames[i].width, frame_requests[i].view.width);
            EXPECT_EQ(frames[i].height, frame_requests[i].view.height);
            EXPECT_TRUE(frames[i].pixels == alone[0].pixels) << "shot " << i;
            EXPECT_EQ(frames[i].bounds.min, alone[0].bounds.min) << "shot " << i;
            EXPECT_EQ(frames[i].bounds.max, alone[0].bounds.max) << "shot " << i;
        }
    }
};

TEST_F(GpuFrameRequests, EqualsSeparateImagesOverAClipAndAroundAPose)
{
    const auto scene = share(tube(20, 12, 6, 4));
    std::vector<FrameRequest> frame_requests;
    for (int i = 0; i < 37; ++i) // two cameras per moment, interleaved
        frame_requests.push_back({scene, {.width = 40, .height = 32}, {0, 0.1 * (i % 18)}});
    for (std::size_t i = 0; i < frame_requests.size(); ++i)
        frame_requests[i].view.camera.yaw = 20.0f * static_cast<float>(i);
    expect_as_alone(frame_requests);
}

TEST_F(GpuFrameRequests, RendersMoreBatchesThanSlots)
{
    const auto scene = share(tube(6, 5, 3, 2));
    std::vector<FrameRequest> frame_requests(
        1030, FrameRequest{scene, {.width = 8, .height = 8}, {}}); // batches have at most 256 images
    for (std::size_t i = 0; i < frame_requests.size(); ++i)
        frame_requests[i].clip_time = {0, 0.001 * static_cast<double>(i)};
    expect_as_alone(frame_requests);
}

TEST_F(GpuFrameRequests, MixesScenesSizesLightingsAndOverlays)
{
    const std::array scenes{share(tube(20, 12, 6, 4)), share(textured_cube()), share(mixture()),
                            share(skinned_bar())};
    std::vector<FrameRequest> frame_requests;
    for (std::uint32_t i = 0; i < 24; ++i) {
        const auto& scene = scenes[i % scenes.size()];
        render::View view{.width = 24 + 4 * (i % 5), .height = 60 - 6 * (i % 7)};
        if (i % 3 == 0) view.light = render::LightingPreset::reference;
        view.overlays.skeleton = i % 4 == 3;
        view.overlays.bounds = i % 5 == 4;
        if (i % 6 == 5) view.background = glm::vec4(0.2f, 0.4f, 0.6f, 0.5f);
        const bool moves = !scene->clips.empty() && i % 2 == 0;
        frame_requests.push_back({scene, view, {moves ? 0 : scene::none, 0.03 * i}});
    }
    expect_as_alone(frame_requests);
}

TEST_F(GpuFrameRequests, RecoversAfterAFailedRequest)
{
    const auto bar = share(skinned_bar());
    std::vector<FrameRequest> frame_requests(270, FrameRequest{bar, {.width = 16, .height = 16}, {0, 0.5}});
    const auto good = std::vector(frame_requests.begin(), frame_requests.begin() + 20);
    frame_requests[268].clip_time.clip = 7;
    std::vector<Frame> frames;
    EXPECT_THROW(renderer().render(frame_requests, frames), render::RenderError);
    frames.clear(); // the first batch is still in flight: it must not be delivered here
    frame_requests[268].view.framing = scene::Aabb{{0, 0, 0}, {1, 1, 1}}; // detected only when it is posed
    EXPECT_THROW(renderer().render(frame_requests, frames), render::RenderError);
    frames.clear();
    expect_as_alone(good);
}

TEST_F(GpuFrameRequests, ReturnsNoFramesForNoRequests)
{
    std::vector<Frame> frames(3);
    renderer().render(std::span<const FrameRequest>(), frames);
    EXPECT_TRUE(frames.empty());
}

} // namespace
} // namespace vitrine::test
