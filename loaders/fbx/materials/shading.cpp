#include "loaders/fbx/materials/shading.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/base/srgb.hpp"

namespace vitrine::fbx {
namespace {

// OpenPBR's emission_luminance that shows a color as it is. The file does not say how the scene is exposed;
// converters to and from materials without a unit take the same.
constexpr double nits_of_white = 1000.0;

glm::dvec3 finite_color(const glm::dvec3& color)
{
    glm::dvec3 out;
    for (glm::length_t c = 0; c < 3; ++c)
        out[c] = std::isfinite(color[c]) ? std::clamp(color[c], 0.0, 1e6) : 0.0;
    return out;
}

glm::vec3 to_linear(const glm::dvec3& srgb)
{
    return glm::vec3(linear_from_srgb(finite_color(srgb)));
}

float clamp_to_unit(double value)
{
    return std::isfinite(value) ? static_cast<float>(std::clamp(value, 0.0, 1.0)) : 1.0f;
}

// Returns a color factor, limited far below values that overflow.
float clamp_factor(double factor, double fallback)
{
    return static_cast<float>(std::isfinite(factor) ? std::clamp(factor, 0.0, 1e3) : fallback);
}

WeightedColor weighted(const glm::dvec3& linear, float weight, bool is_shaders)
{
    return {weight * glm::vec3(finite_color(linear)), weight, is_shaders};
}

// Returns the value of the first of two names that the object has.
glm::dvec3 color_of(const Properties& p, std::string_view name, std::string_view old_name,
                    const glm::dvec3& fallback)
{
    return p.vec3(name, p.vec3(old_name, fallback));
}

WeightedColor base_of(const Properties& p, const MaterialFields& fields)
{
    if (const auto own = fields.color(Field::base_color))
        return weighted(*own, clamp_factor(fields.real(Field::base_weight).value_or(1.0), 1.0), true);
    // The factor scales the stored color: the FBX SDK writes their product as "Diffuse".
    const float factor = clamp_factor(p.real("DiffuseFactor", 1.0), 1.0);
    const auto color = finite_color(color_of(p, "DiffuseColor", "Diffuse", glm::dvec3(0.8)));
    return {to_linear(static_cast<double>(factor) * color), factor};
}

WeightedColor emission_of(const Properties& p, const MaterialFields& fields)
{
    if (const auto own = fields.color(Field::emission_color)) {
        const double weight = fields.real(Field::emission_weight).value_or(1.0);
        const double nits = fields.real(Field::emission_luminance).value_or(nits_of_white);
        return weighted(*own, clamp_factor(weight * nits / nits_of_white, 0.0), true);
    }
    // Programs write a strength of light as the factor: it scales linear values.
    const float factor = clamp_factor(p.real("EmissiveFactor", 1.0), 0.0);
    return {factor * to_linear(color_of(p, "EmissiveColor", "Emissive", glm::dvec3(0.0))), factor};
}

// Programs write the effective value as Opacity, and a factor and color that may be inconsistent with it.
double opacity_of(const Properties& p, const MaterialFields& fields)
{
    if (const auto own = fields.color(Field::opacity)) return (own->x + own->y + own->z) / 3.0;
    if (p.has_own("Opacity")) return p.real("Opacity", 1.0);
    if (p.has_own("Alpha")) return p.real("Alpha", 1.0);
    if (!p.has("TransparencyFactor")) return 1.0;
    const glm::dvec3 color = p.vec3("TransparentColor", glm::dvec3(1.0));
    const double opacity = 1.0 - p.real("TransparencyFactor") * (color.x + color.y + color.z) / 3.0;
    return opacity > 0.0 ? opacity : 1.0; // some programs write factor 1 and white for opaque
}

// Blender's conversion of Phong exponents; Blender writes and reads most current files.
double phong_roughness(const Properties& p)
{
    const double exponent = p.real("ShininessExponent", p.real("Shininess", -1.0));
    const bool dull = p.real("SpecularFactor", 1.0) == 0.0 ||
                      color_of(p, "SpecularColor", "Specular", glm::dvec3(1.0)) == glm::dvec3(0.0);
    if (!(exponent >= 0.0) || dull) return 1.0;
    return 1.0 - std::sqrt(std::min(exponent, 100.0)) / 10.0;
}

double roughness_of(const Properties& p, const MaterialFields& fields)
{
    const bool gloss = fields.real(Field::uses_glossiness).value_or(0.0) == 1.0;
    if (const auto own = fields.real(Field::roughness)) return gloss ? 1.0 - *own : *own;
    if (const auto own = fields.real(Field::glossiness)) return 1.0 - *own;
    return phong_roughness(p);
}

double metallic_of(const Properties& p, const MaterialFields& fields, bool from_blender)
{
    return fields.real(Field::metallic).value_or(from_blender ? p.real("ReflectionFactor") : 0.0);
}

float bump_of(const Properties& p)
{
    const double factor = p.real("BumpFactor", 1.0);
    return static_cast<float>(std::isfinite(factor) ? std::clamp(factor, -10.0, 10.0) : 1.0);
}

// From the weights of Arnold, Autodesk Physical and OpenPBR.
scene::MaterialExtensions extensions_of(const MaterialFields& fields)
{
    const auto weight = [&](Field field, double fallback) {
        const double value = fields.real(field).value_or(fallback);
        return clamp_to_unit(std::isfinite(value) ? value : fallback);
    };
    scene::MaterialExtensions extensions;
    extensions.clearcoat = weight(Field::coat_weight, 0.0);
    const bool coat_gloss = fields.real(Field::coat_uses_glossiness).value_or(0.0) == 1.0;
    const float coat = weight(Field::coat_roughness, 0.1);
    if (extensions.clearcoat > 0.0f) extensions.clearcoat_roughness = coat_gloss ? 1.0f - coat : coat;
    const float sheen = weight(Field::sheen_weight, 0.0);
    if (sheen > 0.0f) {
        const auto color = finite_color(fields.color(Field::sheen_color).value_or(glm::dvec3(1.0)));
        extensions.sheen = sheen * glm::clamp(glm::vec3(color), 0.0f, 1.0f);
        extensions.sheen_roughness = weight(Field::sheen_roughness, 0.3);
    }
    extensions.transmission = weight(Field::transmission_weight, 0.0);
    return extensions;
}

} // namespace

Shading read_shading(const Properties& properties, const MaterialFields& fields, bool from_blender)
{
    const auto transmitted = finite_color(fields.color(Field::transmission_color).value_or(glm::dvec3(1.0)));
    Shading out{.base = base_of(properties, fields),
                .emission = emission_of(properties, fields),
                .opacity = clamp_to_unit(opacity_of(properties, fields)),
                .roughness = clamp_to_unit(roughness_of(properties, fields)),
                .metallic = clamp_to_unit(metallic_of(properties, fields, from_blender)),
                .extensions = extensions_of(fields),
                .transmitted = glm::clamp(glm::vec3(transmitted), 0.0f, 1.0f),
                .bump = bump_of(properties),
                .unlit = fields.real(Field::unlit).value_or(0.0) != 0.0,
                .alpha_cutoff = {}};
    if (fields.real(Field::alpha_mode).value_or(0.0) == 2.0)
        out.alpha_cutoff = clamp_to_unit(fields.real(Field::alpha_cutoff).value_or(0.5));
    return out;
}

} // namespace vitrine::fbx
