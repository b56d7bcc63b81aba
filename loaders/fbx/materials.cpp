#include "loaders/fbx/materials.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "loaders/fbx/legacy_textures.hpp"
#include "loaders/fbx/material_fields.hpp"
#include "loaders/fbx/textures.hpp"
#include "loaders/images/image_ops.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text_reader.hpp"
#include "loaders/scene/srgb.hpp"

namespace vitrine::fbx {
namespace {

glm::dvec3 clean(const glm::dvec3& colour)
{
    glm::dvec3 out;
    for (glm::length_t c = 0; c < 3; ++c)
        out[c] = std::isfinite(colour[c]) ? std::clamp(colour[c], 0.0, 1e6) : 0.0;
    return out;
}

glm::vec3 to_linear(const glm::dvec3& srgb)
{
    return glm::vec3(scene::linear_from_srgb(clean(srgb)));
}

float unit(double value)
{
    return std::isfinite(value) ? static_cast<float>(std::clamp(value, 0.0, 1.0)) : 1.0f;
}

// What a colour is multiplied by: far below where it would leave the range of numbers.
double share(double factor, double otherwise)
{
    return std::isfinite(factor) ? std::clamp(factor, 0.0, 1e3) : otherwise;
}

// The first of two names that the object has.
glm::dvec3 colour_of(const Properties& p, std::string_view name, std::string_view old_name,
                     const glm::dvec3& fallback)
{
    return p.vec3(name, p.vec3(old_name, fallback));
}

class Converter {
public:
    Converter(const Import& import, Textures& textures, MaterialMap& out)
        : import_(import), textures_(textures), out_(out), from_blender_(import.document.is_from_blender())
    {
    }

    scene::Material convert(std::uint32_t object, const LegacyTextures& legacy);

private:
    using Slot = scene::Texture scene::Material::*;

    scene::Texture use(std::uint32_t texture, Slot slot);
    void set_base(scene::Material& to);
    double opacity() const;
    void set_opacity(scene::Material& to);
    void set_surface(scene::Material& to);
    double plain_roughness() const;
    void set_layers(scene::Material& to);
    void set_emission(scene::Material& to);
    void set_normals(scene::Material& to);
    void set_occlusion(scene::Material& to);
    void set_flags(scene::Material& to);
    std::uint32_t texture_of(Field field) const;
    void warn_of_unshown(const Object& material);
    void warn_of_unshown(std::string_view property, const Object& material);
    // One image made of others, once for each pair.
    template <class Make>
    std::uint32_t combined(int kind, std::uint32_t a, std::uint32_t b, Make make);

    const Import& import_;
    Textures& textures_;
    MaterialMap& out_;
    bool from_blender_;
    const Properties* properties_ = nullptr;
    const MaterialFields* fields_ = nullptr;
    const LegacyTextures* legacy_ = nullptr;
    std::map<std::tuple<int, std::uint32_t, std::uint32_t>, std::uint32_t> combined_;
    std::set<std::string_view> unshown_; // properties that were warned of
};

template <class Make>
std::uint32_t Converter::combined(int kind, std::uint32_t a, std::uint32_t b, Make make)
{
    const auto [known, is_new] = combined_.try_emplace({kind, a, b}, scene::none);
    if (is_new) known->second = textures_.add(make());
    return known->second;
}

std::uint32_t Converter::texture_of(Field field) const
{
    const std::uint32_t texture = fields_->texture(field);
    if (texture != no_object) return texture;
    const auto* layers = legacy_->layers(field);
    return layers ? textures_.stacked(*layers) : no_object;
}

scene::Texture Converter::use(std::uint32_t texture, Slot slot)
{
    const std::string_view uv_set = textures_.uv_set(texture);
    if (!uv_set.empty())
        out_.uv_sets.push_back({static_cast<std::uint32_t>(import_.scene.materials.size()), slot, uv_set});
    return textures_.get(texture);
}

// FBX's own colours are sRGB as in a colour picker, those of shaders are linear.
void Converter::set_base(scene::Material& to)
{
    const auto own = fields_->colour(Field::base_colour);
    const double weight =
        own ? fields_->real(Field::base_weight).value_or(1.0) : properties_->real("DiffuseFactor", 1.0);
    glm::vec3 colour = own ? glm::vec3(clean(*own))
                           : to_linear(colour_of(*properties_, "DiffuseColor", "Diffuse", glm::dvec3(0.8)));
    to.base_colour_texture = use(texture_of(Field::base_colour), &scene::Material::base_colour_texture);
    // A shader's colour is what shows without its texture; so is black, with which nothing of one would show.
    const bool has_texture = textures_.usable(to.base_colour_texture.image) != nullptr;
    if (has_texture && (own || colour == glm::vec3(0.0f))) colour = glm::vec3(1.0f);
    colour *= static_cast<float>(share(weight, 1.0));
    to.base_colour = glm::vec4(glm::clamp(colour, 0.0f, 1.0f), 1.0f);
}

// Programs write what they mean as Opacity, beside a factor and a colour that do not agree.
double Converter::opacity() const
{
    if (const auto own = fields_->colour(Field::opacity)) return (own->x + own->y + own->z) / 3.0;
    if (properties_->has_own("Opacity")) return properties_->real("Opacity", 1.0);
    if (properties_->has_own("Alpha")) return properties_->real("Alpha", 1.0);
    if (!properties_->has("TransparencyFactor")) return 1.0;
    const glm::dvec3 colour = properties_->vec3("TransparentColor", glm::dvec3(1.0));
    const double opacity =
        1.0 - properties_->real("TransparencyFactor") * (colour.x + colour.y + colour.z) / 3.0;
    return opacity > 0.0 ? opacity : 1.0; // factor 1 with white is what some write for opaque
}

void Converter::set_opacity(scene::Material& to)
{
    to.base_colour.w = unit(opacity());
    if (to.base_colour.w < 1.0f) to.alpha_mode = scene::AlphaMode::blend;
    std::uint32_t object = texture_of(Field::opacity);
    if (object == no_object) object = texture_of(Field::transparency);
    if (object == no_object) return;
    const scene::Texture mask = use(object, &scene::Material::base_colour_texture);
    if (textures_.usable(mask.image) == nullptr) return;
    const std::uint32_t colour = to.base_colour_texture.image;
    std::uint32_t both = mask.image;
    if (colour == both) {
        // Maya connects the picture's alpha here too, which need not be there.
        if (images::is_opaque(*textures_.usable(both))) return;
    } else {
        both = combined(0, colour, mask.image, [&] {
            return images::with_alpha(textures_.usable(colour), *textures_.usable(mask.image));
        });
    }
    if (textures_.usable(both) == nullptr) return;
    if (textures_.usable(colour) == nullptr) to.base_colour_texture = mask;
    to.base_colour_texture.image = both;
    // The picture says it all; Maya then writes a factor of 1 beside it.
    to.base_colour.w = to.base_colour.w > 0.0f ? to.base_colour.w : 1.0f;
    if (to.alpha_mode == scene::AlphaMode::opaque)
        to.alpha_mode =
            images::is_cut_out(*textures_.usable(both)) ? scene::AlphaMode::mask : scene::AlphaMode::blend;
}

// Blender's rule for Phong's exponent, which writes and reads most of today's files.
double Converter::plain_roughness() const
{
    const double exponent = properties_->real("ShininessExponent", properties_->real("Shininess", -1.0));
    const bool dull =
        properties_->real("SpecularFactor", 1.0) == 0.0 ||
        colour_of(*properties_, "SpecularColor", "Specular", glm::dvec3(1.0)) == glm::dvec3(0.0);
    if (!(exponent >= 0.0) || dull) return 1.0;
    return 1.0 - std::sqrt(std::min(exponent, 100.0)) / 10.0;
}

void Converter::set_surface(scene::Material& to)
{
    const bool gloss = fields_->real(Field::uses_glossiness).value_or(0.0) == 1.0;
    const auto shader_roughness = fields_->real(Field::roughness);
    const auto shader_gloss = fields_->real(Field::glossiness);
    double roughness = shader_roughness ? (gloss ? 1.0 - *shader_roughness : *shader_roughness)
                       : shader_gloss   ? 1.0 - *shader_gloss
                                        : plain_roughness();
    double metallic =
        fields_->real(Field::metallic).value_or(from_blender_ ? properties_->real("ReflectionFactor") : 0.0);
    const bool reads_metallic = fields_->is_pbr() || from_blender_;
    const std::uint32_t rough_object = fields_->texture(Field::roughness);
    const std::uint32_t metal_object = reads_metallic ? fields_->texture(Field::metallic) : no_object;
    const scene::Texture rough = use(rough_object, &scene::Material::metallic_roughness_texture);
    const scene::Texture metal = use(metal_object, &scene::Material::metallic_roughness_texture);
    const bool has_rough = textures_.usable(rough.image) != nullptr,
               has_metal = textures_.usable(metal.image) != nullptr;
    if (has_rough || has_metal) {
        to.metallic_roughness_texture = has_rough ? rough : metal;
        if (rough.image != metal.image) { // one picture for both is packed already: G and B
            to.metallic_roughness_texture.image = combined(1, rough.image, metal.image, [&] {
                return images::metallic_roughness(textures_.usable(rough.image),
                                                  textures_.usable(metal.image));
            });
        }
        if (has_rough) roughness = 1.0;
        if (has_metal) metallic = 1.0;
    }
    to.roughness = unit(roughness);
    to.metallic = unit(metallic);
}

// Of Arnold's, Autodesk's Physical and OpenPBR's weights. What such a surface lets through has a colour of
// its own, where glTF's model takes the base colour for it.
void Converter::set_layers(scene::Material& to)
{
    const auto weight = [&](Field field, double otherwise) {
        const double value = fields_->real(field).value_or(otherwise);
        return unit(std::isfinite(value) ? value : otherwise);
    };
    scene::Layers& layers = to.layers;
    layers.clearcoat = weight(Field::coat_weight, 0.0);
    const bool coat_gloss = fields_->real(Field::coat_uses_glossiness).value_or(0.0) == 1.0;
    const float coat = weight(Field::coat_roughness, 0.1);
    if (layers.clearcoat > 0.0f) layers.clearcoat_roughness = coat_gloss ? 1.0f - coat : coat;
    const float sheen = weight(Field::sheen_weight, 0.0);
    if (sheen > 0.0f) {
        const auto colour = clean(fields_->colour(Field::sheen_colour).value_or(glm::dvec3(1.0)));
        layers.sheen = sheen * glm::clamp(glm::vec3(colour), 0.0f, 1.0f);
        layers.sheen_roughness = weight(Field::sheen_roughness, 0.3);
    }
    layers.transmission = weight(Field::transmission_weight, 0.0);
    if (layers.transmission <= 0.0f) return;
    const auto through = clean(fields_->colour(Field::transmission_colour).value_or(glm::dvec3(1.0)));
    const auto mixed =
        glm::mix(glm::vec3(to.base_colour), glm::clamp(glm::vec3(through), 0.0f, 1.0f), layers.transmission);
    to.base_colour = glm::vec4(mixed, to.base_colour.w);
}

void Converter::set_emission(scene::Material& to)
{
    const auto own = fields_->colour(Field::emission_colour);
    const double weight =
        own ? fields_->real(Field::emission_weight).value_or(1.0) : properties_->real("EmissiveFactor", 1.0);
    to.emissive = own ? glm::vec3(clean(*own))
                      : to_linear(colour_of(*properties_, "EmissiveColor", "Emissive", glm::dvec3(0.0)));
    to.emissive_texture = use(texture_of(Field::emission_colour), &scene::Material::emissive_texture);
    // What a map is connected to shows without it; the weight counts for both.
    if (textures_.usable(to.emissive_texture.image) != nullptr) to.emissive = glm::vec3(1.0f);
    to.emissive *= static_cast<float>(share(weight, 0.0));
}

// "Bump" is meant for heights, yet many files name a normal map there: a grey picture holds heights.
void Converter::set_normals(scene::Material& to)
{
    const std::uint32_t normal = texture_of(Field::normal);
    const scene::Texture map =
        use(normal != no_object ? normal : texture_of(Field::bump), &scene::Material::normal_texture);
    const scene::Image* image = textures_.usable(map.image);
    if (image == nullptr) return;
    to.normal_texture = map;
    if (normal != no_object || !images::is_grey(*image)) return;
    constexpr float strength = 4.0f; // of BumpFactor 1; the file does not say how high white is
    const double factor = properties_->real("BumpFactor", 1.0);
    const auto scaled =
        strength * static_cast<float>(std::isfinite(factor) ? std::clamp(factor, -10.0, 10.0) : 1.0);
    to.normal_texture.image =
        combined(2, map.image, static_cast<std::uint32_t>(std::lround(std::abs(scaled) * 100.0f)),
                 [&] { return images::normals_of_heights(*textures_.usable(map.image), scaled); });
}

void Converter::set_occlusion(scene::Material& to)
{
    to.occlusion_texture = use(fields_->texture(Field::occlusion), &scene::Material::occlusion_texture);
}

void Converter::set_flags(scene::Material& to)
{
    to.double_sided = true; // a surface of FBX has no back unless its node says so
    to.unlit = fields_->real(Field::unlit).value_or(0.0) != 0.0;
    if (fields_->real(Field::alpha_mode).value_or(0.0) == 2.0) {
        to.alpha_mode = scene::AlphaMode::mask;
        to.alpha_cutoff = unit(fields_->real(Field::alpha_cutoff).value_or(0.5));
    }
}

// Once for each property.
void Converter::warn_of_unshown(std::string_view property, const Object& material)
{
    if (!unshown_.insert(property).second) return;
    import_.warnings.add("map_not_shown", fmt::format("the texture of {} is not shown", io::shown(property)),
                         material.element.place());
}

void Converter::warn_of_unshown(const Object& material)
{
    for (const std::string_view property : fields_->unshown())
        warn_of_unshown(property, material);
    const bool reads_metallic = fields_->is_pbr() || from_blender_;
    if (!reads_metallic && fields_->texture(Field::metallic) != no_object)
        warn_of_unshown("ReflectionFactor", material);
}

scene::Material Converter::convert(std::uint32_t index, const LegacyTextures& legacy)
{
    const Object& object = import_.document.object(index);
    const MaterialFields fields(import_.document, index);
    properties_ = &object.properties;
    fields_ = &fields;
    legacy_ = &legacy;
    scene::Material to;
    to.name = object.name;
    set_base(to);
    set_opacity(to);
    set_surface(to);
    set_layers(to);
    set_emission(to);
    set_normals(to);
    set_occlusion(to);
    set_flags(to);
    warn_of_unshown(object);
    return to;
}

} // namespace

std::span<const NamedUvSet> MaterialMap::uv_sets_of(std::uint32_t material) const
{
    const auto of_it = std::ranges::equal_range(uv_sets, material, {}, &NamedUvSet::material);
    return {of_it.begin(), of_it.end()};
}

LoadResult<MaterialMap> add_materials(const Import& import)
{
    MaterialMap out;
    out.material_of.assign(import.document.objects().size(), scene::none);
    const auto objects = import.document.objects_of_type(Type::material);
    if (objects.size() > import.limits.materials)
        return io::over_limit({}, fmt::format("{} materials are more", objects.size()), "materials",
                              import.limits.materials);
    Textures textures(import);
    const LegacyTextureTable legacy(import.document);
    for (const auto& [name, layer] : legacy.unshown())
        import.warnings.add("map_not_shown", fmt::format("the textures of {} are not shown", io::shown(name)),
                            layer.place());
    for (const Element layer : legacy.further())
        import.warnings.add("layered_texture",
                            "a layer of textures is left out: in another UV set, or one too many",
                            layer.place());
    Converter converter(import, textures, out);
    for (const std::uint32_t object : objects) {
        out.material_of[object] = static_cast<std::uint32_t>(import.scene.materials.size());
        import.scene.materials.push_back(converter.convert(object, legacy.of(object)));
    }
    return out;
}

} // namespace vitrine::fbx
