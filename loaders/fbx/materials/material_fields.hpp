#pragma once
// Names of material properties. FBX defines names for Lambert and Phong; shaders of modeling programs add
// their own ("Maya|baseColor", "3dsMax|Parameters|base_color_map", "Maya|TEX_color_map"), which have the same
// meanings in other spellings.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loaders/fbx/document/document.hpp"
#include "loaders/fbx/materials/layer_stack.hpp"

namespace vitrine::fbx {

enum class Field : std::uint8_t {
    base_color,
    base_weight,
    metallic,
    roughness,
    glossiness,
    uses_glossiness, // 3ds Max: 1 where the roughness fields contain glossiness
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
    alpha_mode, // 3ds Max's glTF material: 1 opaque, 2 mask, 3 blend
};

struct FieldName {
    std::string_view name;
    Field field;
};

// Returns the field of a shader's own property; nullopt for other properties. `is_texture`: a texture is
// connected, so a trailing "map" is ignored.
std::optional<Field> find_field(std::string_view property, bool is_texture);

// The fields of a material that its shader's own properties set, with the properties' names.
class MaterialFields {
public:
    MaterialFields(const Document& document, std::uint32_t material);

    // Returns whether a shader sets a base color, metalness or roughness of its own.
    bool is_pbr() const { return is_pbr_; }
    std::optional<double> real(Field field) const;
    std::optional<glm::dvec3> color(Field field) const;
    // Returns the texture connected to the field; no_object without one.
    std::uint32_t texture(Field field) const;
    // Returns textured properties that no field represents: highlights, reflections, displacement, ...
    const std::vector<std::string_view>& unsupported() const { return unsupported_; }

private:
    void read_values(const Object& material);
    void read_textures(const Document& document, std::uint32_t material);

    const Properties* properties_;
    std::map<Field, std::string_view> values_;
    std::map<Field, std::uint32_t> textures_;
    std::vector<std::string_view> unsupported_;
    bool is_pbr_ = false;
};

// Before version 7000, textures are connected to the model instead of its materials: layer elements of the
// mesh select one of the model's textures per polygon, as for materials.
class LegacyTextures {
public:
    // Returns the layers from the bottom up; null for a field without layers.
    const std::vector<StackedLayer>* layers(Field field) const
    {
        const auto found = by_field.find(field);
        return found != by_field.end() ? &found->second : nullptr;
    }

    std::map<Field, std::vector<StackedLayer>> by_field;
};

class LegacyTextureTable {
public:
    explicit LegacyTextureTable(const Document& document);

    const LegacyTextures& of(std::uint32_t material) const;
    // Returns the first layer of each unsupported kind, by its name.
    const std::map<std::string_view, Element>& unsupported() const { return unsupported_; }
    // Returns the layers that cannot be blended onto the first.
    const std::vector<Element>& ignored_layers() const { return ignored_layers_; }

private:
    void read_model(const Document& document, std::uint32_t model);
    void note_unsupported(Element model);
    class UvElements;
    std::vector<Element> stack_of(Element model, std::string_view name, const UvElements& uv_elements);

    std::unordered_map<std::uint32_t, LegacyTextures> by_material_;
    LegacyTextures none_;
    std::map<std::string_view, Element> unsupported_;
    std::vector<Element> ignored_layers_;
};

} // namespace vitrine::fbx
