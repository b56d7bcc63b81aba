#include "loaders/fbx/materials/material_fields.hpp"
#include "loaders/base/ascii.hpp"

#include <algorithm>
#include <array>

namespace vitrine::fbx {
namespace {

// "3dsMax|Parameters|Base_Color" -> "basecolor".
std::string folded(std::string_view property)
{
    if (const std::size_t bar = property.rfind('|'); bar != std::string_view::npos)
        property.remove_prefix(bar + 1);
    std::string out;
    for (const char c : property) {
        if (c == '_' || c == ' ' || c == '.') continue;
        out.push_back(ascii::to_lower(c));
    }
    return out;
}

struct Row {
    std::string_view name;
    Field field;
};

// Arnold (Maya, 3ds Max), Stingray PBS, Physical, PBR metal/rough and spec/gloss, glTF material, OpenPBR.
constexpr std::array shader_names{
    Row{"basecolor", Field::base_color},
    Row{"base", Field::base_weight},
    Row{"baseweight", Field::base_weight},
    Row{"metalness", Field::metallic},
    Row{"metallic", Field::metallic},
    Row{"basemetalness", Field::metallic},
    Row{"roughness", Field::roughness},
    Row{"specularroughness", Field::roughness},
    Row{"glossiness", Field::glossiness},
    Row{"useglossiness", Field::uses_glossiness},
    Row{"roughnessinv", Field::uses_glossiness},
    Row{"emissioncolor", Field::emission_color},
    Row{"emissive", Field::emission_color},
    Row{"emitcolor", Field::emission_color},
    Row{"emission", Field::emission_weight},
    Row{"emissionweight", Field::emission_weight},
    Row{"emissiveintensity", Field::emission_weight},
    Row{"emissionluminance", Field::emission_luminance},
    Row{"opacity", Field::opacity},
    Row{"geometryopacity", Field::opacity},
    Row{"cutout", Field::opacity},
    Row{"coat", Field::coat_weight},
    Row{"coating", Field::coat_weight},
    Row{"coatweight", Field::coat_weight},
    Row{"coatroughness", Field::coat_roughness},
    Row{"coatroughnessinv", Field::coat_uses_glossiness},
    Row{"transmission", Field::transmission_weight},
    Row{"transparency", Field::transmission_weight},
    Row{"transmissionweight", Field::transmission_weight},
    Row{"transmissioncolor", Field::transmission_color},
    Row{"transcolor", Field::transmission_color},
    Row{"sheen", Field::sheen_weight},
    Row{"fuzzweight", Field::sheen_weight},
    Row{"sheencolor", Field::sheen_color},
    Row{"fuzzcolor", Field::sheen_color},
    Row{"sheenroughness", Field::sheen_roughness},
    Row{"fuzzroughness", Field::sheen_roughness},
    Row{"normalcamera", Field::normal},
    Row{"normal", Field::normal},
    Row{"norm", Field::normal},
    Row{"bump", Field::bump},
    Row{"bumpmapamt", Field::normal_scale},
    Row{"ao", Field::occlusion},
    Row{"ambientocclusion", Field::occlusion},
    Row{"occlusion", Field::occlusion},
    Row{"doublesided", Field::double_sided},
    Row{"unlitmaterial", Field::unlit},
    Row{"alphacutoff", Field::alpha_cutoff},
    Row{"alphamode", Field::alpha_mode},
};
// Names used by textures only.
constexpr std::array texture_names{
    Row{"color", Field::base_color},   // Stingray: TEX_color_map
    Row{"diffuse", Field::base_color}, // PBR spec/gloss
    Row{"alpha", Field::opacity},
};

std::optional<Field> find(std::span<const Row> rows, std::string_view name)
{
    for (const Row& row : rows)
        if (row.name == name) return row.field;
    return {};
}

// FBX's own properties; those that are scalars have a factor.
std::optional<Field> own_texture_field(std::string_view property)
{
    constexpr std::array rows{
        Row{"DiffuseColor", Field::base_color},
        Row{"Diffuse", Field::base_color},
        Row{"EmissiveColor", Field::emission_color},
        Row{"Emissive", Field::emission_color},
        Row{"TransparentColor", Field::transparency},
        Row{"TransparencyFactor", Field::transparency},
        Row{"Opacity", Field::transparency},
        Row{"NormalMap", Field::normal},
        Row{"Bump", Field::bump},
        Row{"BumpFactor", Field::bump},
        Row{"ReflectionFactor", Field::metallic},
    };
    return find(rows, property);
}

// Returns whether textures of the field are supported; other fields are used as numbers only.
bool is_shown(Field field)
{
    constexpr std::array shown{Field::base_color, Field::metallic,     Field::roughness,
                               Field::opacity,    Field::transparency, Field::emission_color,
                               Field::normal,     Field::bump,         Field::occlusion};
    return std::ranges::find(shown, field) != shown.end();
}

bool is_shader_property(std::string_view name)
{
    return name.find('|') != std::string_view::npos;
}

// Physical and OpenPBR materials enable "base_color_map" by "base_color_map_on", Stingray enables
// "TEX_color_map" by "use_color_map".
bool is_switched_off(const Properties& properties, std::string_view map)
{
    const auto is_off = [&](const std::string& name) {
        return properties.value(name).is_number() && properties.real(name) == 0.0;
    };
    if (is_off(std::string(map) + "_on")) return true;
    constexpr std::string_view stingray = "|TEX_";
    const std::size_t at = map.rfind(stingray);
    return at != map.npos &&
           is_off(std::string(map.substr(0, at)) + "|use_" + std::string(map.substr(at + stingray.size())));
}

} // namespace

std::optional<Field> field_of(std::string_view property, bool is_texture)
{
    std::string name = folded(property);
    if (!is_texture) return find(shader_names, name);
    if (name.starts_with("tex")) name.erase(0, 3);
    if (name.ends_with("map")) name.erase(name.size() - 3);
    const auto found = find(shader_names, name);
    return found ? found : find(texture_names, name);
}

MaterialFields::MaterialFields(const Document& document, std::uint32_t material)
    : properties_(&document.object(material).properties)
{
    read_values(document.object(material));
    read_textures(document, material);
}

void MaterialFields::read_values(const Object& material)
{
    for (const Properties::PropertyEntry& entry : material.properties.own()) {
        if (!is_shader_property(entry.name) || !material.properties.value(entry.name).is_number()) continue;
        const auto field = field_of(entry.name, false);
        if (!field) continue;
        values_.try_emplace(*field, entry.name);
        is_pbr_ =
            is_pbr_ || *field == Field::base_color || *field == Field::metallic || *field == Field::roughness;
    }
}

// A connection to a shader's own property takes precedence over the equivalent FBX property.
void MaterialFields::read_textures(const Document& document, std::uint32_t material)
{
    std::map<Field, std::uint32_t> own;
    for (const Connection& connection : document.sources(material)) {
        const Type type = document.object(connection.source).type;
        if (type != Type::texture && type != Type::layered_texture) continue;
        const std::string_view property = connection.destination_property;
        const bool is_shaders = is_shader_property(property);
        if (is_shaders && is_switched_off(*properties_, property)) continue;
        const auto field = property.empty() ? Field::base_color
                           : is_shaders     ? field_of(property, true)
                                            : own_texture_field(property);
        if (!field || !is_shown(*field))
            unshown_.push_back(property);
        else
            (is_shaders ? textures_ : own).try_emplace(*field, connection.source);
    }
    for (const auto& [field, texture] : own)
        textures_.try_emplace(field, texture);
}

std::optional<double> MaterialFields::real(Field field) const
{
    const auto found = values_.find(field);
    if (found == values_.end()) return {};
    return properties_->real(found->second);
}

std::optional<glm::dvec3> MaterialFields::color(Field field) const
{
    const auto found = values_.find(field);
    if (found == values_.end()) return {};
    if (properties_->value_count(found->second) < 3) return glm::dvec3(properties_->real(found->second));
    return properties_->vec3(found->second);
}

std::uint32_t MaterialFields::texture(Field field) const
{
    const auto found = textures_.find(field);
    return found != textures_.end() ? found->second : no_object;
}

} // namespace vitrine::fbx
