#include "loaders/dae/materials/effect.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/dae/document/authoring_tool.hpp"

namespace vitrine::dae {
namespace {

bool inverts(OpaqueMode opaque)
{
    return opaque == OpaqueMode::rgb_zero || opaque == OpaqueMode::a_zero;
}

bool counts_alpha(OpaqueMode opaque)
{
    return opaque == OpaqueMode::a_one || opaque == OpaqueMode::a_zero;
}

float amount_of(const Effect& effect)
{
    const double amount = effect.transparency.value_or(1.0);
    return std::isfinite(amount) ? static_cast<float>(amount) : 1.0f;
}

float luminance(const glm::vec4& c)
{
    return 0.212671f * c.x + 0.715160f * c.y + 0.072169f * c.z;
}

} // namespace

TransparencyMode transparency_mode(std::string_view programs)
{
    using enum TransparencyMode;
    // FBX multiplies TransparentColor by TransparencyFactor; later versions of its exporter declare RGB_ZERO
    // for it.
    if (programs.contains("FBX COLLADA")) return rgb_zero;
    if (programs.contains("Illusoft")) return inverted;
    if (programs.contains("SketchUp")) {
        const double version = version_after(programs, "SketchUp");
        return version > 0.0 && version < 7.1 ? inverted : zero_is_opaque;
    }
    if (programs.contains("VCGLib") || programs.contains("MeshLab")) return zero_is_opaque;
    for (const std::string_view old : {"ColladaMaya", "ColladaMax"})
        if (programs.contains(old) && version_after(programs, old) < 3.03) return zero_is_opaque;
    return as_specified;
}

void normalize_transparency(Effect& effect, TransparencyMode mode)
{
    if (effect.opaque != OpaqueMode::a_one || !effect.transparency) return;
    const bool by_color = mode == TransparencyMode::rgb_zero && !effect.transparent.is_texture;
    if (by_color)
        effect.opaque = OpaqueMode::rgb_zero;
    else if (mode == TransparencyMode::inverted || mode == TransparencyMode::rgb_zero)
        effect.transparency = 1.0 - *effect.transparency;
    else if (mode == TransparencyMode::zero_is_opaque && *effect.transparency == 0.0)
        effect.transparency = 1.0;
}

float opacity_of(const Effect& effect)
{
    if (!effect.transparent.exists && !effect.transparency) return 1.0f;
    const float hides_nothing = inverts(effect.opaque) ? 0.0f : 1.0f;
    const glm::vec4 color = effect.transparent.is_texture ? glm::vec4(hides_nothing)
                            : effect.transparent.exists   ? effect.transparent.color
                                                          : glm::vec4(1.0f);
    const float part = (counts_alpha(effect.opaque) ? color.w : luminance(color)) * amount_of(effect);
    return std::clamp(inverts(effect.opaque) ? 1.0f - part : part, 0.0f, 1.0f);
}

scene::Image opacity_mask(const scene::Image& from, const Effect& effect)
{
    scene::Image mask = from;
    const float amount = amount_of(effect);
    for (std::size_t i = 0; i + 3 < mask.pixels.size(); i += 4) {
        const std::uint8_t* texel = &from.pixels[i];
        const float value = counts_alpha(effect.opaque) ? static_cast<float>(texel[3])
                                                        : luminance({texel[0], texel[1], texel[2], 255.0f});
        const float opacity = inverts(effect.opaque) ? 255.0f - value * amount : value * amount;
        mask.pixels[i + 3] = static_cast<std::uint8_t>(std::lround(std::clamp(opacity, 0.0f, 255.0f)));
    }
    return mask;
}

} // namespace vitrine::dae
