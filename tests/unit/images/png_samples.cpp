#include "tests/unit/images/png_samples.hpp"

#include <array>
#include <random>
#include <stdexcept>

#include <png.h>

namespace vitrine::test {
namespace {

void append_bytes(png_structp png, png_bytep bytes, std::size_t count)
{
    static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), count);
}

void flush_nothing(png_structp /*png*/) {}

[[noreturn]] void throw_error(png_structp /*png*/, png_const_charp message)
{
    throw std::runtime_error(message);
}

void set_colors(png_structp png, png_infop info, const PngKind& kind)
{
    std::mt19937 random(7);
    std::array<png_color, 256> palette{};
    for (png_color& color : palette)
        color = {static_cast<png_byte>(random()), static_cast<png_byte>(random()),
                 static_cast<png_byte>(random())};
    if (kind.color_type == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette.data(), 1 << kind.bits);
    if (!kind.transparent) return;
    std::array<png_byte, 100> alphas{};
    for (std::size_t i = 0; i < alphas.size(); ++i)
        alphas[i] = static_cast<png_byte>(i);
    const auto value = static_cast<png_uint_16>(1);
    png_color_16 color{.index = 0, .red = value, .green = value, .blue = value, .gray = value};
    const bool is_indexed = kind.color_type == PNG_COLOR_TYPE_PALETTE;
    png_set_tRNS(png, info, is_indexed ? alphas.data() : nullptr,
                 is_indexed ? static_cast<int>(alphas.size()) : 1, &color);
}

} // namespace

std::size_t row_bytes(const PngKind& kind)
{
    constexpr std::array<std::size_t, 7> channels{1, 0, 3, 1, 2, 0, 4};
    const std::size_t count = channels.at(static_cast<std::size_t>(kind.color_type));
    return (kind.width * count * static_cast<std::size_t>(kind.bits) + 7) / 8;
}

std::string write_png(const PngKind& kind, std::string_view rows)
{
    std::string out;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, throw_error, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &out, append_bytes, flush_nothing);
    png_set_IHDR(png, info, kind.width, kind.height, kind.bits, kind.color_type,
                 kind.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    set_colors(png, info, kind);
    png_write_info(png, info);
    const int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; ++pass)
        for (std::size_t y = 0; y < kind.height; ++y)
            png_write_row(png, reinterpret_cast<const png_byte*>(rows.data()) + y * row_bytes(kind));
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return out;
}

std::vector<PngKind> every_png_kind(std::uint32_t width, std::uint32_t height)
{
    std::vector<PngKind> kinds;
    for (const int bits : {1, 2, 4, 8, 16})
        kinds.push_back({width, height, bits, PNG_COLOR_TYPE_GRAY});
    for (const int type : {PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB_ALPHA})
        for (const int bits : {8, 16})
            kinds.push_back({width, height, bits, type});
    for (const int type : {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_PALETTE})
        kinds.push_back({width, height, 8, type, false, true});
    kinds.push_back({width, height, 8, PNG_COLOR_TYPE_PALETTE});
    return kinds;
}

} // namespace vitrine::test
