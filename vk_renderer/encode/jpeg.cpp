#include "vk_renderer/encode/codecs.hpp"

#include <memory>
#include <stdexcept>

#include <turbojpeg.h>

namespace vitrine::render {
namespace {

constexpr int fine_quality = 90; // above it colours keep their full resolution

struct DestroyHandle {
    void operator()(void* handle) const { tjDestroy(handle); }
};

// JPEG has no alpha: over white.
std::vector<std::uint8_t> over_white(const Frame& frame)
{
    auto pixels = frame.pixels;
    for (std::size_t i = 0; i < pixels.size(); i += 4) {
        const unsigned alpha = pixels[i + 3];
        for (std::size_t c = 0; c < 3; ++c)
            pixels[i + c] =
                static_cast<std::uint8_t>((pixels[i + c] * alpha + 255u * (255u - alpha) + 127u) / 255u);
    }
    return pixels;
}

std::vector<std::byte> compress(const Frame& frame, const std::uint8_t* pixels, int quality)
{
    const std::unique_ptr<void, DestroyHandle> handle(tjInitCompress());
    if (!handle) throw std::runtime_error("the JPEG encoder could not start");
    const int chroma = quality > fine_quality ? TJSAMP_444 : TJSAMP_420;
    const auto width = static_cast<int>(frame.width);
    const auto height = static_cast<int>(frame.height);
    std::vector<std::byte> out(tjBufSize(width, height, chroma));
    auto* data = reinterpret_cast<unsigned char*>(out.data());
    unsigned long size = out.size();
    if (tjCompress2(handle.get(), pixels, width, 0, height, TJPF_RGBX, &data, &size, chroma, quality,
                    TJFLAG_NOREALLOC) != 0)
        throw std::runtime_error(std::string("the JPEG encoder failed: ") + tjGetErrorStr2(handle.get()));
    out.resize(size);
    return out;
}

} // namespace

std::vector<std::byte> encode_jpeg(const Frame& frame, int quality)
{
    if (is_opaque(frame)) return compress(frame, frame.pixels.data(), quality);
    return compress(frame, over_white(frame).data(), quality);
}

} // namespace vitrine::render
