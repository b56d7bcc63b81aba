#include "tests/unit/images/tiff_samples.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include <tiffio.h>

namespace vitrine::test {
namespace {

struct Memory {
    std::string bytes;
    std::size_t at = 0;
};

Memory& memory_of(thandle_t handle)
{
    return *static_cast<Memory*>(handle);
}

extern "C" {

static tmsize_t read_memory(thandle_t handle, void* out, tmsize_t size)
{
    Memory& memory = memory_of(handle);
    const std::size_t left = memory.bytes.size() - std::min(memory.at, memory.bytes.size());
    const std::size_t count = std::min(left, static_cast<std::size_t>(size));
    std::memcpy(out, memory.bytes.data() + memory.at, count);
    memory.at += count;
    return static_cast<tmsize_t>(count);
}

static tmsize_t write_memory(thandle_t handle, void* in, tmsize_t size)
{
    Memory& memory = memory_of(handle);
    const auto count = static_cast<std::size_t>(size);
    memory.bytes.resize(std::max(memory.bytes.size(), memory.at + count));
    std::memcpy(memory.bytes.data() + memory.at, in, count);
    memory.at += count;
    return size;
}

static toff_t seek_memory(thandle_t handle, toff_t offset, int whence)
{
    Memory& memory = memory_of(handle);
    const std::size_t from = whence == SEEK_CUR ? memory.at : whence == SEEK_END ? memory.bytes.size() : 0;
    memory.at = from + offset;
    return memory.at;
}

static int close_memory(thandle_t /*handle*/)
{
    return 0;
}

static toff_t size_of_memory(thandle_t handle)
{
    return memory_of(handle).bytes.size();
}

static int ignore_warning(TIFF* /*tiff*/, void* /*handle*/, const char* /*module*/, const char* /*format*/,
                          va_list /*values*/)
{
    return 1;
}

} // extern "C"

void set_fields(TIFF* out, const TiffKind& kind)
{
    TIFFSetField(out, TIFFTAG_IMAGEWIDTH, kind.width);
    TIFFSetField(out, TIFFTAG_IMAGELENGTH, kind.height);
    TIFFSetField(out, TIFFTAG_BITSPERSAMPLE, kind.bits);
    TIFFSetField(out, TIFFTAG_SAMPLESPERPIXEL, kind.samples);
    TIFFSetField(out, TIFFTAG_SAMPLEFORMAT, kind.format);
    TIFFSetField(out, TIFFTAG_PHOTOMETRIC, kind.photometric);
    TIFFSetField(out, TIFFTAG_COMPRESSION, kind.compression);
    TIFFSetField(out, TIFFTAG_ORIENTATION, kind.orientation);
    TIFFSetField(out, TIFFTAG_PLANARCONFIG, kind.planes ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    if (kind.compression == COMPRESSION_JPEG) {
        TIFFSetField(out, TIFFTAG_JPEGQUALITY, 95);
        TIFFSetField(out, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    }
    if (kind.extra) TIFFSetField(out, TIFFTAG_EXTRASAMPLES, 1, &*kind.extra);
    if (!kind.color_map.empty()) {
        const std::size_t size = kind.color_map.size() / 3;
        TIFFSetField(out, TIFFTAG_COLORMAP, kind.color_map.data(), kind.color_map.data() + size,
                     kind.color_map.data() + 2 * size);
    }
    if (kind.tile > 0) {
        TIFFSetField(out, TIFFTAG_TILEWIDTH, kind.tile);
        TIFFSetField(out, TIFFTAG_TILELENGTH, kind.tile);
    } else {
        TIFFSetField(out, TIFFTAG_ROWSPERSTRIP, std::min(kind.height, 16u));
    }
}

// The samples that one strip or tile holds, padded with zeros.
std::string part_of(const TiffKind& kind, std::string_view pixels, std::uint32_t left, std::uint32_t top,
                    std::uint32_t width, std::uint32_t height, std::optional<std::uint16_t> plane)
{
    const std::size_t sample = kind.bits / 8;
    std::string out;
    for (std::uint32_t y = top; y < top + height; ++y)
        for (std::uint32_t x = left; x < left + width; ++x)
            for (std::uint16_t s = 0; s < kind.samples; ++s) {
                if (plane && s != *plane) continue;
                const bool inside = x < kind.width && y < kind.height;
                const std::size_t at = ((std::size_t{y} * kind.width + x) * kind.samples + s) * sample;
                out += inside ? std::string(pixels.substr(at, sample)) : std::string(sample, '\0');
            }
    return out;
}

} // namespace

std::string tiff(const TiffKind& kind, std::string_view pixels)
{
    Memory memory;
    TIFFOpenOptions* const options = TIFFOpenOptionsAlloc();
    TIFFOpenOptionsSetWarningHandlerExtR(options, ignore_warning, nullptr); // of the older deflate
    TIFF* const out = TIFFClientOpenExt("memory", kind.mode, &memory, read_memory, write_memory, seek_memory,
                                        close_memory, size_of_memory, nullptr, nullptr, options);
    TIFFOpenOptionsFree(options);
    if (out == nullptr) throw std::runtime_error("libtiff does not write");
    set_fields(out, kind);
    const std::uint16_t planes = kind.planes ? kind.samples : 1;
    const std::uint32_t width = kind.tile > 0 ? kind.tile : kind.width;
    const std::uint32_t height = kind.tile > 0 ? kind.tile : std::min(kind.height, 16u);
    std::uint32_t number = 0;
    for (std::uint16_t p = 0; p < planes; ++p)
        for (std::uint32_t top = 0; top < kind.height; top += height)
            for (std::uint32_t left = 0; left < kind.width; left += width) {
                const std::uint32_t rows = kind.tile > 0 ? height : std::min(height, kind.height - top);
                std::string part = part_of(kind, pixels, left, top, width, rows,
                                           kind.planes ? std::optional(p) : std::nullopt);
                const auto size = static_cast<tmsize_t>(part.size());
                const tmsize_t written = kind.tile > 0
                                             ? TIFFWriteEncodedTile(out, number++, part.data(), size)
                                             : TIFFWriteEncodedStrip(out, number++, part.data(), size);
                if (written < 0) throw std::runtime_error("libtiff does not write these pixels");
            }
    TIFFClose(out);
    return memory.bytes;
}

std::vector<std::string> every_tiff()
{
    std::string ramp;
    for (int i = 0; i < 20 * 20 * 4 * 2; ++i)
        ramp += static_cast<char>(i * 7);
    std::vector<std::string> out;
    for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                  COMPRESSION_PACKBITS, COMPRESSION_JPEG})
        for (const std::uint32_t tile : {0u, 16u})
            out.push_back(tiff({.width = 20,
                                .height = 20,
                                .compression = static_cast<std::uint16_t>(compression),
                                .tile = tile},
                               ramp));
    out.push_back(tiff({.width = 5, .height = 3, .bits = 16, .samples = 4, .extra = 1, .mode = "wb"}, ramp));
    out.push_back(
        tiff({.width = 5, .height = 3, .samples = 4, .orientation = 6, .extra = 2, .planes = true}, ramp));
    out.push_back(
        tiff({.width = 5, .height = 3, .bits = 16, .samples = 1, .photometric = 1, .mode = "w8"}, ramp));
    out.push_back(tiff({.width = 5,
                        .height = 3,
                        .samples = 1,
                        .photometric = 3,
                        .color_map = std::vector<std::uint16_t>(3 * 256, 0x1234)},
                       ramp));
    return out;
}

} // namespace vitrine::test
