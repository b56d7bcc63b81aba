#include "loaders/images/image.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <new>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "loaders/images/codecs.hpp"
#include "loaders/images/reduction.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::images {
namespace {

using namespace std::string_view_literals;

struct Magic {
    ImageFileKind kind;
    std::size_t at;
    std::string_view bytes;
};

constexpr Magic magics[] = {
    {ImageFileKind::png, 0, "\x89PNG\r\n\x1a\n"sv},
    {ImageFileKind::jpeg, 0, "\xFF\xD8\xFF"sv},
    {ImageFileKind::gif, 0, "GIF8"sv},
    {ImageFileKind::webp, 8, "WEBP"sv},
    {ImageFileKind::psd, 0, "8BPS"sv},
    {ImageFileKind::ktx2, 0, "\xABKTX 20\xBB"sv},
    {ImageFileKind::ktx, 0, "\xABKTX 11\xBB"sv},
    {ImageFileKind::dds, 0, "DDS "sv},
    {ImageFileKind::tiff, 0, "II*\0"sv},
    {ImageFileKind::tiff, 0, "MM\0*"sv},
    {ImageFileKind::tiff, 0, "II+\0"sv}, // BigTIFF
    {ImageFileKind::tiff, 0, "MM\0+"sv},
    {ImageFileKind::jpeg_xr, 0, "II\xBC\x01"sv},
    {ImageFileKind::exr, 0, "v/1\x01"sv},
    {ImageFileKind::jpeg2000, 0, "\0\0\0\x0CjP  \r\n\x87\n"sv},
    {ImageFileKind::jpeg2000, 0, "\xFF\x4F\xFF\x51"sv},
    {ImageFileKind::jpeg_xl, 0, "\0\0\0\x0CJXL \r\n\x87\n"sv},
    {ImageFileKind::qoi, 0, "qoif"sv},
    {ImageFileKind::xcf, 0, "gimp xcf "sv},
    {ImageFileKind::vtf, 0, "VTF\0"sv},
    {ImageFileKind::astc, 0, "\x13\xAB\xA1\x5C"sv},
    {ImageFileKind::pvr, 0, "PVR\x03"sv},
    {ImageFileKind::hdr, 0, "#?RADIANCE"sv},
    {ImageFileKind::hdr, 0, "#?RGBE"sv},
    {ImageFileKind::basis, 0, "sB\x13\x00\x4D\x00"sv},
    {ImageFileKind::bmp, 0, "BM"sv},
};

bool has(Bytes bytes, const Magic& magic)
{
    return bytes.size() >= magic.at + magic.bytes.size() &&
           std::memcmp(bytes.data() + magic.at, magic.bytes.data(), magic.bytes.size()) == 0;
}

struct Codec {
    DecodeResult<ImageSize> (*size)(Bytes bytes);
    DecodeResult<PixelBytes> (*pixels)(Bytes bytes, ImageSize size);
    // Null: the format is decoded as a whole.
    DecodeResult<PixelBytes> (*reduced)(Bytes bytes, ImageSize size, const Reduction& reduction) = nullptr;
    // Null: only decoding shows whether the pixels are valid and opaque.
    DecodeResult<Opacity> (*check)(Bytes bytes, ImageSize size) = nullptr;
};

// Empty if there is no decoder for this format.
std::optional<Codec> find_codec(ImageFileKind kind)
{
    switch (kind) {
    case ImageFileKind::png: return Codec{png_size, png_pixels, png_reduced, png_check};
    case ImageFileKind::tga: return Codec{tga_size, tga_pixels, nullptr, tga_check};
    case ImageFileKind::bmp: return Codec{bmp_size, bmp_pixels};
    case ImageFileKind::psd: return Codec{psd_size, psd_pixels};
    case ImageFileKind::gif: return Codec{gif_size, gif_pixels};
    case ImageFileKind::jpeg: return Codec{jpeg_size, jpeg_pixels, jpeg_reduced, jpeg_check};
    case ImageFileKind::webp: return Codec{webp_size, webp_pixels, webp_reduced};
    case ImageFileKind::pcx: return Codec{pcx_size, pcx_pixels};
    case ImageFileKind::tiff: return Codec{tiff_size, tiff_pixels, tiff_reduced};
    case ImageFileKind::dds: return Codec{dds_size, dds_pixels, dds_reduced};
    case ImageFileKind::hdr: return Codec{hdr_size, hdr_pixels};
    default: return std::nullopt;
    }
}

std::unexpected<LoadError> invalid_image(ImageFileKind kind, std::string_view name, const std::string& reason)
{
    return fail(LoadErrc::malformed, std::string(name), fmt::format("{} image: {}", to_string(kind), reason));
}

// TGA version 2 has a signature at its end.
bool has_tga_footer(Bytes bytes)
{
    constexpr auto tga_footer = "TRUEVISION-XFILE.\0"sv;
    return bytes.size() > tga_footer.size() && std::memcmp(bytes.data() + bytes.size() - tga_footer.size(),
                                                           tga_footer.data(), tga_footer.size()) == 0;
}

// A PCX starts with four small numbers; a weak signature, so it is checked last.
bool looks_like_pcx(Bytes bytes)
{
    const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(bytes[i]); };
    return bytes.size() > 128 && at(0) == 10 && at(1) <= 5 && at(2) <= 1 && std::has_single_bit(at(3)) &&
           at(3) <= 8 && at(64) == 0;
}

// Detects formats based on the ISO base media file format (ISO/IEC 14496-12, 4.3): the first box lists the
// brands of the file.
ImageFileKind brand_of(Bytes bytes)
{
    constexpr std::size_t header_bytes = 8, max_bytes = 64;
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                                std::min(bytes.size(), max_bytes));
    if (text.size() <= header_bytes || text.substr(4, 4) != "ftyp") return ImageFileKind::unknown;
    const std::string_view brands = text.substr(header_bytes);
    for (const std::string_view avif : {"avif"sv, "avis"sv})
        if (brands.contains(avif)) return ImageFileKind::avif;
    for (const std::string_view heic : {"heic"sv, "heix"sv, "hevc"sv, "mif1"sv})
        if (brands.contains(heic)) return ImageFileKind::heic;
    return ImageFileKind::unknown;
}

// Whether the bytes are XML with an <svg> element near the beginning.
bool looks_like_svg(Bytes bytes)
{
    constexpr std::size_t max_bytes = 1024;
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), max_bytes));
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.starts_with("<svg")) return true;
    const bool is_xml = text.starts_with("<?xml") || text.starts_with("<!");
    return is_xml && text.contains("<svg");
}

struct ImageFile {
    ImageFileKind kind = ImageFileKind::unknown;
    Codec codec{};
    ImageSize size;
};

LoadResult<ImageFile> open_image(Bytes bytes, std::string_view name)
{
    const ImageFileKind kind = detect_kind(bytes, name);
    if (kind == ImageFileKind::unknown)
        return fail(LoadErrc::unknown_format, std::string(name), "the bytes are not a known image format");
    const auto codec = find_codec(kind);
    if (!codec)
        return fail(LoadErrc::unsupported, std::string(name),
                    fmt::format("it is {} image, a format that is not supported", with_article(kind)));
    const DecodeResult<ImageSize> size = codec->size(bytes);
    if (!size) return invalid_image(kind, name, size.error());
    return ImageFile{kind, *codec, *size};
}

LoadResult<scene::Image> decode_whole(const ImageFile& file, Bytes bytes, std::string_view name)
{
    DecodeResult<PixelBytes> pixels = file.codec.pixels(bytes, file.size);
    if (!pixels) return invalid_image(file.kind, name, pixels.error());
    return scene::Image{std::string(name), file.size.width, file.size.height, std::move(*pixels)};
}

// Decodes the image only if its opacity is not known otherwise.
LoadResult<scene::Image> check_whole(const ImageFile& file, Bytes bytes, std::string_view name)
{
    const DecodeResult<Opacity> opacity =
        file.codec.check == nullptr ? Opacity::unknown : file.codec.check(bytes, file.size);
    if (!opacity) return invalid_image(file.kind, name, opacity.error());
    if (*opacity == Opacity::unknown) return decode_whole(file, bytes, name);
    return scene::Image{std::string(name), file.size.width, file.size.height, {}, true};
}

// `ratio`: the size is limited to so many times Limits::image_pixels.
std::unexpected<LoadError> too_large(std::string_view name, ImageSize size, std::uint64_t ratio,
                                     const Limits& limits)
{
    const auto pixels = fmt::format("{} x {} pixels", size.width, size.height);
    if (ratio == 1)
        return io::limit_exceeded_error(std::string(name), pixels, "image_pixels", limits.image_pixels);
    return fail(LoadErrc::limit_exceeded, std::string(name),
                fmt::format("{}: more than {} times the limit image_pixels = {}", pixels, ratio,
                            limits.image_pixels));
}

} // namespace

ImageFileKind detect_kind(Bytes bytes, std::string_view name)
{
    for (const Magic& magic : magics)
        if (has(bytes, magic)) return magic.kind;
    if (const ImageFileKind kind = brand_of(bytes); kind != ImageFileKind::unknown) return kind;
    if (looks_like_svg(bytes)) return ImageFileKind::svg;
    const std::string extension = io::extension_of(name);
    if (extension == ".tga" || extension == ".vda" || extension == ".icb") return ImageFileKind::tga;
    if (extension == ".pcx") return ImageFileKind::pcx;
    if (has_tga_footer(bytes)) return ImageFileKind::tga;
    if (has(bytes, {ImageFileKind::jpeg_xl, 0, "\xFF\x0A"sv}))
        return ImageFileKind::jpeg_xl; // only two bytes, so tested late
    return looks_like_pcx(bytes) ? ImageFileKind::pcx : ImageFileKind::unknown;
}

std::string_view with_article(ImageFileKind kind)
{
    constexpr std::string_view names[] = {
        "an unknown",  "a PNG",     "a JPEG",    "a TGA",      "a BMP",   "a PSD",
        "a GIF",       "a WebP",    "a KTX",     "a KTX2",     "a DDS",   "a Basis Universal",
        "an HDR",      "a PCX",     "a TIFF",    "an OpenEXR", "an AVIF", "a HEIC",
        "a JPEG 2000", "a JPEG XL", "a JPEG XR", "an SVG",     "a QOI",   "an XCF",
        "a VTF",       "an ASTC",   "a PVR"};
    static_assert(std::size(names) == std::to_underlying(ImageFileKind::pvr) + 1);
    return names[std::to_underlying(kind)];
}

std::string_view to_string(ImageFileKind kind)
{
    const std::string_view name = with_article(kind);
    return name.substr(name.find(' ') + 1);
}

ImageSize read_size(Bytes bytes, std::string_view name)
{
    const auto codec = find_codec(detect_kind(bytes, name));
    if (!codec) return {};
    return codec->size(bytes).value_or(ImageSize{});
}

LoadResult<scene::Image> decode_image(Bytes bytes, std::string_view name, const Limits& limits)
{
    const auto file = open_image(bytes, name);
    if (!file) return std::unexpected(file.error());
    if (pixel_count(file->size) > limits.image_pixels) return too_large(name, file->size, 1, limits);
    return decode_whole(*file, bytes, name);
}

LoadResult<scene::Image> decode_reduced(Bytes bytes, std::string_view name, const Limits& limits,
                                        std::uint64_t max_pixels, PixelUse use)
{
    const auto file = open_image(bytes, name);
    if (!file) return std::unexpected(file.error());
    max_pixels = std::min(max_pixels, limits.image_pixels);
    const std::uint64_t pixels = pixel_count(file->size);
    if (pixels <= max_pixels)
        return use == PixelUse::check ? check_whole(*file, bytes, name) : decode_whole(*file, bytes, name);
    if (max_pixels < min_reduced_pixels) return too_large(name, file->size, 1, limits);
    const std::uint64_t ratio = file->codec.reduced == nullptr ? max_whole_ratio : max_file_ratio;
    if (pixels / ratio > limits.image_pixels) return too_large(name, file->size, ratio, limits);
    const Reduction reduction{reduction_factor(file->size, max_pixels),
                              max_whole_ratio * std::min(limits.image_pixels, pixels)};
    // The process has a memory limit, and the file may need much more than its result.
    try {
        auto reduced = file->codec.reduced == nullptr
                           ? decode_and_reduce(file->codec.pixels, bytes, file->size, reduction)
                           : file->codec.reduced(bytes, file->size, reduction);
        if (!reduced) return invalid_image(file->kind, name, reduced.error());
        const ImageSize size = reduced_size(file->size, reduction.factor);
        return scene::Image{std::string(name), size.width, size.height, std::move(*reduced)};
    } catch (const std::bad_alloc&) {
        return fail(LoadErrc::limit_exceeded, std::string(name),
                    fmt::format("there is not enough memory to reduce its {} x {} pixels", file->size.width,
                                file->size.height));
    }
}

std::string unusable_image_message(std::string_view name, std::string_view reason)
{
    if (name.empty()) return fmt::format("an image cannot be used: {}", reason);
    return fmt::format("the image {} cannot be used: {}", io::shown(name), reason);
}

} // namespace vitrine::images
