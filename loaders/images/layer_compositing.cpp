#include "loaders/images/layer_compositing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace vitrine::images {
namespace {

struct LinearRgba {
    glm::vec3 color{0.0f};
    float alpha = 0.0f;
};

std::uint32_t wrapped(std::int64_t at, std::uint32_t size, scene::Wrap wrap)
{
    const std::int64_t n = size;
    if (wrap == scene::Wrap::clamp) return static_cast<std::uint32_t>(std::clamp<std::int64_t>(at, 0, n - 1));
    const std::int64_t period = wrap == scene::Wrap::mirror ? 2 * n : n;
    const std::int64_t in_period = (at % period + period) % period;
    return static_cast<std::uint32_t>(in_period < n ? in_period : period - 1 - in_period);
}

// Two neighboring pixels along one axis and the interpolation factor.
struct Between {
    std::uint32_t first = 0, second = 0;
    float share = 0.0f;
};

Between between(double at, std::uint32_t size, scene::Wrap wrap)
{
    // Far from the origin the fraction has no precision; the bound keeps the product with a size within 64
    // bits.
    const double pixel = std::clamp(at, -1e9, 1e9) * size - 0.5, floor = std::floor(pixel);
    const auto first = static_cast<std::int64_t>(floor);
    return {wrapped(first, size, wrap), wrapped(first + 1, size, wrap), static_cast<float>(pixel - floor)};
}

glm::vec4 texel(const scene::Image& image, std::uint32_t x, std::uint32_t y)
{
    const std::uint8_t* p = image.pixels.data() + 4 * (std::size_t{y} * image.width + x);
    return {p[0], p[1], p[2], p[3]};
}

LinearRgba sample(const Layer& layer, const glm::dvec2& uv)
{
    const scene::Image& image = *layer.source_image;
    const glm::dvec2 at = layer.placement.linear * uv + layer.placement.offset;
    const Between x = between(at.x, image.width, layer.wrap_s);
    const Between y = between(at.y, image.height, layer.wrap_t);
    const glm::vec4 top = glm::mix(texel(image, x.first, y.first), texel(image, x.second, y.first), x.share);
    const glm::vec4 bottom =
        glm::mix(texel(image, x.first, y.second), texel(image, x.second, y.second), x.share);
    const glm::vec4 value = glm::mix(top, bottom, y.share) / 255.0f;
    return {glm::vec3(value), value.w};
}

float burn(float below, float above)
{
    if (below >= 1.0f) return 1.0f;
    return above <= 0.0f ? 0.0f : 1.0f - std::min(1.0f, (1.0f - below) / above);
}

float dodge(float below, float above)
{
    if (below <= 0.0f) return 0.0f;
    return above >= 1.0f ? 1.0f : std::min(1.0f, below / (1.0f - above));
}

float hard_light(float below, float above)
{
    return above <= 0.5f ? 2.0f * below * above : 1.0f - 2.0f * (1.0f - below) * (1.0f - above);
}

// https://www.w3.org/TR/compositing-1/#blendingsoftlight
float soft_light(float below, float above)
{
    if (above <= 0.5f) return below - (1.0f - 2.0f * above) * below * (1.0f - below);
    const float d = below <= 0.25f ? ((16.0f * below - 12.0f) * below + 4.0f) * below : std::sqrt(below);
    return below + (2.0f * above - 1.0f) * (d - below);
}

// For one channel; sums are clamped after blending.
float blended(LayerBlend blend, float below, float above)
{
    switch (blend) {
    case LayerBlend::add: return below + above;
    case LayerBlend::subtract: return below - above;
    case LayerBlend::multiply: return below * above;
    case LayerBlend::multiply_2x: return 2.0f * below * above;
    case LayerBlend::divide: return above > 0.0f ? std::min(below / above, 1.0f) : 1.0f;
    case LayerBlend::darken: return std::min(below, above);
    case LayerBlend::lighten: return std::max(below, above);
    case LayerBlend::screen: return below + above - below * above;
    case LayerBlend::overlay: return hard_light(above, below);
    case LayerBlend::soft_light: return soft_light(below, above);
    case LayerBlend::hard_light: return hard_light(below, above);
    case LayerBlend::vivid_light:
        return above <= 0.5f ? burn(below, 2.0f * above) : dodge(below, 2.0f * above - 1.0f);
    case LayerBlend::linear_light: return std::clamp(below + 2.0f * above - 1.0f, 0.0f, 1.0f);
    case LayerBlend::pin_light:
        return above <= 0.5f ? std::min(below, 2.0f * above) : std::max(below, 2.0f * above - 1.0f);
    case LayerBlend::hard_mix: return below + above >= 1.0f ? 1.0f : 0.0f;
    case LayerBlend::color_burn: return burn(below, above);
    case LayerBlend::linear_burn: return std::max(below + above - 1.0f, 0.0f);
    case LayerBlend::color_dodge: return dodge(below, above);
    case LayerBlend::difference: return std::abs(below - above);
    case LayerBlend::exclusion: return below + above - 2.0f * below * above;
    default: return above;
    }
}

glm::vec3 blended(LayerBlend blend, const glm::vec3& below, const glm::vec3& above)
{
    const auto sum = [](const glm::vec3& color) { return color.x + color.y + color.z; };
    if (blend == LayerBlend::darker_color) return sum(above) < sum(below) ? above : below;
    if (blend == LayerBlend::lighter_color) return sum(above) > sum(below) ? above : below;
    return {blended(blend, below.x, above.x), blended(blend, below.y, above.y),
            blended(blend, below.z, above.z)};
}

// https://www.w3.org/TR/compositing-1/#generalformula
LinearRgba composed(const LinearRgba& below, const LinearRgba& above, const Layer& layer)
{
    if (layer.blend == LayerBlend::replace)
        return {glm::mix(below.color, above.color, layer.opacity),
                glm::mix(below.alpha, above.alpha, layer.opacity)};
    const float alpha = above.alpha * layer.opacity, result_alpha = alpha + below.alpha * (1.0f - alpha);
    if (result_alpha <= 0.0f) return below;
    const glm::vec3 both = blended(layer.blend, below.color, above.color);
    const glm::vec3 color = alpha * (1.0f - below.alpha) * above.color + alpha * below.alpha * both +
                            (1.0f - alpha) * below.alpha * below.color;
    return {glm::clamp(color / result_alpha, 0.0f, 1.0f), result_alpha};
}

std::uint8_t to_texel_byte(float value)
{
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0f, 1.0f) * 255.0f));
}

} // namespace

// UV' = offset + rotate(rotation) * (scale * UV); the rotation is counter-clockwise with v pointing down.
LayerPlacement placement_of(const scene::Texture& texture)
{
    const double c = std::cos(texture.rotation), s = std::sin(texture.rotation);
    const glm::dmat2 turn(c, -s, s, c), scale(texture.scale.x, 0.0, 0.0, texture.scale.y);
    return {turn * scale, glm::dvec2(texture.offset)};
}

LayerPlacement operator*(const LayerPlacement& outer, const LayerPlacement& inner)
{
    return {outer.linear * inner.linear, outer.linear * inner.offset + outer.offset};
}

std::optional<LayerPlacement> inverse(const LayerPlacement& placement)
{
    if (!(std::abs(glm::determinant(placement.linear)) > 1e-12)) return std::nullopt;
    const glm::dmat2 back = glm::inverse(placement.linear);
    return LayerPlacement{back, -(back * placement.offset)};
}

bool repeats_alike(const LayerPlacement& placement)
{
    for (glm::length_t column = 0; column < 2; ++column) {
        for (glm::length_t row = 0; row < 2; ++row) {
            const double value = placement.linear[column][row];
            if (!(std::abs(value - std::round(value)) < 1e-4) || std::abs(value) > 1e4) return false;
        }
    }
    return true;
}

scene::Image flatten(std::span<const Layer> layers, std::uint32_t width, std::uint32_t height)
{
    scene::Image out;
    out.width = width;
    out.height = height;
    out.pixels.resize(std::size_t{width} * height * 4);
    std::uint8_t* at = out.pixels.data();
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x, at += 4) {
            const glm::dvec2 uv((x + 0.5) / width, (y + 0.5) / height);
            LinearRgba value = sample(layers.front(), uv);
            for (const Layer& layer : layers.subspan(1))
                value = composed(value, sample(layer, uv), layer);
            for (glm::length_t c = 0; c < 3; ++c)
                at[c] = to_texel_byte(value.color[c]);
            at[3] = to_texel_byte(value.alpha);
        }
    }
    return out;
}

} // namespace vitrine::images
