// The video encoders, checked by decoding their output with libvpx's decoders.

#include <array>
#include <cmath>
#include <optional>
#include <thread>

#include <gtest/gtest.h>
#include <libyuv/convert_argb.h>
#include <malloc.h>
#include <vpx/vp8dx.h>
#include <vpx/vpx_decoder.h>

#include "vk_renderer/encode/video.hpp"

namespace vitrine::render {
namespace {

using std::chrono::microseconds;

// A gray disc with a rim that moves across a plain backdrop.
Frame scene_at(std::uint32_t width, std::uint32_t height, double time)
{
    Frame frame{.width = width, .height = height, .pixels = {}, .bounds = {}, .render_us = 0};
    frame.pixels.own().reserve(std::size_t{width} * height * 4);
    const double radius = height / 4.0;
    const double center_x = width * (0.3 + 0.4 * time), center_y = height / 2.0;
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            const double away = std::hypot(x - center_x, y - center_y) / std::max(1.0, radius);
            const auto shade =
                static_cast<std::uint8_t>(away < 1.0 ? 90 + 100 * away : 220 - 40.0 * y / height);
            const auto blue = static_cast<std::uint8_t>(away < 0.5 ? 200 : shade);
            frame.pixels.own().insert(frame.pixels.own().end(), {shade, shade, blue, 255});
        }
    return frame;
}

class Decoder {
public:
    explicit Decoder(VideoCodec codec)
    {
        auto* interface = codec == VideoCodec::vp9 ? vpx_codec_vp9_dx() : vpx_codec_vp8_dx();
        if (vpx_codec_dec_init(&context_, interface, nullptr, 0) != VPX_CODEC_OK) std::abort();
    }
    ~Decoder() { vpx_codec_destroy(&context_); }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    // Empty: the decoder returned no image.
    std::optional<Frame> decode(const VideoPacket& packet)
    {
        const auto* data = reinterpret_cast<const std::uint8_t*>(packet.bytes.data());
        const auto size = static_cast<unsigned>(packet.bytes.size());
        if (vpx_codec_decode(&context_, data, size, nullptr, 0) != VPX_CODEC_OK) return std::nullopt;
        vpx_codec_iter_t next = nullptr;
        const auto* image = vpx_codec_get_frame(&context_, &next);
        if (image == nullptr) return std::nullopt;
        Frame frame{.width = image->d_w, .height = image->d_h, .pixels = {}, .bounds = {}, .render_us = 0};
        frame.pixels.own().resize(std::size_t{frame.width} * frame.height * 4);
        const auto width = static_cast<int>(frame.width);
        libyuv::I420ToABGR(image->planes[0], image->stride[0], image->planes[1], image->stride[1],
                           image->planes[2], image->stride[2], frame.pixels.own().data(), width * 4, width,
                           static_cast<int>(frame.height));
        return frame;
    }

private:
    vpx_codec_ctx_t context_{};
};

double psnr(const Frame& a, const Frame& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) {
        const double difference = a.pixels[i] - b.pixels[i];
        sum += difference * difference;
    }
    return 10.0 * std::log10(255.0 * 255.0 / (sum / (static_cast<double>(a.pixels.size()) * 0.75) + 1e-9));
}

class Video : public testing::TestWithParam<VideoCodec> {
protected:
    // Encodes the next frame of a 60 Hz stream, decodes and compares it.
    VideoPacket step(const Frame& frame, bool key_frame = false)
    {
        auto packet = encoder.encode(frame, microseconds(16'667 * count++), key_frame);
        const auto seen = decoder.decode(packet);
        EXPECT_TRUE(seen);
        if (!seen) return packet;
        EXPECT_EQ(seen->width, frame.width);
        EXPECT_EQ(seen->height, frame.height);
        quality = psnr(frame, *seen);
        return packet;
    }

    VideoEncoder encoder{GetParam()};
    Decoder decoder{GetParam()};
    int count = 0;
    double quality = 0.0;
};

INSTANTIATE_TEST_SUITE_P(Codecs, Video, testing::Values(VideoCodec::vp8, VideoCodec::vp9),
                         [](const auto& codec) {
                             return codec.param == VideoCodec::vp8 ? std::string("Vp8") : std::string("Vp9");
                         });

} // namespace

TEST_P(Video, IsAccurateAndSmallWithOneKeyFrame)
{
    std::size_t key_bytes = 0, bytes = 0;
    for (int i = 0; i < 30; ++i) {
        const auto packet = step(scene_at(256, 256, i / 60.0));
        EXPECT_EQ(packet.key_frame, i == 0) << i;
        EXPECT_GT(quality, 33.0) << i;
        (i == 0 ? key_bytes : bytes) += packet.bytes.size();
    }
    EXPECT_LT(bytes / 29, key_bytes / 2);
}

TEST_P(Video, DecodesARequestedKeyFrameAlone)
{
    for (int i = 0; i < 5; ++i)
        step(scene_at(160, 120, i / 10.0));
    const auto frame = scene_at(160, 120, 0.6);
    const auto key = step(frame, true);
    EXPECT_TRUE(key.key_frame);
    Decoder fresh(GetParam());
    const auto seen = fresh.decode(key);
    ASSERT_TRUE(seen);
    EXPECT_GT(psnr(frame, *seen), 33.0);
    EXPECT_FALSE(step(scene_at(160, 120, 0.7)).key_frame);
}

TEST_P(Video, CannotDecodeAnInterFrameAlone)
{
    step(scene_at(160, 120, 0.0));
    const auto between = step(scene_at(160, 120, 0.1));
    Decoder fresh(GetParam());
    EXPECT_FALSE(fresh.decode(between));
}

TEST_P(Video, StartsWithAKeyFrameAfterEveryChangeOfSize)
{
    using Size = std::array<std::uint32_t, 2>;
    for (const auto& [width, height] :
         {Size{1, 1}, Size{2, 1}, Size{1, 37}, Size{3, 5}, Size{17, 9}, Size{255, 33}, Size{641, 479},
          Size{2048, 1}, Size{2048, 2048}, Size{64, 64}}) {
        EXPECT_TRUE(step(scene_at(width, height, 0.0)).key_frame) << width << " x " << height;
        EXPECT_FALSE(step(scene_at(width, height, 0.1)).key_frame) << width << " x " << height;
        EXPECT_GT(quality, 25.0) << width << " x " << height;
    }
}

TEST_P(Video, AcceptsRepeatedAndDistantTimes)
{
    for (const auto at : {0LL, 0LL, 5LL, 4LL, 3'600'000'000LL, 3'600'000'001LL}) {
        const auto frame = scene_at(64, 64, 0.0);
        const auto seen = decoder.decode(encoder.encode(frame, microseconds(at)));
        ASSERT_TRUE(seen) << at;
        EXPECT_GT(psnr(frame, *seen), 30.0) << at;
    }
}

TEST_P(Video, LimitsTheBytesOfNoiseWithoutDroppingFrames)
{
    std::size_t bytes = 0;
    std::uint32_t state = 1;
    auto frame = scene_at(256, 256, 0.0);
    for (int i = 0; i < 60; ++i) {
        for (std::size_t p = 0; p < frame.pixels.size(); ++p) {
            state = state * 1664525u + 1013904223u;
            if (p % 4 != 3) frame.pixels.own()[p] = static_cast<std::uint8_t>(state >> 24);
        }
        const auto packet = step(frame);
        EXPECT_FALSE(packet.bytes.empty());
        bytes += packet.bytes.size();
    }
    EXPECT_LT(bytes / 60, 60'000u); // raw: 262 144
}

TEST_P(Video, MovesToAnotherThread)
{
    step(scene_at(64, 64, 0.0));
    auto moved = std::move(encoder);
    VideoPacket packet;
    std::thread([&] { packet = moved.encode(scene_at(64, 64, 0.2), microseconds(50'000)); }).join();
    EXPECT_FALSE(packet.key_frame);
    EXPECT_TRUE(decoder.decode(packet));
    EXPECT_EQ(moved.codec(), GetParam());
}

TEST_P(Video, ProducesAKeyFrameAfterAFailure)
{
    step(scene_at(64, 64, 0.0));
    auto broken = scene_at(64, 64, 0.0);
    broken.pixels.own().pop_back();
    EXPECT_THROW(encoder.encode(broken, microseconds(1'000'000)), std::runtime_error);
    EXPECT_THROW(encoder.encode(Frame{}, microseconds(1'000'000)), std::runtime_error);
    EXPECT_FALSE(step(scene_at(64, 64, 0.1)).key_frame); // rejected before it reached the codec
    const Frame wide{.width = 20'000,
                     .height = 1,
                     .pixels = std::vector<std::uint8_t>(80'000, 255),
                     .bounds = {},
                     .render_us = 0};
    if (GetParam() == VideoCodec::vp9) return;
    EXPECT_THROW(encoder.encode(wide, microseconds(2'000'000)),
                 std::runtime_error); // the limit of VP8 is 16 383
    EXPECT_TRUE(step(scene_at(64, 64, 0.1)).key_frame);
}

// Bytes of the heap in use, including mapped chunks.
std::size_t heap_bytes()
{
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

TEST_P(Video, DoesNotGrowOverAThousandFrames)
{
    const auto first = scene_at(96, 64, 0.0), second = scene_at(96, 64, 0.3);
    const auto stretch = [&] {
        for (int i = 0; i < 500; ++i)
            encoder.encode(i % 2 == 0 ? first : second, microseconds(16'667 * count++), i % 100 == 0);
        return heap_bytes();
    };
    const auto before = stretch();
    EXPECT_LT(stretch(), before + 16'384);
    const auto other = scene_at(97, 64, 0.0);
    for (int i = 0; i < 50; ++i)
        encoder.encode(i % 2 == 0 ? other : first, microseconds(16'667 * count++));
    EXPECT_LT(heap_bytes(), before + 65'536);
}

} // namespace vitrine::render
