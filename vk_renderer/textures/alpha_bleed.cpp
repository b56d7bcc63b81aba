#include "vk_renderer/textures/alpha_bleed.hpp"

#include <algorithm>

#include "vk_renderer/textures/mipmaps.hpp"

namespace vitrine::render {
namespace {

struct PyramidLevel {
    std::uint32_t width, height;
    std::vector<std::uint8_t> pixels; // alpha: visible fraction
};

// Texels with less alpha take the color of the coarser level's texel.
void fill(std::span<std::uint8_t> pixels, std::uint32_t width, std::uint32_t height, std::uint8_t min_alpha,
          const PyramidLevel& above)
{
    for (std::uint32_t y = 0; y < height; ++y) {
        const auto row = std::size_t{std::min(y / 2, above.height - 1)} * above.width;
        auto* to = pixels.data() + std::size_t{y} * width * 4;
        for (std::uint32_t x = 0; x < width; ++x, to += 4) {
            if (to[3] >= min_alpha) continue;
            const auto* from = above.pixels.data() + (row + std::min(x / 2, above.width - 1)) * 4;
            std::copy_n(from, 3, to);
        }
    }
}

// Levels by 2 x 2 averages, down to one texel.
std::vector<PyramidLevel> pyramid_of(std::span<const std::uint8_t> pixels, std::uint32_t width,
                                     std::uint32_t height, std::uint8_t min_alpha)
{
    std::vector<PyramidLevel> levels;
    while (width > 1 || height > 1) {
        PyramidLevel level{std::max(width / 2, 1u), std::max(height / 2, 1u), {}};
        level.pixels.resize(std::size_t{4} * level.width * level.height);
        downsample_visible(pixels, width, height, levels.empty() ? min_alpha : 0, level.pixels);
        levels.push_back(std::move(level));
        pixels = levels.back().pixels;
        width = levels.back().width;
        height = levels.back().height;
    }
    return levels;
}

} // namespace

std::vector<std::uint8_t> bleed(std::span<const std::uint8_t> pixels, std::uint32_t width,
                                std::uint32_t height, std::uint8_t min_alpha)
{
    std::size_t hidden = 0;
    for (std::size_t at = 3; at < pixels.size(); at += 4)
        hidden += pixels[at] < min_alpha ? 1 : 0;
    if (hidden == 0 || 4 * hidden == pixels.size()) return {};
    auto levels = pyramid_of(pixels, width, height, min_alpha);
    for (std::size_t i = levels.size() - 1; i > 0; --i)
        fill(levels[i - 1].pixels, levels[i - 1].width, levels[i - 1].height, 1, levels[i]);
    std::vector<std::uint8_t> out(pixels.begin(), pixels.end());
    fill(out, width, height, min_alpha, levels.front());
    return out;
}

} // namespace vitrine::render
