#include "loaders/export/threeds/threeds_chunks.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/export/srgb_color.hpp"

namespace vitrine::exporting {
namespace {

std::uint8_t srgb_byte(float linear)
{
    return static_cast<std::uint8_t>(std::lround(255.0f * to_srgb(linear)));
}

std::string color(std::uint16_t id, const glm::vec3& linear)
{
    return threeds_chunk(
        id, threeds_chunk(0x0011, raw(srgb_byte(linear.x), srgb_byte(linear.y), srgb_byte(linear.z))));
}

std::string percent(std::uint16_t id, float part)
{
    const auto hundredths = static_cast<std::int16_t>(std::lround(100.0f * std::clamp(part, 0.0f, 1.0f)));
    return threeds_chunk(id, threeds_chunk(0x0030, raw(hundredths)));
}

// The inverse of the loader's conversion of highlights.
float shininess_of(float roughness)
{
    const float exponent = 2.0f / std::max(roughness * roughness, 1e-4f) - 2.0f;
    return std::log2(std::max(exponent, 1.0f)) / 10.0f;
}

std::string map_chunk(std::uint16_t id, const std::string& file, std::uint16_t flags)
{
    return threeds_chunk(id, threeds_chunk(0x0030, raw(std::int16_t{100})) +
                                 threeds_chunk(0xA300, zero_terminated(file)) +
                                 threeds_chunk(0xA351, raw(flags)));
}

} // namespace

std::string threeds_material(const scene::Material& material, const std::string& name,
                             const std::string& texture)
{
    constexpr std::uint16_t alpha_source = 0x40, metal = 4, phong = 3;
    std::string out = threeds_chunk(0xA000, zero_terminated(name));
    const glm::vec3 base(material.base_color);
    out += color(0xA010, base) + color(0xA020, base) + color(0xA030, glm::vec3(1.0f));
    out += percent(0xA040, shininess_of(material.roughness)) +
           percent(0xA041, material.roughness < 1.0f ? 1.0f : 0.0f);
    out += percent(0xA050, 1.0f - material.base_color.w);
    const float glow = std::max({material.emissive.x, material.emissive.y, material.emissive.z});
    out += percent(0xA084, glow) + threeds_chunk(0xA100, raw(material.metallic > 0.5f ? metal : phong));
    if (material.double_sided) out += threeds_chunk(0xA081, "");
    if (!texture.empty()) {
        out += map_chunk(0xA200, texture, 0);
        if (material.alpha_mode != scene::AlphaMode::opaque) out += map_chunk(0xA210, texture, alpha_source);
    }
    return threeds_chunk(0xAFFF, out);
}

} // namespace vitrine::exporting
