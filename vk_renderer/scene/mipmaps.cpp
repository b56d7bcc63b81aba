#include "vk_renderer/scene/mipmaps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace vitrine::render {
namespace {

constexpr std::uint32_t linear_steps =
    (1u << 14) - 1; // sRGB rises by at most 0.2 of its steps from one to the next

float to_linear(float srgb)
{
    return srgb <= 0.04045f ? srgb / 12.92f : std::pow((srgb + 0.055f) / 1.055f, 2.4f);
}

float to_srgb(float linear)
{
    return linear <= 0.0031308f ? linear * 12.92f : 1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f;
}

// To numbers that may be added, and back from the sum of four.
struct Curve {
    std::array<std::uint16_t, 256> forth{};
    std::array<std::uint8_t, linear_steps + 1> back{};
};

Curve linear_light()
{
    Curve curve;
    for (std::size_t i = 0; i < curve.forth.size(); ++i)
        curve.forth[i] = static_cast<std::uint16_t>(
            std::lround(to_linear(static_cast<float>(i) / 255.0f) * static_cast<float>(linear_steps)));
    for (std::size_t i = 0; i < curve.back.size(); ++i)
        curve.back[i] = static_cast<std::uint8_t>(
            std::lround(to_srgb(static_cast<float>(i) / static_cast<float>(linear_steps)) * 255.0f));
    return curve;
}

} // namespace

void halve(std::span<const std::uint8_t> pixels, std::uint32_t width, std::uint32_t height, bool srgb,
           std::span<std::uint8_t> out)
{
    static const Curve curve = linear_light();
    const std::size_t to_width = std::max(width / 2, 1u), to_height = std::max(height / 2, 1u);
    const std::size_t right = width > 1 ? 4 : 0; // bytes to the neighbour
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
                const std::uint32_t sum =
                    curve.forth[four[0]] + curve.forth[four[1]] + curve.forth[four[2]] + curve.forth[four[3]];
                to[c] = curve.back[(sum + 2) / 4];
            }
        }
    }
}

} // namespace vitrine::render
