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

// Arnold (Maya, 3ds Max), Stingray PBS, Physical, PBR metal/rough and spec/gloss, glTF material, OpenPBR.
constexpr std::array shader_names{
    FieldName{"basecolor", Field::base_color},
    FieldName{"base", Field::base_weight},
    FieldName{"baseweight", Field::base_weight},
    FieldName{"metalness", Field::metallic},
    FieldName{"metallic", Field::metallic},
    FieldName{"basemetalness", Field::metallic},
    FieldName{"roughness", Field::roughness},
    FieldName{"specularroughness", Field::roughness},
    FieldName{"glossiness", Field::glossiness},
    FieldName{"useglossiness", Field::uses_glossiness},
    FieldName{"roughnessinv", Field::uses_glossiness},
    FieldName{"emissioncolor", Field::emission_color},
    FieldName{"emissive", Field::emission_color},
    FieldName{"emitcolor", Field::emission_color},
    FieldName{"emission", Field::emission_weight},
    FieldName{"emissionweight", Field::emission_weight},
    FieldName{"emissiveintensity", Field::emission_weight},
    FieldName{"emissionluminance", Field::emission_luminance},
    FieldName{"opacity", Field::opacity},
    FieldName{"geometryopacity", Field::opacity},
    FieldName{"cutout", Field::opacity},
    FieldName{"coat", Field::coat_weight},
    FieldName{"coating", Field::coat_weight},
    FieldName{"coatweight", Field::coat_weight},
    FieldName{"coatroughness", Field::coat_roughness},
    FieldName{"coatroughnessinv", Field::coat_uses_glossiness},
    FieldName{"transmission", Field::transmission_weight},
    FieldName{"transparency", Field::transmission_weight},
    FieldName{"transmissionweight", Field::transmission_weight},
    FieldName{"transmissioncolor", Field::transmission_color},
    FieldName{"transcolor", Field::transmission_color},
    FieldName{"sheen", Field::sheen_weight},
    FieldName{"fuzzweight", Field::sheen_weight},
    FieldName{"sheencolor", Field::sheen_color},
    FieldName{"fuzzcolor", Field::sheen_color},
    FieldName{"sheenroughness", Field::sheen_roughness},
    FieldName{"fuzzroughness", Field::sheen_roughness},
    FieldName{"normalcamera", Field::normal},
    FieldName{"normal", Field::normal},
    FieldName{"norm", Field::normal},
    FieldName{"bump", Field::bump},
    FieldName{"bumpmapamt", Field::normal_scale},
    FieldName{"ao", Field::occlusion},
    FieldName{"ambientocclusion", Field::occlusion},
    FieldName{"occlusion", Field::occlusion},
    FieldName{"doublesided", Field::double_sided},
    FieldName{"unlitmaterial", Field::unlit},
    FieldName{"alphacutoff", Field::alpha_cutoff},
    FieldName{"alphamode", Field::alpha_mode},
};
// Names used by textures only.
constexpr std::array texture_names{
    FieldName{"color", Field::base_color},   // Stingray: TEX_color_map
    FieldName{"diffuse", Field::base_color}, // PBR spec/gloss
    FieldName{"alpha", Field::opacity},
};

std::optional<Field> find_field(std::span<const FieldName> rows, std::string_view name)
{
    for (const FieldName& row : rows)
        if (row.name == name) return row.field;
    return {};
}

// FBX's own properties; those that are scalars have a factor.
std::optional<Field> own_texture_field(std::string_view property)
{
    constexpr std::array rows{
        FieldName{"DiffuseColor", Field::base_color},
        FieldName{"Diffuse", Field::base_color},
        FieldName{"EmissiveColor", Field::emission_color},
        FieldName{"Emissive", Field::emission_color},
        FieldName{"TransparentColor", Field::transparency},
        FieldName{"TransparencyFactor", Field::transparency},
        FieldName{"Opacity", Field::transparency},
        FieldName{"NormalMap", Field::normal},
        FieldName{"Bump", Field::bump},
        FieldName{"BumpFactor", Field::bump},
        FieldName{"ReflectionFactor", Field::metallic},
    };
    return find_field(rows, property);
}

// Returns whether textures of the field are supported; other fields are used as numbers only.
bool supports_textures(Field field)
{
    constexpr std::array supported{Field::base_color, Field::metallic,     Field::roughness,
                                   Field::opacity,    Field::transparency, Field::emission_color,
                                   Field::normal,     Field::bump,         Field::occlusion};
    return std::ranges::find(supported, field) != supported.end();
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
    constexpr std::string_view stingray_infix = "|TEX_";
    const std::size_t at = map.rfind(stingray_infix);
    return at != map.npos && is_off(std::string(map.substr(0, at)) + "|use_" +
                                    std::string(map.substr(at + stingray_infix.size())));
}

} // namespace

std::optional<Field> find_field(std::string_view property, bool is_texture)
{
    std::string name = folded(property);
    if (!is_texture) return find_field(shader_names, name);
    if (name.starts_with("tex")) name.erase(0, 3);
    if (name.ends_with("map")) name.erase(name.size() - 3);
    const auto found = find_field(shader_names, name);
    return found ? found : find_field(texture_names, name);
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
        const auto field = find_field(entry.name, false);
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
    for (const ObjectConnection& connection : document.sources(material)) {
        const ObjectType type = document.object(connection.source).type;
        if (type != ObjectType::texture && type != ObjectType::layered_texture) continue;
        const std::string_view property = connection.destination_property;
        const bool is_shaders = is_shader_property(property);
        if (is_shaders && is_switched_off(*properties_, property)) continue;
        const auto field = property.empty() ? Field::base_color
                           : is_shaders     ? find_field(property, true)
                                            : own_texture_field(property);
        if (!field || !supports_textures(*field))
            unsupported_.push_back(property);
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
