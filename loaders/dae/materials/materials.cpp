#include "loaders/dae/materials/materials.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "loaders/dae/document/numbers.hpp"
#include "loaders/dae/sources/vertex_color.hpp"
#include "loaders/images/image_ops.hpp"
#include "loaders/io/base64.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/scene/missing_maps.hpp"
#include "loaders/scene/uv_sets.hpp"

namespace vitrine::dae {
namespace {

constexpr float default_gray = 0.8f; // sRGB, for materials without any color

// Converts a Phong exponent to the GGX roughness with a lobe of equal width.
float roughness_of(const Effect& effect)
{
    const bool shiny = effect.shading == ShadingModel::phong || effect.shading == ShadingModel::blinn;
    const glm::vec3 specular(effect.specular.color);
    const bool dull =
        !effect.specular.exists || (!effect.specular.image.exists() && specular == glm::vec3(0.0f));
    if (!shiny || dull || !effect.shininess) return 1.0f;
    return static_cast<float>(std::sqrt(2.0 / (std::max(*effect.shininess, 0.0) + 2.0)));
}

} // namespace

Materials::Materials(Source& source, io::Budget& budget, Documents& documents, io::WarningLog& warnings,
                     scene::Scene& scene)
    : limits_(budget.limits()), documents_(documents), warnings_(warnings), scene_(scene),
      effects_(documents), textures_(source, budget.limits(), scene, warnings), derived_(textures_)
{
}

Materials::DefaultMaterialState& Materials::own_of(const Symbols& symbols, io::XmlNode instance)
{
    const auto [known, is_new] = own_.try_emplace({&symbols, instance.tree()});
    if (is_new) {
        known->second.materials.resize(symbols.count());
        known->second.open.resize(symbols.count());
        std::iota(known->second.open.begin(), known->second.open.end(), 0u);
    }
    return known->second;
}

MaterialBinding Materials::bind(io::XmlNode instance, const Symbols& symbols)
{
    DefaultMaterialState& own = own_of(symbols, instance);
    MaterialBinding binding(symbols, own.materials);
    std::vector<bool> is_bound(symbols.count());
    const io::XmlNode technique = instance.child("bind_material").child("technique_common");
    for (io::XmlNode at = technique.child("instance_material"); at.exists();
         at = at.next("instance_material")) {
        const std::uint32_t symbol = symbols.number_of(at.attribute("symbol"));
        if (symbol == scene::none || is_bound[symbol]) continue;
        const io::XmlNode material = documents_.find(at, at.attribute("target"));
        if (!material.is("material")) continue;
        binding.add(symbol, bound(load(material, at), at));
        is_bound[symbol] = true;
    }
    bind_rest(technique.child("instance_material"), instance, symbols, is_bound, own, binding);
    return binding;
}

// Default materials of symbols are equal for all instances of a document. `first`: <instance_material>.
void Materials::bind_rest(io::XmlNode first, io::XmlNode instance, const Symbols& symbols,
                          const std::vector<bool>& is_bound, DefaultMaterialState& own,
                          MaterialBinding& binding)
{
    const auto is_done = [&](std::uint32_t symbol) {
        if (is_bound[symbol]) return false;
        const std::string_view name = symbols.name(symbol);
        if (!name.empty()) {
            const io::XmlNode material = documents_.try_find(instance, name);
            if (material.is("material")) own.materials[symbol] = bound(load(material, {}), {});
            return true;
        }
        // Primitives without a symbol use the only material.
        if (!first.exists() || first.next("instance_material").exists()) return false;
        const io::XmlNode material = documents_.find(first, first.attribute("target"));
        if (material.is("material")) binding.add(symbol, bound(load(material, first), first));
        return false;
    };
    std::erase_if(own.open, is_done);
}

// Calls `use(symbol, set)` for each binding of texture coordinates.
template <class Use>
void for_each_bound_set(io::XmlNode instance, Use use)
{
    for (io::XmlNode at = instance.child("bind_vertex_input"); at.exists();
         at = at.next("bind_vertex_input")) {
        const std::string_view input = at.attribute("input_semantic");
        if (input != "TEXCOORD" && input != "UV") continue;
        std::uint32_t set = 0;
        NumberReader(at.attribute("input_set")).next(set);
        use(at.attribute("semantic"), set);
    }
}

// bind_vertex_input maps a symbol of the effect to a set; without it the mesh's order is used, because a
// number at the end of the symbol is not a reliable hint.
BoundMaterial Materials::bound(const LoadedMaterial& material, io::XmlNode instance)
{
    BoundMaterial out;
    out.material = material.index;
    out.used_sets = static_cast<std::size_t>(
        std::ranges::count_if(material.texcoords, [](std::string_view symbol) { return !symbol.empty(); }));
    for_each_bound_set(instance, [&](std::string_view symbol, std::uint32_t set) {
        for (std::size_t n = 0; n < material.texcoords.size(); ++n)
            if (!material.texcoords[n].empty() && symbol == material.texcoords[n]) out.sets[n] = set;
    });
    return out;
}

// Of the material's symbols; empty where its version does not depend on them.
Materials::BoundSets Materials::sets_of(const MaterialVersions& versions, io::XmlNode instance)
{
    BoundSets sets;
    if (versions.texcoords.size() <= scene::first_more_uvs) return sets;
    for_each_bound_set(instance, [&](std::string_view symbol, std::uint32_t set) {
        if (versions.texcoords.contains(symbol)) sets.insert_or_assign(symbol, set);
    });
    return sets;
}

const Materials::LoadedMaterial& Materials::load(io::XmlNode material, io::XmlNode instance)
{
    MaterialVersions& versions = loaded_[material.key()];
    if (versions.is_read) {
        const auto known = versions.by_sets.find(sets_of(versions, instance));
        if (known != versions.by_sets.end()) return known->second;
    }
    if (scene_.materials.size() >= limits_.materials) {
        limit_error_ =
            io::limit_exceeded_error(documents_.where(material), "materials", limits_.materials).error();
        return versions.by_sets[{}];
    }
    const io::XmlNode instance_effect = material.child("instance_effect");
    const io::XmlNode effect = documents_.find(instance_effect, instance_effect.attribute("url"));
    scene::Material out;
    out.name = name_of(material);
    const Effect read = effects_.read(instance_effect, effect);
    if (!std::exchange(versions.is_read, true)) {
        for (const ColorOrTexture* from : {&read.diffuse, &read.emission, &read.transparent, &read.bump})
            if (from->image.exists()) versions.texcoords.insert(from->texcoord);
        for (const auto& [code, message, at] : read.warnings)
            documents_.warn(code, message, at);
        if (effect.exists() && !read.has_profile)
            documents_.warn("unsupported_effect", "an effect has no profile_COMMON; it is shown gray",
                            effect);
    }
    const BoundSets sets = sets_of(versions, instance);
    LoadedMaterial& loaded = versions.by_sets[sets];
    convert(read, sets, loaded, out);
    loaded.index = static_cast<std::uint32_t>(scene_.materials.size());
    scene_.materials.push_back(std::move(out));
    return loaded;
}

// A constant surface shows its emission; the others are lit.
void Materials::convert(Effect from, const BoundSets& sets, LoadedMaterial& loaded, scene::Material& to)
{
    normalize_transparency(from, transparency_mode_);
    const bool constant = from.shading == ShadingModel::constant;
    // SketchUp stores the color of edges only in <transparent>.
    const bool is_edge = constant && !from.emission.exists && from.transparent.exists &&
                         !from.transparent.is_texture && from.opaque == OpaqueMode::a_one;
    const ColorOrTexture& base = is_edge ? from.transparent : constant ? from.emission : from.diffuse;
    to.double_sided = true; // the format has no culling
    to.unlit = constant && base.exists;
    to.base_color_texture = texture(base);
    const bool has_image = textures_.has_image(to.base_color_texture.image);
    const bool lacks_color = !base.exists && !from.emission.exists;
    glm::vec3 color = base.exists ? glm::vec3(base.color) : glm::vec3(lacks_color ? default_gray : 0.0f);
    if (base.is_texture) color = glm::vec3(has_image ? 1.0f : default_gray);
    to.base_color = glm::vec4(to_linear(color), 1.0f);
    if (!constant && from.emission.exists) {
        to.emissive_texture = texture(from.emission);
        to.emissive = from.emission.is_texture ? glm::vec3(1.0f) : to_linear(glm::vec3(from.emission.color));
        if (from.emission.is_texture && !textures_.has_image(to.emissive_texture.image))
            scene::apply_missing_map(to, scene::MapKind::emission);
    }
    to.roughness = roughness_of(from);
    set_opacity(from, to);
    set_bump(from, to);
    // The important ones first: more than two sets take another way in the renderer.
    assign_uv_set(to.base_color_texture, has_image ? base : from.transparent, sets, loaded);
    assign_uv_set(to.normal_texture, from.bump, sets, loaded);
    assign_uv_set(to.emissive_texture, from.emission, sets, loaded);
}

void Materials::set_opacity(const Effect& from, scene::Material& to)
{
    const scene::Texture mask = texture(from.transparent);
    if (!textures_.has_image(mask.image)) {
        to.base_color.w = opacity_of(from);
        if (to.base_color.w < 1.0f) to.alpha_mode = scene::AlphaMode::blend;
        return;
    }
    const std::uint32_t color = to.base_color_texture.image;
    const std::uint32_t both = masked(color, mask.image, from);
    if (!textures_.has_image(both)) return;
    if (!textures_.has_image(color)) to.base_color_texture = mask;
    to.base_color_texture.image = both;
    to.alpha_mode = derived_.has_binary_alpha(both) ? scene::AlphaMode::mask : scene::AlphaMode::blend;
}

void Materials::set_bump(const Effect& from, scene::Material& to)
{
    scene::Texture bump = texture(from.bump);
    if (!textures_.has_image(bump.image)) return;
    if (!from.bump_is_normal_map && derived_.is_gray(bump.image))
        bump.image = derived_.normal_map_from_heights(bump.image, images::default_bump_strength);
    if (bump.image != scene::none) to.normal_texture = bump;
}

scene::Texture Materials::texture(const ColorOrTexture& from)
{
    scene::Texture out = from.texture;
    if (from.image.exists()) out.image = image(from.image);
    return out;
}

// Assigns one of the Scene's sets to the symbol of a texture that is shown; symbols bound to one set share
// it. Each texture finds one, because there are no more textures than sets.
void Materials::assign_uv_set(scene::Texture& texture, const ColorOrTexture& from, const BoundSets& sets,
                              LoadedMaterial& loaded)
{
    if (!textures_.has_image(texture.image)) return;
    const auto own = sets.find(from.texcoord);
    for (std::size_t n = 0; n < loaded.texcoords.size(); ++n) {
        std::string_view& symbol = loaded.texcoords[n];
        if (symbol.empty()) symbol = from.texcoord;
        const auto other = sets.find(symbol);
        const bool is_same_set = own != sets.end() && other != sets.end() && own->second == other->second;
        if (symbol != from.texcoord && !is_same_set) continue;
        texture.uv_set = static_cast<std::uint8_t>(n);
        return;
    }
}

} // namespace vitrine::dae
