#include "loaders/3ds/scene_builder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "loaders/3ds/chunk.hpp"
#include "loaders/images/derived_images.hpp"
#include "loaders/scene/missing_maps.hpp"

namespace vitrine::threeds {
namespace {

constexpr float neutral_gray = 0.6f; // linear, for materials without a color

// Converts 3D Studio's Blinn exponent, 2 to the power of ten times the shininess, to the roughness with an
// equally wide highlight; without strength there is no highlight.
float roughness_of(const MaterialEntry& material)
{
    if (material.shininess_strength <= 0.0f) return 1.0f;
    const float exponent = std::exp2(10.0f * material.shininess);
    return std::sqrt(2.0f / (exponent + 2.0f));
}

class MaterialConverter {
public:
    MaterialConverter(io::TextEncoding encoding, images::TextureLibrary& textures)
        : encoding_(encoding), textures_(textures), derived_(textures)
    {
    }

    scene::Material convert(const MaterialEntry& from);

private:
    bool usable(std::uint32_t image) const { return textures_.has_image(image); }
    std::uint32_t load(const std::optional<Map>& map);
    static scene::Texture texture(std::uint32_t image, const Map& map);
    void set_color(const MaterialEntry& from, scene::Material& to);
    void set_opacity(const MaterialEntry& from, scene::Material& to);
    void set_normals(const MaterialEntry& from, scene::Material& to);
    void set_light(const MaterialEntry& from, scene::Material& to);

    io::TextEncoding encoding_;
    images::TextureLibrary& textures_;
    images::DerivedImages derived_;
};

std::uint32_t MaterialConverter::load(const std::optional<Map>& map)
{
    if (!map) return scene::none;
    const std::uint32_t image = textures_.get(io::to_utf8(map->file, encoding_), place(map->at));
    if (!map->negative || !usable(image)) return image;
    return derived_.negative(image);
}

// 3D Studio translates, then scales about the texture's center, then rotates counter-clockwise about it; its
// v points up.
scene::Texture MaterialConverter::texture(std::uint32_t image, const Map& map)
{
    scene::Texture out;
    out.image = image;
    out.wrap_s = out.wrap_t = !map.tile    ? scene::Wrap::clamp
                              : map.mirror ? scene::Wrap::mirror
                                           : scene::Wrap::repeat;
    out.scale = map.scale;
    out.rotation = map.angle * std::numbers::pi_v<float> / 180.0f;
    const float c = std::cos(out.rotation), s = std::sin(out.rotation);
    const glm::vec2 center = map.scale * glm::vec2(0.5f + map.offset.x, 0.5f - map.offset.y);
    out.offset = glm::vec2(0.5f) - glm::vec2(c * center.x - s * center.y, s * center.x + c * center.y);
    return out;
}

// The amount blends the texture over the color.
void MaterialConverter::set_color(const MaterialEntry& from, scene::Material& to)
{
    const glm::vec3 diffuse = from.diffuse.value_or(glm::vec3(neutral_gray));
    to.base_color = glm::vec4(diffuse, 1.0f);
    std::uint32_t image = load(from.texture);
    const bool is_black = diffuse == glm::vec3(0.0f);
    if (from.texture && is_black && !usable(image)) // black was left to the texture
        to.base_color = glm::vec4(glm::vec3(neutral_gray), 1.0f);
    if (image == scene::none) return;
    if (usable(image)) {
        to.base_color = glm::vec4(1.0f);
        if (std::lround(from.texture->amount * 255.0f) < 255) {
            image = derived_.mixed(image, images::to_srgb(diffuse), from.texture->amount);
            if (image == scene::none) return;
        }
    }
    to.base_color_texture = texture(image, *from.texture);
}

void MaterialConverter::set_opacity(const MaterialEntry& from, scene::Material& to)
{
    to.base_color.w = 1.0f - from.transparency;
    if (from.transparency > 0.0f) to.alpha_mode = scene::AlphaMode::blend;
    const std::uint32_t mask = load(from.opacity);
    if (!usable(mask)) return;
    const std::uint32_t color = to.base_color_texture.image;
    const std::uint32_t both = derived_.with_alpha(color, mask);
    if (!usable(both)) return;
    to.base_color_texture = texture(both, usable(color) ? *from.texture : *from.opacity);
    if (to.alpha_mode == scene::AlphaMode::opaque)
        to.alpha_mode = derived_.has_binary_alpha(both) ? scene::AlphaMode::mask : scene::AlphaMode::blend;
}

void MaterialConverter::set_normals(const MaterialEntry& from, scene::Material& to)
{
    const std::uint32_t heights = load(from.bump);
    if (!usable(heights)) return;
    const std::uint32_t normals =
        derived_.normal_map_from_heights(heights, images::default_bump_strength * from.bump->amount);
    if (normals != scene::none) to.normal_texture = texture(normals, *from.bump);
}

// Self-illumination emits the surface's own color.
void MaterialConverter::set_light(const MaterialEntry& from, scene::Material& to)
{
    const std::uint32_t map = load(from.self_illumination_map);
    if (usable(map)) {
        to.emissive = glm::vec3(1.0f);
        to.emissive_texture = texture(map, *from.self_illumination_map);
        return;
    }
    if (from.self_illumination_map) return scene::apply_missing_map(to, scene::MapKind::emission);
    to.emissive = glm::vec3(to.base_color) * from.self_illumination;
    if (from.self_illumination > 0.0f && usable(to.base_color_texture.image))
        to.emissive_texture = to.base_color_texture;
}

scene::Material MaterialConverter::convert(const MaterialEntry& from)
{
    scene::Material to;
    to.name = io::to_utf8(from.name, encoding_);
    to.double_sided = from.two_sided;
    to.metallic = from.metal ? 1.0f : 0.0f;
    to.roughness = roughness_of(from);
    set_color(from, to);
    set_opacity(from, to);
    set_normals(from, to);
    set_light(from, to);
    return to;
}

} // namespace

void add_materials(const Document& document, io::TextEncoding encoding, images::TextureLibrary& textures,
                   scene::Scene& scene)
{
    MaterialConverter converter(encoding, textures);
    for (const MaterialEntry& material : document.materials)
        scene.materials.push_back(converter.convert(material));
    textures.report_reduced();
}

} // namespace vitrine::threeds
