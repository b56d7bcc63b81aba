#pragma once
// Flattens several texture layers of a surface into one image, as modeling programs compose them. Pure
// functions.

#include <cstdint>
#include <optional>
#include <span>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::images {

// How a layer is combined with those below. `over` covers by its opacity, `replace` ignores the opacity; all
// others compute a result of both colors and blend it with the color below by the layer's opacity.
enum class LayerBlend : std::uint8_t {
    over,
    replace,
    add,
    subtract,
    multiply,
    multiply_2x,
    divide,
    darken,
    lighten,
    darker_color,
    lighter_color,
    screen,
    overlay,
    soft_light,
    hard_light,
    vivid_light,
    linear_light,
    pin_light,
    hard_mix,
    color_burn,
    linear_burn,
    color_dodge,
    difference,
    exclusion,
};

// Maps UVs: q = linear * p + offset, both with the origin at the top left.
struct LayerPlacement {
    glm::dmat2 linear{1.0};
    glm::dvec2 offset{0.0};
};
LayerPlacement placement_of(const scene::Texture& texture);
// Composition; `inner` is applied first.
LayerPlacement operator*(const LayerPlacement& outer, const LayerPlacement& inner);
// Empty if the placement is singular.
std::optional<LayerPlacement> inverse(const LayerPlacement& placement);
// Whether an image that repeats in q repeats in p with the period 1 as well.
bool repeats_alike(const LayerPlacement& placement);

struct Layer {
    const scene::Image* source_image = nullptr; // has pixels
    LayerBlend blend = LayerBlend::over;
    float opacity = 1.0f;       // multiplied by the image's alpha
    LayerPlacement placement{}; // UVs of the result -> UVs of the layer
    scene::Wrap wrap_s = scene::Wrap::repeat;
    scene::Wrap wrap_t = scene::Wrap::repeat;
};

// Combines the layers from bottom to top; the lowest is copied unmodified. Colors are blended as stored.
// Precondition: at least one layer, and width and height are not 0.
scene::Image flatten(std::span<const Layer> layers, std::uint32_t width, std::uint32_t height);

} // namespace vitrine::images
