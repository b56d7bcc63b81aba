#pragma once
// What a material's properties are called. FBX has names of its own for Lambert and Phong; shaders of
// modelling programs bring theirs ("Maya|baseColor", "3dsMax|Parameters|base_color_map",
// "Maya|TEX_color_map"), which mean the same things in other spellings.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/fbx/document/document.hpp"

namespace vitrine::fbx {

enum class Field : std::uint8_t {
    base_color,
    base_weight,
    metallic,
    roughness,
    glossiness,
    uses_glossiness, // 3ds Max: 1 where the roughness fields hold glossiness
    emission_color,
    emission_weight,
    emission_luminance, // nits
    opacity,
    transparency, // 1 - opacity
    coat_weight,
    coat_roughness,
    coat_uses_glossiness, // as uses_glossiness
    transmission_weight,
    transmission_color,
    sheen_weight,
    sheen_color,
    sheen_roughness,
    normal,
    normal_scale,
    bump,
    occlusion,
    double_sided,
    unlit,
    alpha_cutoff,
    alpha_mode, // 3ds Max' glTF material: 1 opaque, 2 mask, 3 blend
};

// Of a shader's own property; empty where it is none of these. `is_texture`: connected to a texture, so that
// "map" at the end says nothing.
std::optional<Field> field_of(std::string_view property, bool is_texture);

// The fields of a material that a shader's own properties give, by name of the property.
class MaterialFields {
public:
    MaterialFields(const Document& document, std::uint32_t material);

    // Whether a shader brought a base color, metalness or roughness of its own.
    bool is_pbr() const { return is_pbr_; }
    std::optional<double> real(Field field) const;
    std::optional<glm::dvec3> color(Field field) const;
    // The texture connected to it; no_object where there is none.
    std::uint32_t texture(Field field) const;
    // Properties with a texture that no field shows: highlights, reflections, displacement, ...
    const std::vector<std::string_view>& unshown() const { return unshown_; }

private:
    void read_values(const Object& material);
    void read_textures(const Document& document, std::uint32_t material);

    const Properties* properties_;
    std::map<Field, std::string_view> values_;
    std::map<Field, std::uint32_t> textures_;
    std::vector<std::string_view> unshown_;
    bool is_pbr_ = false;
};

} // namespace vitrine::fbx
