#include "vk_renderer/textures/mipmaps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "loaders/base/srgb.hpp"

namespace vitrine::render {
namespace {

constexpr std::uint32_t linear_steps =
    (1u << 14) - 1; // sRGB changes by at most 0.2 of its 8-bit steps between adjacent entries

// Converts to values that may be summed, and back from the sum of four.
struct TransferFunction {
    std::array<std::uint16_t, 256> forth{};
    std::array<std::uint8_t, linear_steps + 1> back{};
};

TransferFunction linear_light()
{
    TransferFunction curve;
    for (std::size_t i = 0; i < curve.forth.size(); ++i)
        curve.forth[i] = static_cast<std::uint16_t>(
            std::lround(linear_from_srgb(static_cast<float>(i) / 255.0f) * static_cast<float>(linear_steps)));
    for (std::size_t i = 0; i < curve.back.size(); ++i)
        curve.back[i] = static_cast<std::uint8_t>(
            std::lround(srgb_from_linear(static_cast<float>(i) / static_cast<float>(linear_steps)) * 255.0f));
    return curve;
}

const TransferFunction& curve()
{
    static const TransferFunction made = linear_light();
    return made;
}

using Texel = const std::uint8_t*;

// Averages four texels. If all weights are zero, all count equally.
void average_visible(const std::array<Texel, 4>& from, std::array<std::uint32_t, 4> shown, std::uint8_t* to)
{
    const auto& [forth, back] = curve();
    auto weight = shown[0] + shown[1] + shown[2] + shown[3];
    to[3] = static_cast<std::uint8_t>((weight + 2) / 4);
    if (weight == 0) {
        shown.fill(1);
        weight = 4;
    }
    for (std::size_t c = 0; c < 3; ++c) {
        std::uint32_t sum = weight / 2;
        for (std::size_t i = 0; i < 4; ++i)
            sum += shown[i] * forth[from[i][c]];
        to[c] = back[sum / weight];
    }
}

// The levels below the first, each made by `halved` from the previous one.
std::vector<std::uint8_t> levels_by(std::span<const std::uint8_t> pixels, std::uint32_t width,
                                    std::uint32_t height, const auto& halved)
{
    std::size_t bytes = 0;
    for (auto w = width, h = height; w > 1 || h > 1;) {
        w = std::max(w / 2, 1u), h = std::max(h / 2, 1u);
        bytes += std::size_t{4} * w * h;
    }
    std::vector<std::uint8_t> levels(bytes);
    auto above = pixels;
    for (std::size_t at = 0; at < bytes; at += above.size()) {
        const auto w = std::max(width / 2, 1u), h = std::max(height / 2, 1u);
        const auto level = std::span(levels).subspan(at, std::size_t{4} * w * h);
        halved(above, width, height, level);
        above = level;
        width = w, height = h;
    }
    return levels;
}

} // namespace

void downsample(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height, bool srgb,
                std::span<std::uint8_t> out)
{
    const auto& [forth, back] = curve();
    const std::size_t to_width = std::max(width / 2, 1u), to_height = std::max(height / 2, 1u);
    const std::size_t right = width > 1 ? 4 : 0; // offset of the neighbor in bytes
    const std::size_t below = height > 1 ? std::size_t{width} * 4 : 0;
    for (std::size_t y = 0; y < to_height; ++y) {
        const auto* from = pixels.data() + y * 2 * width * 4;
        auto* to = out.data() + y * to_width * 4;
        for (std::size_t x = 0; x < to_width; ++x, from += 8, to += 4) {
            for (std::size_t c = 0; c < 4; ++c) {
                const std::array four{from[c], from[c + right], from[c + below], from[c + right + below]};
                if (!srgb || c == 3) {
                    to[c] = static_cast<std::uint8_t>((four[0] + four[1] + four[2] + four[3] + 2) / 4);
                    continue;
                }
                const std::uint32_t sum = forth[four[0]] + forth[four[1]] + forth[four[2]] + forth[four[3]];
                to[c] = back[(sum + 2) / 4];
            }
        }
    }
}

void downsample_visible(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height,
                        std::uint8_t min_alpha, std::span<std::uint8_t> out)
{
    const std::size_t to_width = std::max(width / 2, 1u), to_height = std::max(height / 2, 1u);
    const std::size_t right = width > 1 ? 4 : 0;
    const std::size_t below = height > 1 ? std::size_t{width} * 4 : 0;
    const auto shown = [&](Texel texel) -> std::uint32_t {
        if (min_alpha == 0) return texel[3];
        return texel[3] >= min_alpha ? 255 : 0;
    };
    for (std::size_t y = 0; y < to_height; ++y) {
        const auto* at = pixels.data() + y * 2 * width * 4;
        auto* to = out.data() + y * to_width * 4;
        for (std::size_t x = 0; x < to_width; ++x, at += 8, to += 4) {
            const std::array<Texel, 4> four{at, at + right, at + below, at + right + below};
            average_visible(four, {shown(four[0]), shown(four[1]), shown(four[2]), shown(four[3])}, to);
        }
    }
}

std::vector<std::uint8_t> mipmaps(std::span<const std::uint8_t> pixels, std::uint32_t width,
                                  std::uint32_t height, bool srgb)
{
    return levels_by(pixels, width, height,
                     [&](auto above, auto w, auto h, auto level) { downsample(above, w, h, srgb, level); });
}

std::vector<std::uint8_t> blended_mipmaps(std::span<const std::uint8_t> pixels, std::uint32_t width,
                                          std::uint32_t height)
{
    return levels_by(pixels, width, height, [](auto above, auto w, auto h, auto level) {
        downsample_visible(above, w, h, 0, level);
    });
}

} // namespace vitrine::render
