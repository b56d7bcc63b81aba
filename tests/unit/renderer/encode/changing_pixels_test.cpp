// Pixels in memory that another process can write.
#include <csignal>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <webp/decode.h>

#include "vk_renderer/encode/animation.hpp"
#include "vk_renderer/encode/encode.hpp"

namespace vitrine::render {
namespace {

constexpr std::uint32_t image_side = 96;
constexpr std::size_t frame_bytes = std::size_t{image_side} * image_side * 4;

// Two frames one after the other.
class SharedPixels final : public PixelMemory {
public:
    SharedPixels() : PixelMemory(PixelWriter::other_process)
    {
        void* at =
            ::mmap(nullptr, 2 * frame_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        EXPECT_NE(at, MAP_FAILED);
        bytes = {static_cast<std::uint8_t*>(at), 2 * frame_bytes};
    }
    ~SharedPixels() { ::munmap(bytes.data(), bytes.size()); }

    Frame frame(std::size_t number)
    {
        return {.width = image_side,
                .height = image_side,
                .pixels = {*this, bytes.subspan(number * frame_bytes, frame_bytes)},
                .bounds = {}};
    }
    void fill(bool is_transparent)
    {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const auto value = static_cast<std::uint8_t>(i / 7 + (i > frame_bytes + 9000 ? 60 : 0));
            bytes[i] = i % 4 != 3 || (is_transparent && i % 64 == 3) ? value : 255;
        }
    }
    std::span<std::uint8_t> bytes;

private:
    void unused() noexcept override {}
};

Frame copy_of(Frame frame)
{
    frame.pixels.own();
    return frame;
}

std::vector<std::byte> animation_of(const Frame& a, const Frame& b)
{
    AnimationEncoder encoder({.quality = 70}, {});
    encoder.add(a);
    encoder.add(b);
    return encoder.finish();
}

TEST(ChangingPixels, AreEncodedLikeACopy)
{
    SharedPixels memory;
    for (const bool is_transparent : {false, true}) {
        memory.fill(is_transparent);
        const auto a = memory.frame(0), b = memory.frame(1);
        ASSERT_TRUE(a.pixels.may_change());
        ASSERT_FALSE(copy_of(a).pixels.may_change());
        for (const auto format : {ImageFormat::png, ImageFormat::jpeg, ImageFormat::webp})
            EXPECT_EQ(encode(b, format), encode(copy_of(b), format)) << is_transparent;
        EXPECT_EQ(animation_of(a, b), animation_of(copy_of(a), copy_of(b))) << is_transparent;
    }
}

// A process that changes colors and alpha all the time gets an image of whatever was read.
TEST(ChangingPixels, DoNotHarmEncoders)
{
    SharedPixels memory;
    memory.fill(true);
    const auto writer = ::fork();
    ASSERT_GE(writer, 0);
    if (writer == 0) {
        for (;;)
            for (const int value : {1, 255, 0, 128})
                std::memset(memory.bytes.data(), value, memory.bytes.size());
    }
    const std::shared_ptr<void> ends(nullptr, [&](void*) {
        ::kill(writer, SIGKILL);
        EXPECT_EQ(::waitpid(writer, nullptr, 0), writer);
    });
    for (int i = 0; i < 60; ++i) {
        const auto frame = memory.frame(0);
        EXPECT_FALSE(encode(frame, ImageFormat::png).empty());
        EXPECT_FALSE(encode(frame, ImageFormat::jpeg).empty());
        for (const auto& webp :
             {encode(frame, ImageFormat::webp), animation_of(memory.frame(1), memory.frame(0))}) {
            WebPBitstreamFeatures features;
            ASSERT_EQ(
                WebPGetFeatures(reinterpret_cast<const std::uint8_t*>(webp.data()), webp.size(), &features),
                VP8_STATUS_OK);
            EXPECT_EQ(features.width, int{image_side});
            EXPECT_EQ(features.height, int{image_side});
        }
    }
}

} // namespace
} // namespace vitrine::render
