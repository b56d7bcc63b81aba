// BMP with top-down rows and run-length encoding (Microsoft, "Bitmap Compression"); other files are decoded
// by stb_image.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "loaders/images/codecs.hpp"
#include "loaders/io/byte_reader.hpp"

namespace vitrine::images {
namespace {

constexpr std::uint32_t file_header_bytes = 14;
// Size of the header after the file header, which identifies its version. Photoshop writes the second and
// third version.
enum HeaderBytes : std::uint32_t {
    os2_v1 = 12,
    info = 40,
    info_v2 = 52,
    info_v3 = 56,
    os2_v2 = 64,
    info_v4 = 108
};
enum Compression : std::uint32_t { rle8 = 1, rle4 = 2, masks = 3 };

struct BmpHeader {
    std::uint32_t bytes = 0; // without the file header
    std::uint32_t data_at = 0;
    std::uint32_t palette_at = 0;
    std::uint32_t compression = 0;
    std::uint32_t colors = 0;
    ImageSize size;
};

DecodeResult<BmpHeader> read_bmp_header(Bytes bytes)
{
    io::ByteReader in(bytes);
    BmpHeader header;
    in.skip(10);
    header.data_at = in.read<std::uint32_t>();
    header.bytes = in.read<std::uint32_t>();
    header.palette_at = file_header_bytes + std::min(header.bytes, 1u << 16);
    if (header.bytes == os2_v1) {
        header.size.width = in.read<std::uint16_t>();
        header.size.height = in.read<std::uint16_t>();
    } else {
        const auto width = in.read<std::int32_t>(), height = in.read<std::int32_t>();
        in.skip(4); // planes, bits
        header.compression = in.read<std::uint32_t>();
        in.skip(12); // bytes, dots per meter
        header.colors = in.read<std::uint32_t>();
        if (width > 0) header.size.width = static_cast<std::uint32_t>(width);
        header.size.height = static_cast<std::uint32_t>(std::abs(std::int64_t{height})); // negative: top-down
    }
    if (in.failed()) return std::unexpected("the header is truncated");
    if (header.size.width == 0 || header.size.height == 0) return std::unexpected("it has no pixels");
    return header;
}

// Replaces headers unknown to stb_image by an equivalent known one. `bytes` contain the header.
std::vector<std::byte> with_v4_header(Bytes bytes, const BmpHeader& header)
{
    // OS/2 headers differ after the common part.
    const std::uint32_t copied_bytes = header.bytes == os2_v2 ? std::uint32_t{info} : header.bytes;
    const auto begin = bytes.begin();
    std::vector<std::byte> out(begin, begin + file_header_bytes + copied_bytes);
    out.resize(file_header_bytes + info_v4);
    out.insert(out.end(), begin + file_header_bytes + header.bytes, bytes.end());
    const std::uint32_t data_at = header.data_at + info_v4 - header.bytes, header_bytes = info_v4;
    std::memcpy(&out[10], &data_at, sizeof data_at);
    std::memcpy(&out[file_header_bytes], &header_bytes, sizeof header_bytes);
    return out;
}

DecodeResult<PixelBytes> plain_pixels(Bytes bytes, const BmpHeader& header)
{
    const bool unknown = header.bytes == info_v2 || header.bytes == info_v3 || header.bytes == os2_v2;
    if (!unknown) return stb_pixels(bytes, header.size);
    if (header.bytes == os2_v2 && header.compression >= masks)
        return std::unexpected("OS/2 compression is not supported");
    if (file_header_bytes + header.bytes > bytes.size()) return std::unexpected("the header is truncated");
    return stb_pixels(with_v4_header(bytes, header), header.size);
}

// Decodes palette indices, bottom row first. Skipped pixels are 0. The codes may end early.
class RunLengthDecoder {
public:
    RunLengthDecoder(Bytes codes, const BmpHeader& header)
        : in_(codes), size_(header.size), nibbles_(header.compression == rle4), indices_(pixel_count(size_))
    {
    }

    PixelBytes decode()
    {
        while (!ended_ && y_ < size_.height && in_.remaining() >= 2) {
            const auto count = in_.read<std::uint8_t>(), value = in_.read<std::uint8_t>();
            if (count > 0)
                put_run(count, value);
            else
                apply_shader(value);
        }
        return std::move(indices_);
    }

private:
    void put(unsigned index)
    {
        if (x_ < size_.width) indices_[std::size_t{y_} * size_.width + x_] = static_cast<std::uint8_t>(index);
        ++x_;
    }

    void put_run(unsigned count, unsigned value)
    {
        for (unsigned i = 0; i < count; ++i)
            put(!nibbles_ ? value : i % 2 == 0 ? value >> 4 : value & 15);
    }

    void put_literally(unsigned count)
    {
        const unsigned bytes = nibbles_ ? (count + 1) / 2 : count;
        unsigned byte = 0;
        for (unsigned i = 0; i < count; ++i) {
            if (!nibbles_ || i % 2 == 0) byte = in_.read<std::uint8_t>();
            put(!nibbles_ ? byte : i % 2 == 0 ? byte >> 4 : byte & 15);
        }
        if (bytes % 2 != 0) in_.skip(1); // padding to 16 bits
    }

    void apply_shader(unsigned code)
    {
        switch (code) {
        case 0: // end of the row
            x_ = 0;
            ++y_;
            return;
        case 1: ended_ = true; return;
        case 2: // skips columns and rows
            x_ = std::min(x_ + in_.read<std::uint8_t>(), size_.width);
            y_ += in_.read<std::uint8_t>();
            return;
        default: return put_literally(code);
        }
    }

    io::ByteReader in_;
    ImageSize size_;
    bool nibbles_;
    bool ended_ = false;
    std::uint32_t x_ = 0, y_ = 0;
    PixelBytes indices_;
};

using BmpPalette = std::array<std::array<std::uint8_t, 4>, 256>; // blue, green, red, reserved

BmpPalette read_bmp_palette(Bytes bytes, const BmpHeader& header)
{
    BmpPalette palette{};
    const std::uint32_t max_colors = header.compression == rle4 ? 16 : 256;
    const std::uint32_t count = header.colors == 0 ? max_colors : std::min(header.colors, max_colors);
    io::ByteReader in(bytes.subspan(std::min<std::size_t>(header.palette_at, bytes.size())));
    for (std::uint32_t i = 0; i < count && in.remaining() >= 4; ++i)
        palette[i] = in.read<std::array<std::uint8_t, 4>>();
    return palette;
}

} // namespace

DecodeResult<ImageSize> bmp_size(Bytes bytes)
{
    return size_of(read_bmp_header(bytes));
}

DecodeResult<PixelBytes> bmp_pixels(Bytes bytes, ImageSize size)
{
    const auto header = read_bmp_header(bytes);
    if (!header) return std::unexpected(header.error());
    if (header->data_at > bytes.size()) return std::unexpected("the pixel offset exceeds the file");
    if (header->compression != rle8 && header->compression != rle4) return plain_pixels(bytes, *header);
    const BmpPalette palette = read_bmp_palette(bytes, *header);
    const PixelBytes indices = RunLengthDecoder(bytes.subspan(header->data_at), *header).decode();
    PixelBytes pixels(4 * pixel_count(size));
    for (std::uint32_t y = 0; y < size.height; ++y) {
        const std::uint8_t* from = indices.data() + std::size_t{size.height - 1 - y} * size.width;
        std::uint8_t* to = pixels.data() + std::size_t{4} * y * size.width;
        for (std::uint32_t x = 0; x < size.width; ++x, to += 4) {
            const auto& [blue, green, red, unused] = palette[from[x]];
            to[0] = red;
            to[1] = green;
            to[2] = blue;
            to[3] = 255;
        }
    }
    return pixels;
}

} // namespace vitrine::images
