#include "vk_renderer/textures/alpha_coverage.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "vk_renderer/textures/mipmaps.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t min_level_texels = 64;

// Tolerance of mesh.frag below the cutoff.
constexpr float cutoff_slack = 1.0f / 1024.0f;

// Values 0 to 255, evenly distributed in every small neighborhood: a rank-1 lattice of the plastic number
// (Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences").
std::uint32_t dither_noise(std::uint32_t x, std::uint32_t y)
{
    return (x * 3242174889u + y * 2447445414u) >> 24;
}

// Of texels that are half visible, half exceed 0; entirely visible or hidden texels are outside the dithered
// range.
constexpr int min_dithered = -128, max_dithered = 383;

int dithered_alpha(std::uint8_t visible, std::uint32_t x, std::uint32_t y)
{
    if (visible == 0) return min_dithered;
    if (visible == 255) return max_dithered;
    return static_cast<int>(visible) + static_cast<int>(dither_noise(x, y)) - 128;
}

// Histogram of dithered values at four points per texel as a linear filter samples them; the image repeats.
class CoverageHistogram {
public:
    CoverageHistogram(std::span<const std::int16_t> dithered, std::uint32_t width, std::uint32_t height)
    {
        for (std::uint32_t y = 0; y < height; ++y)
            for (std::uint32_t x = 0; x < width; ++x)
                add(dithered, width, x, x + 1 < width ? x + 1 : 0, y, y + 1 < height ? y + 1 : 0);
        total_ = std::size_t{4} * width * height;
    }

    // Returns the threshold that the fraction `fraction` of the points exceeds as nearly as possible; the
    // middle of equally good ones.
    int threshold_of(double fraction) const
    {
        const double target_count = fraction * static_cast<double>(total_);
        std::size_t covered = 0;
        int last = max_dithered + 1; // previous value that passes
        for (int value = max_dithered; value >= min_dithered; --value) {
            const auto count_at_value = count_[static_cast<std::size_t>(value - min_dithered)];
            if (count_at_value == 0) continue;
            if (static_cast<double>(covered) + 0.5 * static_cast<double>(count_at_value) > target_count)
                return value + (last - value + 1) / 2;
            covered += count_at_value;
            last = value;
        }
        return min_dithered;
    }

private:
    void add(std::span<const std::int16_t> dithered, std::size_t width, std::size_t x, std::size_t right,
             std::size_t y, std::size_t below)
    {
        const int a = dithered[y * width + x], b = dithered[y * width + right];
        const int c = dithered[below * width + x], d = dithered[below * width + right];
        for (const int sixteenths : {9 * a + 3 * b + 3 * c + d, 3 * a + 9 * b + c + 3 * d,
                                     3 * a + b + 9 * c + 3 * d, a + 3 * b + 3 * c + 9 * d})
            ++count_[static_cast<std::size_t>((sixteenths - 16 * min_dithered) / 16)];
    }

    std::array<std::size_t, max_dithered - min_dithered + 1> count_{};
    std::size_t total_ = 0;
};

} // namespace

std::uint8_t min_visible_alpha(const scene::Material& material)
{
    if (material.alpha_mode != scene::AlphaMode::mask || material.base_color_texture.image == scene::none)
        return 0;
    const float min_alpha_factor = (material.alpha_cutoff - cutoff_slack) / material.base_color.w;
    if (!(min_alpha_factor > 0.0f && min_alpha_factor <= 1.0f)) return 0;
    return static_cast<std::uint8_t>(std::ceil(min_alpha_factor * 255.0f));
}

AlphaFilter AlphaFilters::of(const scene::Material& material)
{
    const auto image = material.base_color_texture.image;
    if (material.alpha_mode == scene::AlphaMode::blend && image != scene::none)
        return {.weights_color = has_transparency(image)};
    return {.min_alpha = min_visible_alpha(material)};
}

bool AlphaFilters::has_transparency(std::uint32_t image)
{
    auto& is_transparent = seen_through_[image];
    if (is_transparent) return *is_transparent;
    const auto& pixels = scene_->images[image].pixels;
    bool found = false;
    for (std::size_t at = 3; at < pixels.size() && !found; at += 4)
        found = pixels[at] < 255;
    return *(is_transparent = found);
}

std::uint32_t alpha_coverage_levels(std::uint32_t width, std::uint32_t height)
{
    std::uint32_t levels = 1;
    while (std::max(width, height) > 1) {
        width = std::max(width / 2, 1u);
        height = std::max(height / 2, 1u);
        if (std::size_t{width} * height < min_level_texels) break;
        ++levels;
    }
    return levels;
}

double visible_fraction(std::span<const std::uint8_t> pixels, std::uint8_t min_alpha)
{
    std::size_t visible = 0;
    for (std::size_t at = 3; at < pixels.size(); at += 4)
        visible += pixels[at] >= min_alpha ? 1 : 0;
    return pixels.empty() ? 0.0 : 4.0 * static_cast<double>(visible) / static_cast<double>(pixels.size());
}

void restore_alpha_coverage(std::span<std::uint8_t> pixels, std::uint32_t width, std::uint32_t height,
                            double fraction, std::uint8_t min_alpha)
{
    std::vector<std::int16_t> dithered(pixels.size() / 4);
    for (std::uint32_t y = 0, i = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x, ++i)
            dithered[i] = static_cast<std::int16_t>(dithered_alpha(pixels[std::size_t{i} * 4 + 3], x, y));
    const int threshold = CoverageHistogram(dithered, width, height).threshold_of(fraction);
    // Symmetric around the threshold, so that linear interpolation crosses it at the same position as the
    // dithered values.
    const int middle = min_alpha, amplitude = std::max(std::min(middle, 255 - middle), 1);
    for (std::size_t i = 0; i < dithered.size(); ++i) {
        // Rounds down, so that values below the threshold stay below it.
        const int alpha = middle + ((dithered[i] - threshold) * amplitude >> 8);
        pixels[i * 4 + 3] = static_cast<std::uint8_t>(std::clamp(alpha, 0, 255));
    }
}

std::vector<std::uint8_t> alpha_coverage_mipmaps(std::span<const std::uint8_t> pixels, std::uint32_t width,
                                                 std::uint32_t height, std::uint8_t min_alpha)
{
    struct MipLevel {
        std::size_t first;
        std::uint32_t width, height;
    };
    std::vector<MipLevel> levels;
    std::size_t bytes = 0;
    for (std::uint32_t level = 1; level < alpha_coverage_levels(width, height); ++level) {
        levels.push_back({bytes, std::max(width >> level, 1u), std::max(height >> level, 1u)});
        bytes += std::size_t{4} * levels.back().width * levels.back().height;
    }
    std::vector<std::uint8_t> out(bytes);
    const auto texels = [&](const MipLevel& l) {
        return std::span(out).subspan(l.first, std::size_t{4} * l.width * l.height);
    };
    for (std::size_t i = 0; i < levels.size(); ++i) {
        if (i == 0)
            downsample_visible(pixels, width, height, min_alpha, texels(levels[0]));
        else
            downsample_visible(texels(levels[i - 1]), levels[i - 1].width, levels[i - 1].height, 0,
                               texels(levels[i]));
    }
    const double fraction = visible_fraction(pixels, min_alpha);
    for (const auto& level : levels)
        restore_alpha_coverage(texels(level), level.width, level.height, fraction, min_alpha);
    return out;
}

} // namespace vitrine::render
