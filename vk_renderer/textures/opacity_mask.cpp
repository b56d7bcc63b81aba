#include "vk_renderer/textures/opacity_mask.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vitrine::render {
namespace {

constexpr std::uint32_t mask_side = OpacityMask::size;

// Maximum number of an image's texels per side that are sampled for one mask texel.
constexpr std::uint32_t max_samples_per_side = 8;

// The range of image texels of one mask texel, and the sampling step.
struct TexelRange {
    std::uint32_t first, end, step;
};

TexelRange texel_range_of(std::uint32_t at, std::uint32_t texels)
{
    const auto first = static_cast<std::uint32_t>(std::uint64_t{at} * texels / mask_side);
    const auto end = static_cast<std::uint32_t>(std::uint64_t{at + 1} * texels / mask_side);
    return {first, std::max(end, first + 1), std::max((end - first) / max_samples_per_side, 1u)};
}

std::uint8_t mean_opacity(const scene::Image& image, const TexelRange& columns, const TexelRange& rows,
                          std::uint8_t min_alpha)
{
    std::uint32_t sum = 0, count = 0;
    for (auto y = rows.first; y < rows.end; y += rows.step)
        for (auto x = columns.first; x < columns.end; x += columns.step, ++count) {
            const auto alpha = image.pixels[(std::size_t{y} * image.width + x) * 4 + 3];
            sum += min_alpha == 0 ? alpha : alpha >= min_alpha ? 255u : 0u;
        }
    return static_cast<std::uint8_t>((sum + count / 2) / count);
}

// Texels of the mask; the end is excluded.
struct Span {
    std::size_t first, end;
};

Span mask_span(float low, float high, scene::Wrap wrap)
{
    if (wrap == scene::Wrap::clamp) {
        low = std::clamp(low, 0.0f, 1.0f);
        high = std::clamp(high, 0.0f, 1.0f);
    } else {
        const float tile = std::floor(low);
        low -= tile;
        high -= tile;
        if (wrap == scene::Wrap::mirror && std::fmod(std::abs(tile), 2.0f) > 0.5f) {
            low = 1.0f - low;
            high = 1.0f - high;
            std::swap(low, high);
        }
    }
    if (!(low >= 0.0f && high <= 1.0f && low <= high)) return {0, mask_side}; // crosses a seam or is NaN
    const auto first = std::min(static_cast<std::size_t>(low * mask_side), std::size_t{mask_side - 1});
    const auto end = static_cast<std::size_t>(std::ceil(high * mask_side));
    return {first, std::max(end, first + 1)};
}

} // namespace

OpacityMask::OpacityMask() : texels_(std::size_t{mask_side} * mask_side, 255)
{
    add_up();
}

OpacityMask::OpacityMask(const scene::Image& image, std::uint8_t min_alpha)
{
    texels_.reserve(std::size_t{mask_side} * mask_side);
    for (std::uint32_t y = 0; y < mask_side; ++y)
        for (std::uint32_t x = 0; x < mask_side; ++x)
            texels_.push_back(mean_opacity(image, texel_range_of(x, image.width),
                                           texel_range_of(y, image.height), min_alpha));
    add_up();
}

void OpacityMask::add_up()
{
    constexpr std::size_t row = mask_side + 1;
    sums_.assign(row * row, 0);
    for (std::size_t y = 0; y < mask_side; ++y)
        for (std::size_t x = 0; x < mask_side; ++x)
            sums_[(y + 1) * row + x + 1] = texels_[y * mask_side + x] + sums_[y * row + x + 1] +
                                           sums_[(y + 1) * row + x] - sums_[y * row + x];
}

OpacityMask::Coverage OpacityMask::coverage_over(glm::vec2 low, glm::vec2 high,
                                                 const scene::Texture& texture) const
{
    constexpr std::size_t row = mask_side + 1;
    const auto x = mask_span(low.x, high.x, texture.wrap_s), y = mask_span(low.y, high.y, texture.wrap_t);
    const auto sum = sums_[y.end * row + x.end] - sums_[y.first * row + x.end] -
                     sums_[y.end * row + x.first] + sums_[y.first * row + x.first];
    if (sum == 0) return Coverage::none;
    return sum == 255 * (x.end - x.first) * (y.end - y.first) ? Coverage::all : Coverage::some;
}

} // namespace vitrine::render
