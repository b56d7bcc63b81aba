#include "loaders/fbx/materials/materials.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "loaders/base/srgb.hpp"
#include "loaders/fbx/materials/material_fields.hpp"
#include "loaders/fbx/materials/shading.hpp"
#include "loaders/fbx/materials/textures.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/scene/missing_maps.hpp"

namespace vitrine::fbx {
namespace {

// DiffuseColor's default.
glm::vec3 neutral_color()
{
    return linear_from_srgb(glm::vec3(0.8f));
}

class MaterialConverter {
public:
    MaterialConverter(const LoadContext& context, TextureObjects& textures, MaterialMap& out)
        : context_(context), textures_(textures), out_(out), from_blender_(context.document.is_from_blender())
    {
    }

    scene::Material convert(std::uint32_t object, const LegacyTextures& legacy);

private:
    using Slot = scene::Texture scene::Material::*;

    scene::Texture use(std::uint32_t texture, Slot slot);
    void set_base(scene::Material& to);
    void set_opacity(scene::Material& to);
    void set_surface(scene::Material& to);
    void set_extensions(scene::Material& to);
    void set_emission(scene::Material& to);
    void set_normals(scene::Material& to);
    void set_occlusion(scene::Material& to);
    void set_flags(scene::Material& to);
    std::uint32_t find_texture(Field field) const;
    void warn_about_unsupported(const Object& material);
    void warn_about_unsupported(std::string_view property, const Object& material);

    const LoadContext& context_;
    TextureObjects& textures_;
    MaterialMap& out_;
    bool from_blender_;
    const Shading* shading_ = nullptr;
    const MaterialFields* fields_ = nullptr;
    const LegacyTextures* legacy_ = nullptr;
    std::set<std::string_view> unsupported_; // properties already warned about
};

std::uint32_t MaterialConverter::find_texture(Field field) const
{
    const std::uint32_t texture = fields_->texture(field);
    if (texture != no_object) return texture;
    const auto* layers = legacy_->layers(field);
    return layers ? textures_.stacked(*layers) : no_object;
}

scene::Texture MaterialConverter::use(std::uint32_t texture, Slot slot)
{
    const std::string_view uv_set = textures_.uv_set(texture);
    if (!uv_set.empty())
        out_.uv_sets.push_back({static_cast<std::uint32_t>(context_.scene.materials.size()), slot, uv_set});
    return textures_.get(texture);
}

void MaterialConverter::set_base(scene::Material& to)
{
    const auto& [own, texture_weight, is_shaders] = shading_->base;
    const std::uint32_t map = find_texture(Field::base_color);
    to.base_color_texture = use(map, &scene::Material::base_color_texture);
    // A shader's color only applies without its texture. A black color beside a texture is ignored too,
    // because it would hide it; a missing texture then leaves gray.
    const bool has_texture = textures_.has_image(to.base_color_texture.image);
    const bool is_ignored = map != no_object && own == glm::vec3(0.0f);
    const bool is_texture_alone = has_texture && (is_shaders || is_ignored);
    const glm::vec3 color = is_texture_alone ? glm::vec3(texture_weight)
                            : is_ignored     ? texture_weight * neutral_color()
                                             : own;
    to.base_color = glm::vec4(glm::clamp(color, 0.0f, 1.0f), shading_->opacity);
}

void MaterialConverter::set_opacity(scene::Material& to)
{
    if (to.base_color.w < 1.0f) to.alpha_mode = scene::AlphaMode::blend;
    std::uint32_t object = find_texture(Field::opacity);
    if (object == no_object) object = find_texture(Field::transparency);
    if (object == no_object) return;
    const scene::Texture mask = use(object, &scene::Material::base_color_texture);
    if (!textures_.has_image(mask.image)) {
        if (to.base_color.w > 0.0f) return;
        to.base_color.w = 1.0f; // the factor was left to the image
        to.alpha_mode = scene::AlphaMode::opaque;
        return;
    }
    const std::uint32_t color = to.base_color_texture.image;
    std::uint32_t both = mask.image;
    if (color == both) {
        // Maya also connects the image's alpha here, which the image may not have.
        if (textures_.derived().is_opaque(both)) return;
    } else {
        both = textures_.derived().with_alpha(color, mask.image);
    }
    if (!textures_.has_image(both)) return;
    if (!textures_.has_image(color)) to.base_color_texture = mask;
    to.base_color_texture.image = both;
    // The image defines the alpha; Maya then writes a factor of 1.
    to.base_color.w = to.base_color.w > 0.0f ? to.base_color.w : 1.0f;
    if (to.alpha_mode == scene::AlphaMode::opaque)
        to.alpha_mode =
            textures_.derived().has_binary_alpha(both) ? scene::AlphaMode::mask : scene::AlphaMode::blend;
}

void MaterialConverter::set_surface(scene::Material& to)
{
    to.roughness = shading_->roughness;
    to.metallic = shading_->metallic;
    const bool reads_metallic = fields_->is_pbr() || from_blender_;
    const std::uint32_t rough_object = fields_->texture(Field::roughness);
    const std::uint32_t metal_object = reads_metallic ? fields_->texture(Field::metallic) : no_object;
    const scene::Texture rough = use(rough_object, &scene::Material::metallic_roughness_texture);
    const scene::Texture metal = use(metal_object, &scene::Material::metallic_roughness_texture);
    const bool has_rough = textures_.has_image(rough.image), has_metal = textures_.has_image(metal.image);
    if (!has_rough && !has_metal) return;
    to.metallic_roughness_texture = has_rough ? rough : metal;
    if (rough.image != metal.image) // an image shared by both is packed already: G and B
        to.metallic_roughness_texture.image =
            textures_.derived().metallic_roughness(rough.image, metal.image);
    if (has_rough) to.roughness = 1.0f;
    if (has_metal) to.metallic = 1.0f;
}

// Transmitted light has a color of its own in these shaders; glTF's model uses the base color.
void MaterialConverter::set_extensions(scene::Material& to)
{
    to.extensions = shading_->extensions;
    if (to.extensions.transmission <= 0.0f) return;
    const auto mixed = glm::mix(glm::vec3(to.base_color), shading_->transmitted, to.extensions.transmission);
    to.base_color = glm::vec4(mixed, to.base_color.w);
}

void MaterialConverter::set_emission(scene::Material& to)
{
    const std::uint32_t map = find_texture(Field::emission_color);
    to.emissive_texture = use(map, &scene::Material::emissive_texture);
    // A map replaces the color; the weight applies to both.
    to.emissive = map != no_object ? glm::vec3(shading_->emission.texture_weight) : shading_->emission.color;
    if (map != no_object && !textures_.has_image(to.emissive_texture.image))
        scene::apply_missing_map(to, scene::MapKind::emission);
}

// "Bump" is intended for height maps, but many files connect normal maps: a gray image is a height map.
void MaterialConverter::set_normals(scene::Material& to)
{
    const std::uint32_t normal = find_texture(Field::normal);
    const scene::Texture map =
        use(normal != no_object ? normal : find_texture(Field::bump), &scene::Material::normal_texture);
    if (!textures_.has_image(map.image)) return;
    to.normal_texture = map;
    if (normal != no_object || !textures_.derived().is_gray(map.image)) return;
    to.normal_texture.image = textures_.derived().normal_map_from_heights(
        map.image, images::default_bump_strength * shading_->bump);
}

void MaterialConverter::set_occlusion(scene::Material& to)
{
    to.occlusion_texture = use(fields_->texture(Field::occlusion), &scene::Material::occlusion_texture);
}

void MaterialConverter::set_flags(scene::Material& to)
{
    to.double_sided = true; // FBX surfaces are double-sided unless the node disables it
    to.unlit = shading_->unlit;
    if (!shading_->alpha_cutoff) return;
    to.alpha_mode = scene::AlphaMode::mask;
    to.alpha_cutoff = *shading_->alpha_cutoff;
}

// Warns once per property.
void MaterialConverter::warn_about_unsupported(std::string_view property, const Object& material)
{
    if (!unsupported_.insert(property).second) return;
    context_.warnings.add(
        "map_not_shown",
        fmt::format("the texture of {} is not supported; it is ignored", io::shown(property)),
        material.element.location());
}

void MaterialConverter::warn_about_unsupported(const Object& material)
{
    for (const std::string_view property : fields_->unsupported())
        warn_about_unsupported(property, material);
    const bool reads_metallic = fields_->is_pbr() || from_blender_;
    if (!reads_metallic && fields_->texture(Field::metallic) != no_object)
        warn_about_unsupported("ReflectionFactor", material);
}

scene::Material MaterialConverter::convert(std::uint32_t index, const LegacyTextures& legacy)
{
    const Object& object = context_.document.object(index);
    const MaterialFields fields(context_.document, index);
    const Shading shading = read_shading(object.properties, fields, from_blender_);
    shading_ = &shading;
    fields_ = &fields;
    legacy_ = &legacy;
    scene::Material to;
    to.name = object.name;
    set_base(to);
    set_opacity(to);
    set_surface(to);
    set_extensions(to);
    set_emission(to);
    set_normals(to);
    set_occlusion(to);
    set_flags(to);
    warn_about_unsupported(object);
    return to;
}

} // namespace

std::span<const NamedUvSet> MaterialMap::uv_sets_of(std::uint32_t material) const
{
    const auto of_it = std::ranges::equal_range(uv_sets, material, {}, &NamedUvSet::material);
    return {of_it.begin(), of_it.end()};
}

LoadResult<MaterialMap> add_materials(const LoadContext& context)
{
    MaterialMap out;
    out.material_of.assign(context.document.objects().size(), scene::none);
    const auto objects = context.document.objects_of_type(ObjectType::material);
    if (objects.size() > context.limits.materials)
        return io::limit_exceeded_error({}, fmt::format("{} materials", objects.size()), "materials",
                                        context.limits.materials);
    TextureObjects textures(context);
    const LegacyTextureTable legacy(context.document);
    for (const auto& [name, layer] : legacy.unsupported())
        context.warnings.add(
            "map_not_shown",
            fmt::format("the textures of {} are not supported; they are ignored", io::shown(name)),
            layer.location());
    for (const Element layer : legacy.ignored_layers())
        context.warnings.add(
            "layered_texture",
            "a layer of textures is ignored: it uses another UV set or exceeds the number of layers",
            layer.location());
    MaterialConverter converter(context, textures, out);
    for (const std::uint32_t object : objects) {
        out.material_of[object] = static_cast<std::uint32_t>(context.scene.materials.size());
        context.scene.materials.push_back(converter.convert(object, legacy.of(object)));
    }
    textures.report_reduced();
    return out;
}

} // namespace vitrine::fbx
