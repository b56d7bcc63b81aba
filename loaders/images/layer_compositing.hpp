#pragma once
// Several pictures on one surface as one picture, as programs compose layers of textures. Pure.

#include <cstdint>
#include <optional>
#include <span>

#include <glm/glm.hpp>

#include "loaders/scene/scene.hpp"

namespace vitrine::images {

// What a layer does to those below. `over` covers by its opacity, `replace` whatever its opacity; all others
// mix what comes of both colors with the one below, by the layer's opacity.
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

// Where a picture lies: q = linear * p + offset, UVs of either side with the origin top left.
struct Placement {
    glm::dmat2 linear{1.0};
    glm::dvec2 offset{0.0};
};
Placement placement_of(const scene::Texture& texture);
// `inner` first.
Placement operator*(const Placement& outer, const Placement& inner);
// Empty: the placement makes an area a line.
std::optional<Placement> inverse(const Placement& placement);
// Whether a picture that repeats in q repeats in p too, once a unit.
bool repeats_alike(const Placement& placement);

struct Layer {
    const scene::Image* picture = nullptr; // with pixels
    LayerBlend blend = LayerBlend::over;
    float opacity = 1.0f;  // times the picture's own
    Placement placement{}; // UVs of the result -> its own
    scene::Wrap wrap_s = scene::Wrap::repeat;
    scene::Wrap wrap_t = scene::Wrap::repeat;
};

// The layers from the bottom up, the lowest as it is. Colors are mixed as stored. Precondition: a layer, and
// neither side 0.
scene::Image flatten(std::span<const Layer> layers, std::uint32_t width, std::uint32_t height);

} // namespace vitrine::images
