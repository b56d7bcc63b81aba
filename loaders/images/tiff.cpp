// Decodes the first image of a TIFF file in memory with libtiff ("TIFF Revision 6.0"), with the usual
// compressions. The library converts samples to 8 bits; orientation and alpha are handled here.

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <tiffio.h>

#include "loaders/images/codecs.hpp"

namespace vitrine::images {
namespace {

// Limit of a single allocation of the library in addition to the memory for the image's pixels: a tile may be
// larger than a small image, and a directory lists strips.
constexpr std::uint64_t base_allocation_bytes = 4u << 20;
constexpr std::uint64_t bytes_per_pixel = 16; // four samples of 16 bits, twice

// The compressions of the library that images use. Codecs for scans and maps (JBIG, LERC, old JPEG, ...) are
// never called.
constexpr std::array<std::uint16_t, 9> compressions = {
    COMPRESSION_NONE,          COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3,
    COMPRESSION_CCITTFAX4,     COMPRESSION_LZW,      COMPRESSION_JPEG,
    COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE,  COMPRESSION_PACKBITS,
};

enum class Alpha : std::uint8_t { none, straight, associated, unspecified };

struct TiffHeader {
    std::uint32_t width = 0; // as stored
    std::uint32_t height = 0;
    std::uint16_t orientation = ORIENTATION_TOPLEFT;
    Alpha alpha = Alpha::none;

    // Whether the image's columns are stored as rows.
    bool is_transposed() const { return orientation >= ORIENTATION_LEFTTOP; }
    ImageSize size() const { return is_transposed() ? ImageSize{height, width} : ImageSize{width, height}; }
};

// The bytes as a read-only file, and the first error of the library, which is stored instead of printed.
struct Client {
    Bytes bytes;
    std::uint64_t at = 0;
    std::string error{};
};

Client& client_of(void* handle)
{
    return *static_cast<Client*>(handle);
}

extern "C" {

static tmsize_t read_bytes(thandle_t handle, void* out, tmsize_t size)
{
    Client& client = client_of(handle);
    if (size < 0 || client.at >= client.bytes.size()) return 0;
    const std::uint64_t count = std::min(static_cast<std::uint64_t>(size), client.bytes.size() - client.at);
    std::memcpy(out, client.bytes.data() + client.at, count);
    client.at += count;
    return static_cast<tmsize_t>(count);
}

static tmsize_t write_nothing(thandle_t /*handle*/, void* /*in*/, tmsize_t /*size*/)
{
    return -1;
}

// Offsets from the current position or the end may be negative (two's complement).
static toff_t seek_to(thandle_t handle, toff_t offset, int whence)
{
    Client& client = client_of(handle);
    if (whence == SEEK_CUR) offset += client.at;
    if (whence == SEEK_END) offset += client.bytes.size();
    client.at = offset;
    return offset;
}

static int close_nothing(thandle_t /*handle*/)
{
    return 0;
}

static toff_t size_of_file(thandle_t handle)
{
    return client_of(handle).bytes.size();
}

// The const_cast is safe: the library itself maps files read-only and does not write to them.
static int map_bytes(thandle_t handle, void** begin, toff_t* size)
{
    const Bytes bytes = client_of(handle).bytes;
    *begin = const_cast<std::byte*>(bytes.data());
    *size = bytes.size();
    return 1;
}

static void unmap_nothing(thandle_t /*handle*/, void* /*begin*/, toff_t /*size*/) {}

static int keep_error(TIFF* /*tiff*/, void* handle, const char* /*module*/, const char* format,
                      va_list values)
{
    std::array<char, 256> text{};
    std::vsnprintf(text.data(), text.size(), format, values);
    if (client_of(handle).error.empty()) client_of(handle).error = text.data();
    return 1; // prevents the call of other handlers
}

static int ignore_warning(TIFF* /*tiff*/, void* /*handle*/, const char* /*module*/, const char* /*format*/,
                          va_list /*values*/)
{
    return 1;
}

} // extern "C"

struct Close {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
    void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
};

class TiffReader {
public:
    TiffReader(Bytes bytes, std::uint64_t max_allocation) : client_{bytes}
    {
        const std::unique_ptr<TIFFOpenOptions, Close> options(TIFFOpenOptionsAlloc());
        if (!options) return;
        TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(max_allocation));
        TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep_error, &client_);
        TIFFOpenOptionsSetWarningHandlerExtR(options.get(), ignore_warning, &client_);
        // Mapped, because version 4.5 rejects small uncompressed tiles of files that are read in pieces.
        tiff_.reset(TIFFClientOpenExt("image", "r", &client_, read_bytes, write_nothing, seek_to,
                                      close_nothing, size_of_file, map_bytes, unmap_nothing, options.get()));
    }
    TiffReader(const TiffReader&) = delete;
    TiffReader& operator=(const TiffReader&) = delete;

    DecodeResult<TiffHeader> header() const;
    // Returns ABGR values (alpha in the highest bits), in the order in which the file stores them.
    DecodeResult<std::vector<std::uint32_t>> read_stored(const TiffHeader& header);

private:
    std::uint16_t field(std::uint32_t tag) const
    {
        std::uint16_t value = 0;
        TIFFGetFieldDefaulted(tiff_.get(), tag, &value);
        return value;
    }
    Alpha alpha() const;
    std::string reason() const
    {
        return client_.error.empty() ? "the image data is invalid"
                                     : fmt::format("the image data is invalid ({})", client_.error);
    }

    Client client_;
    std::unique_ptr<TIFF, Close> tiff_;
};

// Uses the first extra sample, as the library does.
Alpha TiffReader::alpha() const
{
    std::uint16_t count = 0;
    const std::uint16_t* kinds = nullptr;
    if (TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds) != 1 || count == 0 ||
        kinds == nullptr)
        return Alpha::none;
    if (kinds[0] == EXTRASAMPLE_ASSOCALPHA) return Alpha::associated;
    return kinds[0] == EXTRASAMPLE_UNASSALPHA ? Alpha::straight : Alpha::unspecified;
}

DecodeResult<TiffHeader> TiffReader::header() const
{
    if (!tiff_) return std::unexpected(reason());
    TiffHeader out;
    TIFFGetField(tiff_.get(), TIFFTAG_IMAGEWIDTH, &out.width);
    TIFFGetField(tiff_.get(), TIFFTAG_IMAGELENGTH, &out.height);
    if (out.width == 0 || out.height == 0) return std::unexpected("it has no pixels");
    const std::uint16_t compression = field(TIFFTAG_COMPRESSION);
    if (std::ranges::find(compressions, compression) == compressions.end())
        return std::unexpected(fmt::format("its compression {} is not supported", compression));
    const std::uint16_t bits = field(TIFFTAG_BITSPERSAMPLE);
    if (bits > 16) return std::unexpected(fmt::format("samples of {} bits are not supported", bits));
    const std::uint16_t orientation = field(TIFFTAG_ORIENTATION);
    if (orientation >= ORIENTATION_TOPLEFT && orientation <= ORIENTATION_LEFTBOT)
        out.orientation = orientation;
    out.alpha = alpha();
    return out;
}

// Declares alpha as associated and the orientation as top-left, so that the library converts neither: it
// would multiply colors by alpha that is not associated, and it does not support rotation by a right angle.
DecodeResult<std::vector<std::uint32_t>> TiffReader::read_stored(const TiffHeader& header)
{
    TIFFSetField(tiff_.get(), TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    if (header.alpha != Alpha::none) {
        std::uint16_t count = 0;
        const std::uint16_t* kinds = nullptr;
        TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds);
        std::vector<std::uint16_t> associated(kinds, kinds + count);
        associated.at(0) = EXTRASAMPLE_ASSOCALPHA;
        TIFFSetField(tiff_.get(), TIFFTAG_EXTRASAMPLES, count, associated.data());
    }
    std::vector<std::uint32_t> raster(std::uint64_t{header.width} * header.height);
    constexpr int stop_on_error = 1;
    if (TIFFReadRGBAImageOriented(tiff_.get(), header.width, header.height, raster.data(),
                                  ORIENTATION_TOPLEFT, stop_on_error) != 1)
        return std::unexpected(reason());
    return raster;
}

std::uint8_t unpremultiply(std::uint32_t color, std::uint32_t alpha)
{
    return static_cast<std::uint8_t>(std::min((color * 255 + alpha / 2) / alpha, 255u));
}

void store(std::uint32_t abgr, Alpha alpha, std::uint8_t* out)
{
    const std::uint32_t a = TIFFGetA(abgr);
    const std::array<std::uint32_t, 3> color{TIFFGetR(abgr), TIFFGetG(abgr), TIFFGetB(abgr)};
    for (std::size_t c = 0; c < 3; ++c)
        out[c] = alpha == Alpha::associated && a > 0 ? unpremultiply(color[c], a)
                                                     : static_cast<std::uint8_t>(color[c]);
    out[3] = alpha == Alpha::none ? 255 : static_cast<std::uint8_t>(a);
}

// Some programs write a fourth sample of unspecified meaning that is 0 everywhere.
void drop_empty_alpha(Pixels& pixels)
{
    for (std::size_t i = 3; i < pixels.size(); i += 4)
        if (pixels[i] != 0) return;
    for (std::size_t i = 3; i < pixels.size(); i += 4)
        pixels[i] = 255;
}

// Returns the index in the image of the stored pixel at (x, y); "Orientation" in the specification.
std::size_t image_index_of(const TiffHeader& header, std::uint32_t x, std::uint32_t y)
{
    const std::uint16_t o = header.orientation;
    const bool from_right = o == ORIENTATION_TOPRIGHT || o == ORIENTATION_BOTRIGHT ||
                            o == ORIENTATION_RIGHTTOP || o == ORIENTATION_RIGHTBOT;
    const bool from_bottom = o == ORIENTATION_BOTRIGHT || o == ORIENTATION_BOTLEFT ||
                             o == ORIENTATION_RIGHTBOT || o == ORIENTATION_LEFTBOT;
    const ImageSize size = header.size();
    const std::uint32_t across = header.is_transposed() ? y : x, down = header.is_transposed() ? x : y;
    const std::size_t column = from_right ? size.width - 1 - across : across;
    const std::size_t row = from_bottom ? size.height - 1 - down : down;
    return row * size.width + column;
}

} // namespace

DecodeResult<ImageSize> tiff_size(Bytes bytes)
{
    const auto header = TiffReader(bytes, base_allocation_bytes + bytes.size()).header();
    if (!header) return std::unexpected(header.error());
    return header->size();
}

DecodeResult<Pixels> tiff_pixels(Bytes bytes, ImageSize size)
{
    TiffReader reader(bytes, base_allocation_bytes + bytes.size() + bytes_per_pixel * pixel_count(size));
    const auto header = reader.header();
    if (!header) return std::unexpected(header.error());
    const auto raster = reader.read_stored(*header);
    if (!raster) return std::unexpected(raster.error());
    Pixels pixels(4 * pixel_count(size));
    for (std::uint32_t y = 0; y < header->height; ++y)
        for (std::uint32_t x = 0; x < header->width; ++x)
            store((*raster)[std::size_t{y} * header->width + x], header->alpha,
                  pixels.data() + 4 * image_index_of(*header, x, y));
    if (header->alpha == Alpha::unspecified) drop_empty_alpha(pixels);
    return pixels;
}

} // namespace vitrine::images
