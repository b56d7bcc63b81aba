#include "loaders/quake/stage_blending.hpp"

#include <algorithm>

namespace vitrine::quake {
namespace {

using Pixel = std::span<std::uint8_t, 4>;

std::uint8_t brightest(Pixel pixel)
{
    return std::max({pixel[0], pixel[1], pixel[2]});
}

// Rec. 709, of the stored values.
std::uint8_t luma(Pixel pixel)
{
    return static_cast<std::uint8_t>((54 * pixel[0] + 183 * pixel[1] + 19 * pixel[2]) / 256);
}

// The color at full strength: color * alpha equals the original.
void add_light(Pixel pixel, int share)
{
    const int most = brightest(pixel);
    for (std::size_t c = 0; most > 0 && c < 3; ++c)
        pixel[c] = static_cast<std::uint8_t>(pixel[c] * 255 / most);
    pixel[3] = static_cast<std::uint8_t>(most * share / 255);
}

void cover(Pixel pixel, int alpha)
{
    pixel[0] = pixel[1] = pixel[2] = 0;
    pixel[3] = static_cast<std::uint8_t>(alpha);
}

} // namespace

bool needs_alpha_conversion(StageBlend blend, AlphaTest test)
{
    return test == AlphaTest::below_half || (blend != StageBlend::none && blend != StageBlend::alpha);
}

std::array<std::uint8_t, 4> mean_color(std::span<const std::uint8_t> pixels)
{
    const std::uint64_t count = pixels.size() / 4;
    if (count == 0) return {255, 255, 255, 255};
    std::array<std::uint64_t, 4> sum{};
    for (std::size_t i = 0; i < count * 4; ++i)
        sum[i % 4] += pixels[i];
    std::array<std::uint8_t, 4> mean{};
    for (std::size_t c = 0; c < 4; ++c)
        mean[c] = static_cast<std::uint8_t>(sum[c] / count);
    return mean;
}

void set_alpha(std::span<std::uint8_t> pixels, StageBlend blend, AlphaTest test)
{
    for (; pixels.size() >= 4; pixels = pixels.subspan(4)) {
        const Pixel pixel = pixels.first<4>();
        if (test == AlphaTest::below_half)
            pixel[3] = static_cast<std::uint8_t>(255 - pixel[3]);
        else if (blend == StageBlend::add)
            add_light(pixel, 255);
        else if (blend == StageBlend::add_alpha)
            add_light(pixel, pixel[3]);
        else if (blend == StageBlend::filter)
            cover(pixel, 255 - luma(pixel));
        else if (blend == StageBlend::darken)
            cover(pixel, luma(pixel));
    }
}

} // namespace vitrine::quake
