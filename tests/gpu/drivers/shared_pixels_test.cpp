// Frames whose pixels stay in the buffer that the device has written: nothing changes them, and they may
// outlive the renderer and its device.

#include <array>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/gpu/drivers/faults_fixture.hpp"

#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#endif

namespace vitrine::test {
namespace {

using render::Frame;
using render::Pixels;

class GpuSharedPixels : public GpuFaults {
protected:
    void TearDown() override
    {
        faults.is_card = faults.is_incoherent = faults.is_uncached = false;
        GpuFaults::TearDown();
    }

    static std::vector<render::FrameRequest> requests(std::uint32_t count, std::uint32_t side = 160)
    {
        static const auto scene = std::make_shared<const scene::Scene>(mixture());
        std::vector<render::FrameRequest> all(
            count, render::FrameRequest{scene, {.width = side, .height = side}, bent});
        for (std::uint32_t i = 0; i < count; ++i)
            all[i].view.camera.yaw = 30.0f * static_cast<float>(i);
        return all;
    }
    static std::vector<Frame> render(render::Renderer& renderer,
                                     std::span<const render::FrameRequest> frame_requests)
    {
        std::vector<Frame> frames;
        renderer.render(frame_requests, frames);
        return frames;
    }
    static std::vector<Pixels::Bytes> bytes_of(const std::vector<Frame>& frames)
    {
        std::vector<Pixels::Bytes> all;
        for (const auto& frame : frames)
            all.emplace_back(frame.pixels.begin(), frame.pixels.end());
        return all;
    }
    static bool show(const std::vector<Frame>& frames, const std::vector<Pixels::Bytes>& expected)
    {
        return bytes_of(frames) == expected;
    }
    static long count_shared(const std::vector<Frame>& frames)
    {
        return std::ranges::count_if(frames, [](const Frame& frame) { return frame.pixels.is_shared(); });
    }
};

TEST_F(GpuSharedPixels, AreNotChangedByLaterBatches)
{
    const auto renderer = make(true);
    const auto frames = render(*renderer, requests(3));
    EXPECT_EQ(count_shared(frames), 3);
    const auto expected = bytes_of(frames);
    EXPECT_NE(expected[0], expected[1]);
    for (std::uint32_t i = 1; i < 9; ++i)
        render(*renderer, requests(i));
    EXPECT_TRUE(show(frames, expected));
}

TEST_F(GpuSharedPixels, UseTheSameBuffersAgain)
{
    const auto renderer = make();
    auto kept = render(*renderer, requests(3));
    for (int i = 0; i < 4; ++i)
        kept = render(*renderer, requests(3));
    const int creations = faults.creations;
    for (int i = 0; i < 4; ++i)
        kept = render(*renderer, requests(3));
    EXPECT_EQ(faults.creations, creations);
    const int objects = faults.objects;
    kept.clear();
    renderer->idle();
    EXPECT_LT(faults.objects, objects) << "unused buffers are freed";
}

TEST_F(GpuSharedPixels, OutliveTheRenderer)
{
    const int objects = faults.objects;
    auto renderer = make(true);
    auto frames = render(*renderer, requests(3)), others = render(*renderer, requests(2));
    const auto expected = bytes_of(frames), expected_of_others = bytes_of(others);
    const int devices = faults.devices;
    renderer.reset();
    EXPECT_EQ(faults.devices, devices) << "the device has their memory";
    EXPECT_LE(faults.objects, objects + 4) << "two buffers, their block, the pipeline cache";
    EXPECT_TRUE(show(render(*make(true), requests(3)), expected));
    frames.pop_back();
    std::thread([last = std::move(others)] {}).join();
    EXPECT_EQ(faults.devices, devices);
    EXPECT_TRUE(show(frames, {expected[0], expected[1]}));
    std::thread([last = std::move(frames)] {}).join();
    EXPECT_EQ(faults.devices, devices - 1);
}

TEST_F(GpuSharedPixels, EndWithTheTicketOfARenderer)
{
    auto renderer = make();
    auto ticket = renderer->submit(requests(3));
    const auto frames = ticket->collect();
    ticket = renderer->submit(requests(2)); // never collected
    ticket.reset();
    renderer.reset();
    EXPECT_TRUE(show(frames, bytes_of(render(*make(), requests(3)))));
}

TEST_F(GpuSharedPixels, AreCopiedBeyondALimit)
{
    constexpr std::uint64_t mebibyte = 1u << 20;
    render::Renderer renderer(tested({.memory_bytes = 96 * mebibyte})); // of which they may hold 6 MiB
    const auto one = requests(1, 512);                                  // 1 MiB, in a larger buffer
    std::vector<Frame> kept;
    for (int i = 0; i < 12; ++i)
        kept.push_back(std::move(render(renderer, one).at(0)));
    EXPECT_GE(count_shared(kept), 3);
    EXPECT_LE(count_shared(kept), 6);
    const auto expected = bytes_of(kept).front();
    EXPECT_TRUE(show(kept, std::vector(12, expected)));
    EXPECT_FALSE(kept.back().pixels.is_shared());
    kept.erase(kept.begin());
    EXPECT_TRUE(render(renderer, one).at(0).pixels.is_shared()) << "as long as others are gone";
    EXPECT_TRUE(show(kept, std::vector(11, expected)));
}

TEST_F(GpuSharedPixels, AreCopiedWhereThatCostsLess)
{
    EXPECT_EQ(count_shared(render(*make(), requests(2, 64))), 0) << "32 KiB";
    auto named = requests(3);
    named[1].view.overlays.names = true;
    const auto frames = render(*make(), named);
    EXPECT_TRUE(frames[0].pixels.is_shared());
    EXPECT_FALSE(frames[1].pixels.is_shared()) << "names are drawn into it";
}

TEST_F(GpuSharedPixels, AreCopiedFromUncachedMemory)
{
    if (tested_device() != "software") GTEST_SKIP() << "the card is faked on the software driver";
    faults.is_card = faults.is_uncached = true;
    EXPECT_EQ(count_shared(render(*make(), requests(3))), 0) << "encoders would read it slowly";
}

TEST_F(GpuSharedPixels, AreReadFromCachedMemoryThatIsNotCoherent)
{
    if (tested_device() != "software") GTEST_SKIP() << "the card is faked on the software driver";
    const auto expected = bytes_of(render(*make(), requests(3)));
    faults.is_card = faults.is_incoherent = true;
    const auto renderer = make();
    const auto frames = render(*renderer, requests(3));
    EXPECT_EQ(count_shared(frames), 3);
    for (std::uint32_t i = 1; i < 5; ++i)
        render(*renderer, requests(i));
    EXPECT_TRUE(show(frames, expected));
}

TEST_F(GpuSharedPixels, SurviveALostDevice)
{
    auto renderer = make();
    const auto frames = render(*renderer, requests(3));
    const auto expected = bytes_of(frames);
    faults.lose_submit = 1;
    EXPECT_THROW(render(*renderer, requests(2)), render::DeviceLost);
    renderer.reset();
    EXPECT_TRUE(show(frames, expected));
    EXPECT_TRUE(show(render(*make(), requests(3)), expected));
}

TEST_F(GpuSharedPixels, SurviveAHungDevice)
{
#if __has_feature(address_sanitizer)
    const __lsan::ScopedDisabler abandoned; // objects of a hung device are not freed: see Device::abandon()
#endif
    auto renderer = make();
    auto frames = render(*renderer, requests(3));
    const auto expected = bytes_of(frames);
    faults.hang_submit = 1;
    EXPECT_THROW(render(*renderer, requests(2)), render::DeviceLost);
    renderer.reset();
    EXPECT_TRUE(show(frames, expected));
    EXPECT_TRUE(show(render(*make(), requests(3)), expected));
    frames.clear();
    forgive_the_abandoned();
}

// Encoders end on other threads while the renderer draws, and after it.
TEST_F(GpuSharedPixels, EndOnAnyThread)
{
    std::vector<std::thread> encoders;
    {
        const auto renderer = make();
        const auto expected = bytes_of(render(*renderer, requests(6)));
        for (int i = 0; i < 12; ++i) {
            auto frames = render(*renderer, requests(6));
            for (std::size_t k = 0; k < frames.size(); k += 3)
                encoders.emplace_back([part = std::vector(frames.begin() + static_cast<long>(k),
                                                          frames.begin() + static_cast<long>(k) + 3),
                                       whole = Pixels::Bytes(expected[k])] {
                    EXPECT_TRUE(std::ranges::equal(part[0].pixels, whole));
                });
        }
    }
    for (auto& encoder : encoders)
        encoder.join();
}

TEST_F(GpuFaults, StartsACardBeforeTheWholeRequestIsPrepared)
{
    std::vector<render::FrameRequest> frame_requests;
    const auto scene = std::make_shared<const scene::Scene>(mixture());
    for (int i = 0; i < 40; ++i)
        frame_requests.push_back({scene, {.width = 48, .height = 48}, {0, 0.01 * i}});
    const auto draw_as = [&](render::DeviceProfile profile) {
        render::Renderer renderer(tested({.device_profile = profile}));
        std::vector<Frame> frames;
        renderer.render(frame_requests, frames); // including the upload of the scene
        faults.submits = 0;
        renderer.render(frame_requests, frames);
        return frames;
    };
    draw_as(render::DeviceProfile::cpu);
    EXPECT_EQ(faults.submits, 1) << "no processor is idle meanwhile";
    const auto frames = draw_as(render::DeviceProfile::gpu);
    EXPECT_GE(faults.submits, 2);
    render::Renderer renderer(tested({.device_profile = render::DeviceProfile::gpu}));
    for (std::size_t i = 0; i < frames.size(); i += 13)
        EXPECT_EQ(
            frames[i].pixels,
            renderer.render(scene, frame_requests[i].view, {&frame_requests[i].clip_time, 1}).at(0).pixels);
}

} // namespace
} // namespace vitrine::test
