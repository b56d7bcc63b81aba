#include "server/services/vectors/picture_descriptor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace vitrine::server {
namespace {

constexpr std::size_t cells = 32;      // of a side of the grid
constexpr std::size_t frequencies = 8; // of each axis that are kept
constexpr std::uint8_t min_alpha = 16;

// Shares of the cosine.
constexpr float outline_share = 0.70f, shading_share = 0.08f, edge_share = 0.17f, color_share = 0.05f;

using Grid = std::array<float, cells * cells>;

// The smallest square around what is covered, in pixels; it may reach beyond the picture.
struct CoveredSquare {
    double x = 0.0, y = 0.0, side = 0.0;
};

struct CoveredCells {
    Grid coverage{};  // 0 to 1
    Grid luminance{}; // of the covered part, 0 to 1
};

constexpr std::size_t gray_levels = 4, hues = 12, saturations = 2;
using ColorCounts = std::array<float, gray_levels + hues * saturations>;

std::optional<CoveredSquare> find_covered(const render::Frame& picture)
{
    std::uint32_t left = picture.width, top = picture.height, right = 0, bottom = 0;
    for (std::uint32_t y = 0; y < picture.height; ++y)
        for (std::uint32_t x = 0; x < picture.width; ++x) {
            if (picture.pixels[(std::size_t{y} * picture.width + x) * 4 + 3] < min_alpha) continue;
            left = std::min(left, x);
            right = std::max(right, x + 1);
            top = std::min(top, y);
            bottom = std::max(bottom, y + 1);
        }
    if (right <= left) return std::nullopt;
    const auto half = [](std::uint32_t from, std::uint32_t to) {
        return (static_cast<double>(from) + static_cast<double>(to)) / 2.0;
    };
    const auto side = static_cast<double>(std::max(right - left, bottom - top));
    return CoveredSquare{half(left, right) - side / 2.0, half(top, bottom) - side / 2.0, side};
}

float luminance_of(const std::uint8_t* pixel)
{
    return (0.299f * static_cast<float>(pixel[0]) + 0.587f * static_cast<float>(pixel[1]) +
            0.114f * static_cast<float>(pixel[2])) /
           255.0f;
}

// Hexagonal hue in twelve parts and saturation in two, or gray in four levels.
std::size_t color_bin(const std::uint8_t* pixel)
{
    const float r = static_cast<float>(pixel[0]), g = static_cast<float>(pixel[1]),
                b = static_cast<float>(pixel[2]);
    const float largest = std::max({r, g, b}), range = largest - std::min({r, g, b});
    constexpr float gray_range = 0.12f, saturated = 0.5f;
    if (range <= gray_range * 255.0f)
        return std::min(gray_levels - 1, static_cast<std::size_t>(luminance_of(pixel) * gray_levels));
    const float sector = largest == r   ? (g - b) / range + 6.0f
                         : largest == g ? (b - r) / range + 2.0f
                                        : (r - g) / range + 4.0f;
    const auto hue = static_cast<std::size_t>(std::lround(sector * 2.0f)) % hues;
    return gray_levels + hue * saturations + (range > saturated * largest ? 1 : 0);
}

// Averages of the pixels of each cell; colors are counted by alpha.
CoveredCells sample_cells(const render::Frame& picture, const CoveredSquare& square, ColorCounts& colors)
{
    CoveredCells sampled;
    Grid pixels{};
    for (std::uint32_t y = 0; y < picture.height; ++y)
        for (std::uint32_t x = 0; x < picture.width; ++x) {
            const double u = (x + 0.5 - square.x) / square.side;
            const double v = (y + 0.5 - square.y) / square.side;
            if (u < 0.0 || v < 0.0 || u >= 1.0 || v >= 1.0) continue;
            const auto cell =
                static_cast<std::size_t>(v * cells) * cells + static_cast<std::size_t>(u * cells);
            const auto* const pixel = picture.pixels.data() + (std::size_t{y} * picture.width + x) * 4;
            const float alpha = static_cast<float>(pixel[3]) / 255.0f;
            pixels[cell] += 1.0f;
            sampled.coverage[cell] += alpha;
            sampled.luminance[cell] += alpha * luminance_of(pixel);
            colors[color_bin(pixel)] += alpha;
        }
    for (std::size_t cell = 0; cell < pixels.size(); ++cell) {
        if (sampled.coverage[cell] > 0.0f) sampled.luminance[cell] /= sampled.coverage[cell];
        if (pixels[cell] > 0.0f) sampled.coverage[cell] /= pixels[cell];
    }
    return sampled;
}

// Differences from the mean of the covered part, by coverage.
Grid shading_of(const CoveredCells& sampled)
{
    float sum = 0.0f, weight = 0.0f;
    for (std::size_t i = 0; i < sampled.coverage.size(); ++i) {
        sum += sampled.coverage[i] * sampled.luminance[i];
        weight += sampled.coverage[i];
    }
    Grid shading{};
    for (std::size_t i = 0; i < shading.size(); ++i)
        shading[i] = sampled.coverage[i] * (sampled.luminance[i] - sum / weight);
    return shading;
}

// The lowest frequencies of a discrete cosine transform (DCT-II), without the mean.
std::vector<float> low_frequencies(const Grid& grid)
{
    const auto wave = [](std::size_t frequency, std::size_t at) {
        return static_cast<float>(std::cos(std::numbers::pi * (static_cast<double>(at) + 0.5) *
                                           static_cast<double>(frequency) / cells));
    };
    std::array<float, cells * frequencies> rows{};
    for (std::size_t y = 0; y < cells; ++y)
        for (std::size_t f = 0; f < frequencies; ++f)
            for (std::size_t x = 0; x < cells; ++x)
                rows[y * frequencies + f] += grid[y * cells + x] * wave(f, x);
    std::vector<float> found;
    for (std::size_t g = 0; g < frequencies; ++g)
        for (std::size_t f = 0; f < frequencies; ++f) {
            if (f == 0 && g == 0) continue;
            float sum = 0.0f;
            for (std::size_t y = 0; y < cells; ++y)
                sum += rows[y * frequencies + f] * wave(g, y);
            found.push_back(sum);
        }
    return found;
}

// Directions of edges (without sign) in sixteen parts of the grid, less what all parts have.
std::vector<float> edge_directions(const Grid& shading)
{
    constexpr std::size_t parts = 4, directions = 8;
    std::vector<float> counts(parts * parts * directions, 0.0f);
    for (std::size_t y = 1; y + 1 < cells; ++y)
        for (std::size_t x = 1; x + 1 < cells; ++x) {
            const float dx = shading[y * cells + x + 1] - shading[y * cells + x - 1];
            const float dy = shading[(y + 1) * cells + x] - shading[(y - 1) * cells + x];
            const double turn = std::atan2(dy, dx) / std::numbers::pi + 1.0; // 0 to 2, half a turn is 1
            const auto direction = static_cast<std::size_t>(turn * directions + 0.5) % directions;
            const auto part = y * parts / cells * parts + x * parts / cells;
            counts[part * directions + direction] += std::hypot(dx, dy);
        }
    float mean = 0.0f;
    for (const float count : counts)
        mean += count / static_cast<float>(counts.size());
    for (auto& count : counts)
        count -= mean;
    return counts;
}

// Square roots of shares (Hellinger distance), less those of a picture with all colors.
std::vector<float> color_shares(const ColorCounts& counts)
{
    float sum = 0.0f;
    for (const float count : counts)
        sum += count;
    std::vector<float> shares;
    for (const float count : counts)
        shares.push_back(std::sqrt(count / sum) - std::sqrt(1.0f / static_cast<float>(counts.size())));
    return shares;
}

// Of a length so that it has its share of the cosine; nothing if the part says nothing, as a plain surface of
// edges.
void append_part(std::vector<float>& all, const std::vector<float>& part, float share)
{
    float square = 0.0f;
    for (const float value : part)
        square += value * value;
    const float scale = square > 1e-12f ? std::sqrt(share / square) : 0.0f;
    for (const float value : part)
        all.push_back(value * scale);
}

} // namespace

std::optional<UnitVector> describe_picture(const render::Frame& picture)
{
    const auto square = find_covered(picture);
    if (!square) return std::nullopt;
    ColorCounts colors{};
    const auto sampled = sample_cells(picture, *square, colors);
    const auto shading = shading_of(sampled);
    std::vector<float> all;
    append_part(all, low_frequencies(sampled.coverage), outline_share);
    append_part(all, low_frequencies(shading), shading_share);
    append_part(all, edge_directions(shading), edge_share);
    append_part(all, color_shares(colors), color_share);
    return UnitVector::make(std::move(all));
}

double descriptor_score(double cosine)
{
    constexpr double unlike = 0.86; // the cosine of pictures that have nothing in common
    return std::clamp((cosine - unlike) / (1.0 - unlike), 0.0, 1.0);
}

} // namespace vitrine::server
