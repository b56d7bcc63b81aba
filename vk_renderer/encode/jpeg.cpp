#include "vk_renderer/encode/codecs.hpp"

#include <optional>
#include <stdexcept>
#include <string>

#include <turbojpeg.h>

namespace vitrine::render {
namespace {

constexpr int full_chroma_quality = 90;                      // above this quality, chroma is not subsampled
constexpr std::size_t max_kept_bytes = std::size_t{4} << 20; // per thread between two images

// JPEG has no alpha: composites over white.
std::vector<std::uint8_t> flatten_on_white(const Frame& frame)
{
    std::vector<std::uint8_t> pixels(frame.pixels.begin(), frame.pixels.end());
    for (std::size_t i = 0; i < pixels.size(); i += 4) {
        const unsigned alpha = pixels[i + 3];
        for (std::size_t c = 0; c < 3; ++c)
            pixels[i + c] =
                static_cast<std::uint8_t>((pixels[i + c] * alpha + 255u * (255u - alpha) + 127u) / 255u);
    }
    return pixels;
}

// A compressor and its output buffer. Each thread keeps one, because creating both costs as much as encoding
// a small image.
class Compressor {
public:
    Compressor() : handle_(tjInitCompress())
    {
        if (handle_ == nullptr) throw std::runtime_error("the JPEG encoder could not be initialized");
    }
    ~Compressor()
    {
        tjDestroy(handle_);
        tjFree(out_);
    }
    Compressor(const Compressor&) = delete;
    Compressor& operator=(const Compressor&) = delete;

    std::vector<std::byte> compress(const Frame& frame, const std::uint8_t* pixels, int quality)
    {
        const int chroma = quality > full_chroma_quality ? TJSAMP_444 : TJSAMP_420;
        const auto width = static_cast<int>(frame.width);
        // The library recognizes its own buffer and remembers its capacity; size_ only has to be nonzero.
        if (tjCompress2(handle_, pixels, width, 0, static_cast<int>(frame.height), TJPF_RGBX, &out_, &size_,
                        chroma, quality, 0) != 0)
            throw std::runtime_error(std::string("the JPEG encoder failed: ") + tjGetErrorStr2(handle_));
        const auto* bytes = reinterpret_cast<const std::byte*>(out_);
        return {bytes, bytes + size_};
    }

private:
    void* handle_;
    unsigned char* out_ = nullptr;
    unsigned long size_ = 0; // of the last image
};

std::vector<std::byte> compress(const Frame& frame, const std::uint8_t* pixels, int quality)
{
    thread_local std::optional<Compressor> compressor;
    if (!compressor) compressor.emplace();
    try {
        auto bytes = compressor->compress(frame, pixels, quality);
        if (bytes.size() > max_kept_bytes) compressor.reset();
        return bytes;
    } catch (...) {
        compressor.reset();
        throw;
    }
}

} // namespace

std::vector<std::byte> encode_jpeg(const Frame& frame, int quality)
{
    if (is_opaque(frame)) return compress(frame, frame.pixels.data(), quality);
    return compress(frame, flatten_on_white(frame).data(), quality);
}

} // namespace vitrine::render
