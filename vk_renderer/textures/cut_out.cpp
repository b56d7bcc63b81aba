#include "vk_renderer/textures/cut_out.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "vk_renderer/textures/mipmaps.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t fewest_texels = 64;

// What mesh.frag lets pass below the cutoff.
constexpr float cutoff_slack = 1.0f / 1024.0f;

// 0 to 255, even over any few neighbours: a rank-1 lattice of the plastic number (Roberts, "The Unreasonable
// Effectiveness of Quasirandom Sequences").
std::uint32_t even_noise(std::uint32_t x, std::uint32_t y)
{
    return (x * 3242174889u + y * 2447445414u) >> 24;
}

// Where half of a texel is shown, half of such texels pass 0; what is wholly shown or hidden stays clear of
// it.
constexpr int lowest = -128, highest = 383;

int drawn_lot(std::uint8_t shown, std::uint32_t x, std::uint32_t y)
{
    if (shown == 0) return lowest;
    if (shown == 255) return highest;
    return static_cast<int>(shown) + static_cast<int>(even_noise(x, y)) - 128;
}

// What passes how often, over four points of every texel as a linear filter sees them, the image repeated.
class Passing {
public:
    Passing(std::span<const std::int16_t> lots, std::uint32_t width, std::uint32_t height)
    {
        for (std::uint32_t y = 0; y < height; ++y)
            for (std::uint32_t x = 0; x < width; ++x)
                add(lots, width, x, x + 1 < width ? x + 1 : 0, y, y + 1 < height ? y + 1 : 0);
        total_ = std::size_t{4} * width * height;
    }

    // The lot from which on `share` of the points pass, or as nearly so as can be; amid those as good.
    int threshold_of(double share) const
    {
        const double wanted = share * static_cast<double>(total_);
        std::size_t passed = 0;
        int last = highest + 1; // that passes
        for (int lot = highest; lot >= lowest; --lot) {
            const auto more = count_[static_cast<std::size_t>(lot - lowest)];
            if (more == 0) continue;
            if (static_cast<double>(passed) + 0.5 * static_cast<double>(more) > wanted)
                return lot + (last - lot + 1) / 2;
            passed += more;
            last = lot;
        }
        return lowest;
    }

private:
    void add(std::span<const std::int16_t> lots, std::size_t width, std::size_t x, std::size_t right,
             std::size_t y, std::size_t below)
    {
        const int a = lots[y * width + x], b = lots[y * width + right];
        const int c = lots[below * width + x], d = lots[below * width + right];
        for (const int sixteenths : {9 * a + 3 * b + 3 * c + d, 3 * a + 9 * b + c + 3 * d,
                                     3 * a + b + 9 * c + 3 * d, a + 3 * b + 3 * c + 9 * d})
            ++count_[static_cast<std::size_t>((sixteenths - 16 * lowest) / 16)];
    }

    std::array<std::size_t, highest - lowest + 1> count_{};
    std::size_t total_ = 0;
};

} // namespace

std::uint8_t least_shown_alpha(const scene::Material& material)
{
    if (material.alpha_mode != scene::AlphaMode::mask || material.base_colour_texture.image == scene::none)
        return 0;
    const float least = (material.alpha_cutoff - cutoff_slack) / material.base_colour.w;
    if (!(least > 0.0f && least <= 1.0f)) return 0;
    return static_cast<std::uint8_t>(std::ceil(least * 255.0f));
}

AlphaUse AlphaUses::of(const scene::Material& material)
{
    const auto image = material.base_colour_texture.image;
    if (material.alpha_mode == scene::AlphaMode::blend && image != scene::none)
        return {.weighs = is_seen_through(image)};
    return {.least = least_shown_alpha(material)};
}

bool AlphaUses::is_seen_through(std::uint32_t image)
{
    auto& known = seen_through_[image];
    if (known) return *known;
    const auto& pixels = scene_->images[image].pixels;
    bool found = false;
    for (std::size_t at = 3; at < pixels.size() && !found; at += 4)
        found = pixels[at] < 255;
    return *(known = found);
}

std::uint32_t cut_out_levels(std::uint32_t width, std::uint32_t height)
{
    std::uint32_t levels = 1;
    while (std::max(width, height) > 1) {
        width = std::max(width / 2, 1u);
        height = std::max(height / 2, 1u);
        if (std::size_t{width} * height < fewest_texels) break;
        ++levels;
    }
    return levels;
}

double shown_share(std::span<const std::uint8_t> pixels, std::uint8_t least_alpha)
{
    std::size_t shown = 0;
    for (std::size_t at = 3; at < pixels.size(); at += 4)
        shown += pixels[at] >= least_alpha ? 1 : 0;
    return pixels.empty() ? 0.0 : 4.0 * static_cast<double>(shown) / static_cast<double>(pixels.size());
}

void spread_shown(std::span<std::uint8_t> pixels, std::uint32_t width, std::uint32_t height, double share,
                  std::uint8_t least_alpha)
{
    std::vector<std::int16_t> lots(pixels.size() / 4);
    for (std::uint32_t y = 0, i = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x, ++i)
            lots[i] = static_cast<std::int16_t>(drawn_lot(pixels[std::size_t{i} * 4 + 3], x, y));
    const int threshold = Passing(lots, width, height).threshold_of(share);
    // As much room above as below, so that a linear filter crosses where it did among the lots.
    const int least = least_alpha, room = std::max(std::min(least, 255 - least), 1);
    for (std::size_t i = 0; i < lots.size(); ++i) {
        const int alpha = least + ((lots[i] - threshold) * room >> 8); // rounded down: below is below
        pixels[i * 4 + 3] = static_cast<std::uint8_t>(std::clamp(alpha, 0, 255));
    }
}

std::vector<std::uint8_t> cut_out_mipmaps(std::span<const std::uint8_t> pixels, std::uint32_t width,
                                          std::uint32_t height, std::uint8_t least_alpha)
{
    struct Level {
        std::size_t first;
        std::uint32_t width, height;
    };
    std::vector<Level> levels;
    std::size_t bytes = 0;
    for (std::uint32_t level = 1; level < cut_out_levels(width, height); ++level) {
        levels.push_back({bytes, std::max(width >> level, 1u), std::max(height >> level, 1u)});
        bytes += std::size_t{4} * levels.back().width * levels.back().height;
    }
    std::vector<std::uint8_t> out(bytes);
    const auto texels = [&](const Level& l) {
        return std::span(out).subspan(l.first, std::size_t{4} * l.width * l.height);
    };
    for (std::size_t i = 0; i < levels.size(); ++i) {
        if (i == 0)
            halve_shown(pixels, width, height, least_alpha, texels(levels[0]));
        else
            halve_shown(texels(levels[i - 1]), levels[i - 1].width, levels[i - 1].height, 0,
                        texels(levels[i]));
    }
    const double share = shown_share(pixels, least_alpha);
    for (const auto& level : levels)
        spread_shown(texels(level), level.width, level.height, share, least_alpha);
    return out;
}

} // namespace vitrine::render
