// The flattened image of a Photoshop file ("Adobe Photoshop File Formats Specification"): bitmap, gray,
// indexed, RGB, CMYK, duotone (shown as gray) and Lab.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/base/srgb.hpp"
#include "loaders/images/psd_channels.hpp"

namespace vitrine::images {
namespace {

using namespace psd;

constexpr std::size_t palette_bytes = 768; // 256 red values, then green, then blue

// Number of color channels without alpha; 0 if the image is not supported.
unsigned colors_of(const Header& header)
{
    const bool is_deep = header.depth == 8 || header.depth == 16;
    switch (header.mode) {
    case bitmap: return header.depth == 1 ? 1 : 0;
    case indexed: return header.depth == 8 ? 1 : 0;
    case duotone: return is_deep ? 1 : 0;
    case gray: return is_deep || header.depth == 32 ? 1 : 0;
    case rgb: return is_deep || header.depth == 32 ? 3 : 0;
    case cmyk: return is_deep ? 4 : 0;
    case lab: return is_deep ? 3 : 0;
    default: return 0;
    }
}

std::uint8_t to_srgb(double light)
{
    return static_cast<std::uint8_t>(
        std::lround(255.0 * std::clamp(scene::srgb_from_linear(light), 0.0, 1.0)));
}

// Converts CIE Lab with D50 white (L from 0 to 255, a and b around 128) to sRGB, with the Bradford-adapted
// D50 matrix.
void paint_lab(unsigned l, unsigned a, unsigned b, std::uint8_t* to)
{
    const double y = (l * 100.0 / 255.0 + 16.0) / 116.0;
    const auto cube = [](double t) { return t > 6.0 / 29.0 ? t * t * t : (t - 4.0 / 29.0) * 108.0 / 841.0; };
    const double x = 0.96422 * cube(y + (a - 128.0) / 500.0);
    const double z = 0.82521 * cube(y - (b - 128.0) / 200.0);
    const double light = cube(y);
    to[0] = to_srgb(3.1338561 * x - 1.6168667 * light - 0.4906146 * z);
    to[1] = to_srgb(-0.9787684 * x + 1.9161415 * light + 0.0334540 * z);
    to[2] = to_srgb(0.0719453 * x - 0.2289914 * light + 1.4052427 * z);
}

void paint(const PsdImage& from, std::size_t pixel, std::uint8_t* to)
{
    const auto at = [&](std::size_t channel) { return unsigned{from.channels[channel][pixel]}; };
    const auto set = [&](unsigned red, unsigned green, unsigned blue) {
        to[0] = static_cast<std::uint8_t>(red);
        to[1] = static_cast<std::uint8_t>(green);
        to[2] = static_cast<std::uint8_t>(blue);
    };
    const auto entry = [&](std::size_t i) { return std::to_integer<unsigned>(from.palette[i]); };
    switch (from.header.mode) {
    case rgb: return set(at(0), at(1), at(2));
    case lab: return paint_lab(at(0), at(1), at(2), to);
    case cmyk: // stored as 255 minus ink
        return set(at(0) * at(3) / 255, at(1) * at(3) / 255, at(2) * at(3) / 255);
    case indexed:
        if (from.palette.size() == palette_bytes)
            return set(entry(at(0)), entry(256 + at(0)), entry(512 + at(0)));
        [[fallthrough]];
    default: return set(at(0), at(0), at(0));
    }
}

// Restores a color that was blended with white by its alpha.
void remove_white_matte(std::uint8_t* pixel)
{
    const int alpha = pixel[3];
    if (alpha == 0 || alpha == 255) return;
    for (int i = 0; i < 3; ++i)
        pixel[i] = static_cast<std::uint8_t>(std::clamp(255 - (255 - pixel[i]) * 255 / alpha, 0, 255));
}

} // namespace

Decoded<Size> psd_size(Bytes bytes)
{
    io::ByteReader in(bytes);
    const auto header = read_header(in);
    if (!header) return std::unexpected(header.error());
    return header->size;
}

Decoded<Pixels> psd_pixels(Bytes bytes, Size size)
{
    io::ByteReader in(bytes);
    const auto header = read_header(in);
    if (!header) return std::unexpected(header.error());
    const unsigned colors = colors_of(*header);
    if (colors == 0)
        return std::unexpected(fmt::format("color mode {} with {} bits per channel is not supported",
                                           header->mode, header->depth));
    const auto picture = read_psd_image(in, *header, colors);
    if (!picture) return std::unexpected(picture.error());
    Pixels pixels(4 * pixel_count(size));
    for (std::size_t i = 0; i < pixel_count(size); ++i) {
        std::uint8_t* to = pixels.data() + 4 * i;
        paint(*picture, i, to);
        to[3] = picture->channels.size() > colors ? picture->channels[colors][i] : 255;
        if (picture->has_matte) remove_white_matte(to);
    }
    return pixels;
}

} // namespace vitrine::images
