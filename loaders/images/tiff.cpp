// TIFF by libtiff ("TIFF Revision 6.0"): the first picture, in memory, with the usual compressions. The
// library makes 8 bits of what a sample has; how the picture is turned and what its alpha means is done here.

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

// What the library may allocate at once besides what a picture of so many pixels needs: a tile is larger than
// a small picture, and a directory lists strips.
constexpr std::uint64_t least_allocation = 4u << 20;
constexpr std::uint64_t bytes_per_pixel = 16; // four samples of 16 bits, twice

// Those of the library that pictures are stored with. Codecs for scans and maps (JBIG, LERC, old JPEG, ...)
// are not reached by any file.
constexpr std::array<std::uint16_t, 9> compressions = {
    COMPRESSION_NONE,          COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3,
    COMPRESSION_CCITTFAX4,     COMPRESSION_LZW,      COMPRESSION_JPEG,
    COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE,  COMPRESSION_PACKBITS,
};

enum class Alpha : std::uint8_t { none, straight, associated, unspecified };

struct Header {
    std::uint32_t width = 0; // as stored
    std::uint32_t height = 0;
    std::uint16_t orientation = ORIENTATION_TOPLEFT;
    Alpha alpha = Alpha::none;

    // Whether rows are stored as columns.
    bool is_transposed() const { return orientation >= ORIENTATION_LEFTTOP; }
    Size size() const { return is_transposed() ? Size{height, width} : Size{width, height}; }
};

// The bytes as a file that cannot be written, and the first error of the library, which prints nothing.
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

// An offset from the current place or from the end may be negative, in two's complement.
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

// The library maps files read-only itself: it does not write there.
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
    return 1; // no other handler is called
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

class Reader {
public:
    Reader(Bytes bytes, std::uint64_t most_allocated) : client_{bytes}
    {
        const std::unique_ptr<TIFFOpenOptions, Close> options(TIFFOpenOptionsAlloc());
        if (!options) return;
        TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(most_allocated));
        TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep_error, &client_);
        TIFFOpenOptionsSetWarningHandlerExtR(options.get(), ignore_warning, &client_);
        // Mapped: read by pieces, version 4.5 refuses small tiles that are not compressed.
        tiff_.reset(TIFFClientOpenExt("picture", "r", &client_, read_bytes, write_nothing, seek_to,
                                      close_nothing, size_of_file, map_bytes, unmap_nothing, options.get()));
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    Decoded<Header> header() const;
    // ABGR from the highest bits down, rows as they are stored.
    Decoded<std::vector<std::uint32_t>> read_stored(const Header& header);

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
        return client_.error.empty() ? "the image data is broken"
                                     : fmt::format("the image data is broken ({})", client_.error);
    }

    Client client_;
    std::unique_ptr<TIFF, Close> tiff_;
};

// The library's rule: the first of the samples that are no color.
Alpha Reader::alpha() const
{
    std::uint16_t count = 0;
    const std::uint16_t* kinds = nullptr;
    if (TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds) != 1 || count == 0 ||
        kinds == nullptr)
        return Alpha::none;
    if (kinds[0] == EXTRASAMPLE_ASSOCALPHA) return Alpha::associated;
    return kinds[0] == EXTRASAMPLE_UNASSALPHA ? Alpha::straight : Alpha::unspecified;
}

Decoded<Header> Reader::header() const
{
    if (!tiff_) return std::unexpected(reason());
    Header out;
    TIFFGetField(tiff_.get(), TIFFTAG_IMAGEWIDTH, &out.width);
    TIFFGetField(tiff_.get(), TIFFTAG_IMAGELENGTH, &out.height);
    if (out.width == 0 || out.height == 0) return std::unexpected("it has no pixels");
    const std::uint16_t compression = field(TIFFTAG_COMPRESSION);
    if (std::ranges::find(compressions, compression) == compressions.end())
        return std::unexpected(fmt::format("its compression {} is not read", compression));
    const std::uint16_t bits = field(TIFFTAG_BITSPERSAMPLE);
    if (bits > 16) return std::unexpected(fmt::format("its samples of {} bits are not read", bits));
    const std::uint16_t orientation = field(TIFFTAG_ORIENTATION);
    if (orientation >= ORIENTATION_TOPLEFT && orientation <= ORIENTATION_LEFTBOT)
        out.orientation = orientation;
    out.alpha = alpha();
    return out;
}

// Told that alpha is associated and that rows run down, the library leaves both as they are: it would
// multiply colors by an alpha that is not, and it turns no picture by a right angle.
Decoded<std::vector<std::uint32_t>> Reader::read_stored(const Header& header)
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

std::uint8_t divided(std::uint32_t color, std::uint32_t alpha)
{
    return static_cast<std::uint8_t>(std::min((color * 255 + alpha / 2) / alpha, 255u));
}

void store(std::uint32_t abgr, Alpha alpha, std::uint8_t* out)
{
    const std::uint32_t a = TIFFGetA(abgr);
    const std::array<std::uint32_t, 3> color{TIFFGetR(abgr), TIFFGetG(abgr), TIFFGetB(abgr)};
    for (std::size_t c = 0; c < 3; ++c)
        out[c] =
            alpha == Alpha::associated && a > 0 ? divided(color[c], a) : static_cast<std::uint8_t>(color[c]);
    out[3] = alpha == Alpha::none ? 255 : static_cast<std::uint8_t>(a);
}

// Some programs write a fourth sample that nothing is said of, and nothing in it.
void drop_empty_alpha(Pixels& pixels)
{
    for (std::size_t i = 3; i < pixels.size(); i += 4)
        if (pixels[i] != 0) return;
    for (std::size_t i = 3; i < pixels.size(); i += 4)
        pixels[i] = 255;
}

// Where the stored pixel at (x, y) stands in the picture, by "Orientation" of the specification.
std::size_t place_of(const Header& header, std::uint32_t x, std::uint32_t y)
{
    const std::uint16_t o = header.orientation;
    const bool from_right = o == ORIENTATION_TOPRIGHT || o == ORIENTATION_BOTRIGHT ||
                            o == ORIENTATION_RIGHTTOP || o == ORIENTATION_RIGHTBOT;
    const bool from_bottom = o == ORIENTATION_BOTRIGHT || o == ORIENTATION_BOTLEFT ||
                             o == ORIENTATION_RIGHTBOT || o == ORIENTATION_LEFTBOT;
    const Size size = header.size();
    const std::uint32_t across = header.is_transposed() ? y : x, down = header.is_transposed() ? x : y;
    const std::size_t column = from_right ? size.width - 1 - across : across;
    const std::size_t row = from_bottom ? size.height - 1 - down : down;
    return row * size.width + column;
}

} // namespace

Decoded<Size> tiff_size(Bytes bytes)
{
    const auto header = Reader(bytes, least_allocation + bytes.size()).header();
    if (!header) return std::unexpected(header.error());
    return header->size();
}

Decoded<Pixels> tiff_pixels(Bytes bytes, Size size)
{
    Reader reader(bytes, least_allocation + bytes.size() + bytes_per_pixel * pixel_count(size));
    const auto header = reader.header();
    if (!header) return std::unexpected(header.error());
    const auto raster = reader.read_stored(*header);
    if (!raster) return std::unexpected(raster.error());
    Pixels pixels(4 * pixel_count(size));
    for (std::uint32_t y = 0; y < header->height; ++y)
        for (std::uint32_t x = 0; x < header->width; ++x)
            store((*raster)[std::size_t{y} * header->width + x], header->alpha,
                  pixels.data() + 4 * place_of(*header, x, y));
    if (header->alpha == Alpha::unspecified) drop_empty_alpha(pixels);
    return pixels;
}

} // namespace vitrine::images
