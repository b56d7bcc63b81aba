// Decodes the first image of a TIFF file in memory with libtiff ("TIFF Revision 6.0"), with the usual
// compressions. The library converts samples to 8 bits; orientation and alpha are handled here.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <tiffio.h>

#include "loaders/images/codecs.hpp"
#include "loaders/images/reduction.hpp"
#include "loaders/images/tiff_file.hpp"

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

class TiffReader {
public:
    TiffReader(Bytes bytes, std::uint64_t max_allocation) : file_(bytes, max_allocation) {}

    DecodeResult<TiffHeader> header() const;
    // Returns RGBA, reduced, in the order in which the file stores the pixels.
    DecodeResult<PixelBytes> read_stored(const TiffHeader& header, const Reduction& reduction);

private:
    std::uint16_t field(std::uint32_t tag) const
    {
        std::uint16_t value = 0;
        TIFFGetFieldDefaulted(file_.get(), tag, &value);
        return value;
    }
    Alpha alpha() const;
    void declare_unconverted(const TiffHeader& header);
    std::uint32_t rows_at_once(const TiffHeader& header) const;
    std::string reason() const
    {
        return file_.error().empty() ? "the image data is invalid"
                                     : fmt::format("the image data is invalid ({})", file_.error());
    }

    TiffFile file_;
};

// Uses the first extra sample, as the library does.
Alpha TiffReader::alpha() const
{
    std::uint16_t count = 0;
    const std::uint16_t* kinds = nullptr;
    if (TIFFGetFieldDefaulted(file_.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds) != 1 || count == 0 ||
        kinds == nullptr)
        return Alpha::none;
    if (kinds[0] == EXTRASAMPLE_ASSOCALPHA) return Alpha::associated;
    return kinds[0] == EXTRASAMPLE_UNASSALPHA ? Alpha::straight : Alpha::unspecified;
}

DecodeResult<TiffHeader> TiffReader::header() const
{
    if (file_.get() == nullptr) return std::unexpected(reason());
    TiffHeader out;
    TIFFGetField(file_.get(), TIFFTAG_IMAGEWIDTH, &out.width);
    TIFFGetField(file_.get(), TIFFTAG_IMAGELENGTH, &out.height);
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

// Declares alpha as associated and the orientation as top-left, so that the library converts neither: it
// would multiply colors by alpha that is not associated, and it does not support rotation by a right angle.
void TiffReader::declare_unconverted(const TiffHeader& header)
{
    TIFFSetField(file_.get(), TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    if (header.alpha == Alpha::none) return;
    std::uint16_t count = 0;
    const std::uint16_t* kinds = nullptr;
    TIFFGetFieldDefaulted(file_.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds);
    std::vector<std::uint16_t> associated(kinds, kinds + count);
    associated.at(0) = EXTRASAMPLE_ASSOCALPHA;
    TIFFSetField(file_.get(), TIFFTAG_EXTRASAMPLES, count, associated.data());
}

// Whole strips or tiles, because each is decoded from its beginning; small strips together.
std::uint32_t TiffReader::rows_at_once(const TiffHeader& header) const
{
    constexpr std::uint32_t min_rows = 64;
    std::uint32_t rows = 0;
    const auto tag = TIFFIsTiled(file_.get()) != 0 ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP;
    TIFFGetFieldDefaulted(file_.get(), static_cast<std::uint32_t>(tag), &rows);
    if (rows == 0 || rows >= header.height) return header.height;
    return rows * std::max(min_rows / rows, 1u);
}

DecodeResult<PixelBytes> TiffReader::read_stored(const TiffHeader& header, const Reduction& reduction)
{
    declare_unconverted(header);
    const std::uint32_t band = rows_at_once(header);
    if (reduction.factor > 1 && std::uint64_t{band} * header.width > reduction.max_whole_pixels)
        return std::unexpected("its strips are too large to be reduced");
    std::array<char, 1'024> message{}; // the size that the library expects
    constexpr int stop_on_error = 1;
    TIFFRGBAImage image{};
    if (TIFFRGBAImageOK(file_.get(), message.data()) != 1 ||
        TIFFRGBAImageBegin(&image, file_.get(), stop_on_error, message.data()) != 1)
        return std::unexpected(fmt::format("the image data is invalid ({})", message.data()));
    const std::unique_ptr<TIFFRGBAImage, decltype(&TIFFRGBAImageEnd)> end(&image, TIFFRGBAImageEnd);
    image.req_orientation = ORIENTATION_TOPLEFT;
    BoxFilter filter({header.width, header.height}, reduction.factor);
    std::vector<std::uint32_t> raster(std::uint64_t{header.width} * band); // ABGR, alpha in the highest bits
    std::vector<std::uint8_t> row(std::size_t{4} * header.width);
    for (std::uint32_t top = 0; top < header.height; top += band) {
        const std::uint32_t rows = std::min(band, header.height - top);
        image.row_offset = static_cast<int>(top);
        if (TIFFRGBAImageGet(&image, raster.data(), header.width, rows) != 1)
            return std::unexpected(reason());
        for (std::size_t y = 0; y < rows; ++y) {
            for (std::size_t x = 0; x < header.width; ++x)
                store(raster[y * header.width + x], header.alpha, row.data() + 4 * x);
            filter.add_row(row.data());
        }
    }
    return filter.take();
}

// Some programs write a fourth sample of unspecified meaning that is 0 everywhere.
void drop_empty_alpha(PixelBytes& pixels)
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

DecodeResult<PixelBytes> tiff_pixels(Bytes bytes, ImageSize size)
{
    return tiff_reduced(bytes, size, {});
}

DecodeResult<PixelBytes> tiff_reduced(Bytes bytes, ImageSize size, const Reduction& reduction)
{
    const std::uint64_t pixels_at_once =
        reduction.factor == 1 ? pixel_count(size) : std::min(pixel_count(size), reduction.max_whole_pixels);
    TiffReader reader(bytes, base_allocation_bytes + bytes.size() + bytes_per_pixel * pixels_at_once);
    const auto header = reader.header();
    if (!header) return std::unexpected(header.error());
    const auto stored = reader.read_stored(*header, reduction);
    if (!stored) return stored;
    TiffHeader reduced = *header;
    const ImageSize stored_size = reduced_size({header->width, header->height}, reduction.factor);
    reduced.width = stored_size.width;
    reduced.height = stored_size.height;
    PixelBytes pixels(stored->size());
    const std::uint8_t* from = stored->data();
    for (std::uint32_t y = 0; y < reduced.height; ++y)
        for (std::uint32_t x = 0; x < reduced.width; ++x, from += 4)
            std::memcpy(pixels.data() + 4 * image_index_of(reduced, x, y), from, 4);
    if (header->alpha == Alpha::unspecified) drop_empty_alpha(pixels);
    return pixels;
}

} // namespace vitrine::images
