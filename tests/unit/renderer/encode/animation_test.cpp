// Animated WebP, checked by decoding the output.

#include <cmath>
#include <thread>

#include <gtest/gtest.h>
#include <webp/demux.h>

#include "vk_renderer/encode/animation.hpp"

namespace vitrine::render {
namespace {

// A smooth image with a square of another color that moves between frames.
Frame picture(std::uint32_t width, std::uint32_t height, std::uint32_t square_at, bool transparent = false)
{
    Frame frame{.width = width, .height = height, .pixels = {}, .bounds = {}, .render_us = 0};
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            const bool square = x >= square_at && x < square_at + 12 && y >= square_at && y < square_at + 12;
            const auto r = static_cast<std::uint8_t>(square ? 220 : x * 200 / width);
            const auto g = static_cast<std::uint8_t>(square ? 200 : y * 200 / height);
            const auto a = static_cast<std::uint8_t>(transparent && !square ? 0 : 255);
            frame.pixels.own().insert(frame.pixels.own().end(), {r, g, 90, a});
        }
    return frame;
}

struct Decoded {
    std::vector<std::vector<std::uint8_t>> pixels;
    std::vector<int> end_ms;
    std::uint32_t width = 0, height = 0, loops = 99;
};

Decoded decode(const std::vector<std::byte>& webp)
{
    Decoded out;
    const WebPData data{reinterpret_cast<const std::uint8_t*>(webp.data()), webp.size()};
    const std::unique_ptr<WebPAnimDecoder, decltype(&WebPAnimDecoderDelete)> decoder(
        WebPAnimDecoderNew(&data, nullptr), WebPAnimDecoderDelete);
    WebPAnimInfo info{};
    if (!decoder || WebPAnimDecoderGetInfo(decoder.get(), &info) == 0) return out;
    out.width = info.canvas_width;
    out.height = info.canvas_height;
    out.loops = info.loop_count;
    while (WebPAnimDecoderHasMoreFrames(decoder.get()) != 0) {
        std::uint8_t* pixels = nullptr;
        int end_ms = 0;
        if (WebPAnimDecoderGetNext(decoder.get(), &pixels, &end_ms) == 0) break;
        out.pixels.emplace_back(pixels, pixels + std::size_t{4} * out.width * out.height);
        out.end_ms.push_back(end_ms);
    }
    return out;
}

std::vector<std::byte> encoded(const std::vector<Frame>& frames, const EncodeOptions& options = {},
                               AnimationEncoder::Post post = {})
{
    AnimationEncoder encoder(options, std::move(post));
    for (const auto& frame : frames)
        encoder.add(frame);
    return encoder.finish();
}

// Root mean square difference of the colors where both are visible, and of alpha.
double difference(const std::vector<std::uint8_t>& a, const Pixels& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (i % 4 != 3 && b[i | 3u] == 0) continue;
        sum += std::pow(static_cast<double>(a[i]) - b[i], 2.0);
    }
    return std::sqrt(sum / static_cast<double>(a.size()));
}

std::vector<Frame> moving(std::uint32_t width, std::uint32_t height, bool transparent = false)
{
    std::vector<Frame> frames;
    for (const std::uint32_t at : {0u, 5u, 5u, 21u, 33u, 2u})
        frames.push_back(picture(width, height, at, transparent));
    return frames;
}

TEST(Animation, DecodesToItsFrames)
{
    for (const bool transparent : {false, true})
        for (const auto& [width, height] : {std::pair(64u, 48u), std::pair(47u, 45u), std::pair(1u, 3u)}) {
            const auto frames = moving(width, height, transparent);
            const auto shown = decode(encoded(frames, {.quality = 90}));
            ASSERT_EQ(shown.pixels.size(), frames.size()) << width;
            EXPECT_EQ(shown.width, width);
            EXPECT_EQ(shown.height, height);
            for (std::size_t i = 0; i < frames.size(); ++i)
                EXPECT_LT(difference(shown.pixels[i], frames[i].pixels), 16.0) << width << ", frame " << i;
        }
}

TEST(Animation, HasTimestampsAndLoops)
{
    const auto shown = decode(encoded(moving(32, 32), {.frames_per_second = 30.0}));
    EXPECT_EQ(shown.end_ms, (std::vector{33, 67, 100, 133, 167, 200}));
    EXPECT_EQ(shown.loops, 0u);
}

TEST(Animation, StoresOnlyChangedRectangles)
{
    const std::vector<Frame> frames{picture(256, 256, 100), picture(256, 256, 104), picture(256, 256, 104)};
    const auto one = encoded({frames[0]}).size();
    EXPECT_LT(encoded(frames).size(), one + one / 3);
}

TEST(Animation, IsIdenticalWithOtherThreads)
{
    const auto frames = moving(64, 64);
    std::vector<std::jthread> threads;
    const auto post = [&](std::move_only_function<void()> task) {
        threads.emplace_back(std::move(task));
        return true;
    };
    EXPECT_EQ(encoded(frames, {}, post), encoded(frames));
}

TEST(Animation, HandlesTasksThatRunLateOrNever)
{
    const auto frames = moving(32, 32);
    std::vector<std::move_only_function<void()>> late;
    const auto keep = [&](std::move_only_function<void()> task) {
        late.push_back(std::move(task));
        return true;
    };
    EXPECT_EQ(encoded(frames, {}, keep), encoded(frames));
    { // abandoned half-way
        AnimationEncoder unfinished({}, keep);
        unfinished.add(frames[0]);
    }
    for (auto& task : late)
        task();
    EXPECT_EQ(encoded(frames, {}, [](auto&&) { return false; }), encoded(frames));
}

TEST(Animation, RejectsInvalidFrames)
{
    EXPECT_THROW(encoded({}), std::runtime_error);
    EXPECT_THROW(encoded({picture(8, 8, 0), picture(9, 8, 0)}), std::runtime_error);
    EXPECT_THROW(encoded({Frame{}}), std::runtime_error);
    EXPECT_THROW(encoded({picture(20'000, 1, 0)}), std::runtime_error) << "beyond the limit of WebP";
}

} // namespace
} // namespace vitrine::render
