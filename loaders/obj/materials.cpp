#include "loaders/obj/materials.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/base/srgb.hpp"
#include "loaders/images/derived_images.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/obj/scan.hpp"
#include "loaders/scene/missing_maps.hpp"

namespace vitrine::obj {
namespace {

constexpr float neutral_gray = 0.8f; // sRGB, the default of most programs

// Blender's conversion, which writes most current files: Ns = 1000 (1 - roughness)².
float roughness_of(const MtlMaterial& material)
{
    if (material.roughness) return std::clamp(*material.roughness, 0.0f, 1.0f);
    const bool dull = material.specular && *material.specular == glm::vec3(0.0f);
    if (!material.shininess || dull) return 1.0f;
    return 1.0f - std::sqrt(std::clamp(*material.shininess, 0.0f, 1000.0f) / 1000.0f);
}

scene::MaterialExtensions layers_of(const MtlMaterial& from)
{
    const auto fraction = [](std::optional<float> value) {
        return std::clamp(value.value_or(0.0f), 0.0f, 1.0f);
    };
    scene::MaterialExtensions extensions;
    extensions.clearcoat = fraction(from.clearcoat);
    if (extensions.clearcoat > 0.0f) extensions.clearcoat_roughness = fraction(from.clearcoat_roughness);
    extensions.sheen = glm::vec3(fraction(from.sheen));
    if (fraction(from.sheen) > 0.0f) extensions.sheen_roughness = 0.5f; // MTL does not define it
    return extensions;
}

float opacity_of(const MtlMaterial& material)
{
    const float opacity =
        material.dissolve ? *material.dissolve : 1.0f - material.transparency.value_or(0.0f);
    return std::clamp(opacity, 0.0f, 1.0f);
}

class MaterialConverter {
public:
    MaterialConverter(images::TextureLibrary& textures, io::WarningLog& warnings)
        : textures_(textures), derived_(textures), warnings_(warnings)
    {
    }

    scene::Material convert(const MtlMaterial& from);

private:
    bool usable(std::uint32_t image) const { return textures_.has_image(image); }
    std::uint32_t load(const MtlMap& map, const MtlMaterial& material)
    {
        if (map.file.empty()) return scene::none;
        const std::string_view name = without_comment(map.file);
        const bool commented = name != map.file && textures_.find(map.file).empty();
        return textures_.get(commented ? name : map.file, material.place);
    }
    static scene::Texture texture(std::uint32_t image, const MtlMap& map);
    void show_black_texture(const MtlMaterial& from, scene::Material& to);
    void set_opacity(const MtlMaterial& from, scene::Material& to);
    void set_surface(const MtlMaterial& from, scene::Material& to);
    void set_normals(const MtlMaterial& from, scene::Material& to);

    images::TextureLibrary& textures_;
    images::DerivedImages derived_;
    io::WarningLog& warnings_;
};

// V points up in MTL and down in the Scene: v' = s v + o becomes y' = s y + (1 - s - o).
scene::Texture MaterialConverter::texture(std::uint32_t image, const MtlMap& map)
{
    scene::Texture out;
    out.image = image;
    out.wrap_s = out.wrap_t = map.clamp ? scene::Wrap::clamp : scene::Wrap::repeat;
    out.scale = map.scale;
    out.offset = {map.offset.x, 1.0f - map.scale.y - map.offset.y};
    return out;
}

// Kd multiplies map_Kd, so a black one would hide it. Maya writes that for every textured material; without
// its map such a material is gray.
void MaterialConverter::show_black_texture(const MtlMaterial& from, scene::Material& to)
{
    if (from.diffuse != glm::vec3(0.0f) || from.diffuse_map.file.empty()) return;
    const bool has_map = usable(to.base_color_texture.image);
    to.base_color = glm::vec4(linear_from_srgb(glm::vec3(has_map ? 1.0f : neutral_gray)), 1.0f);
    if (!has_map) return; // the map has its own warning
    warnings_.add("mtl_black_map", "Kd is black and would hide map_Kd; it is ignored", from.place);
}

void MaterialConverter::set_opacity(const MtlMaterial& from, scene::Material& to)
{
    to.base_color.w = opacity_of(from);
    if (to.base_color.w < 1.0f) to.alpha_mode = scene::AlphaMode::blend;
    const std::uint32_t mask = load(from.dissolve_map, from);
    if (!usable(mask)) return;
    const std::uint32_t color = to.base_color_texture.image;
    std::uint32_t both = mask;
    if (mask != color || derived_.is_opaque(mask)) both = derived_.with_alpha(color, mask);
    if (!usable(both)) return;
    to.base_color_texture = texture(both, usable(color) ? from.diffuse_map : from.dissolve_map);
    if (usable(color) && !from.dissolve_map.has_same_transform(from.diffuse_map))
        warnings_.add("mtl_option", "map_d is combined with the alpha of map_Kd; its own options are ignored",
                      from.place);
    if (to.alpha_mode == scene::AlphaMode::blend) return;
    to.alpha_mode = derived_.has_binary_alpha(both) ? scene::AlphaMode::mask : scene::AlphaMode::blend;
}

void MaterialConverter::set_surface(const MtlMaterial& from, scene::Material& to)
{
    to.roughness = roughness_of(from);
    to.metallic = std::clamp(from.metallic.value_or(0.0f), 0.0f, 1.0f);
    const std::uint32_t rough = load(from.roughness_map, from), metal = load(from.metallic_map, from);
    if (!usable(rough) && !usable(metal)) return;
    // One image for both is packed already: G and B.
    const std::uint32_t both = rough == metal ? rough : derived_.metallic_roughness(rough, metal);
    if (both == scene::none) return;
    to.metallic_roughness_texture = texture(both, usable(rough) ? from.roughness_map : from.metallic_map);
    if (usable(rough))
        to.roughness =
            from.roughness.value_or(1.0f) > 0.0f ? std::min(from.roughness.value_or(1.0f), 1.0f) : 1.0f;
    if (usable(metal))
        to.metallic =
            from.metallic.value_or(1.0f) > 0.0f ? std::min(from.metallic.value_or(1.0f), 1.0f) : 1.0f;
}

// bump is defined for height maps, but many files name a normal map: a gray image is a height map.
void MaterialConverter::set_normals(const MtlMaterial& from, scene::Material& to)
{
    if (const std::uint32_t image = load(from.normal_map, from); usable(image)) {
        to.normal_texture = texture(image, from.normal_map);
        to.normal_scale = from.normal_map.bump;
        if (!from.bump_map.file.empty() && from.bump_map.file != from.normal_map.file)
            warnings_.add("mtl_not_shown", "map_Bump is ignored because norm is present", from.place);
        return;
    }
    std::uint32_t image = load(from.bump_map, from);
    if (!usable(image)) return;
    if (derived_.is_gray(image))
        image = derived_.normal_map_from_heights(image, 4.0f * from.bump_map.bump);
    else
        to.normal_scale = from.bump_map.bump;
    if (image != scene::none) to.normal_texture = texture(image, from.bump_map);
}

scene::Material MaterialConverter::convert(const MtlMaterial& from)
{
    textures_.set_search_folder(from.folder);
    scene::Material to;
    to.name = from.name;
    to.double_sided = true; // MTL cannot define single-sided surfaces
    const std::uint32_t diffuse = load(from.diffuse_map, from);
    if (diffuse != scene::none) to.base_color_texture = texture(diffuse, from.diffuse_map);
    to.base_color = glm::vec4(
        linear_from_srgb(from.diffuse.value_or(glm::vec3(usable(diffuse) ? 1.0f : neutral_gray))), 1.0f);
    show_black_texture(from, to);
    set_opacity(from, to);
    set_surface(from, to);
    set_normals(from, to);
    to.extensions = layers_of(from);
    to.emissive = linear_from_srgb(from.emissive.value_or(glm::vec3(0.0f)));
    const std::uint32_t emissive = load(from.emissive_map, from);
    if (emissive != scene::none) to.emissive_texture = texture(emissive, from.emissive_map);
    if (usable(emissive) && to.emissive == glm::vec3(0.0f)) to.emissive = glm::vec3(1.0f);
    if (!from.emissive_map.file.empty() && !usable(emissive))
        scene::apply_missing_map(to, scene::MapKind::emission);
    return to;
}

// Finds material indices by name.
class NameTable {
public:
    // Returns false when the name exists.
    bool add(const std::string& name, std::uint32_t index)
    {
        if (!exact_.try_emplace(name, index).second) return false;
        folded_.try_emplace(ascii::lower(name), index);
        if (const auto shorter = without_comment(name); shorter != name)
            uncommented_.try_emplace(ascii::lower(shorter), index);
        return true;
    }

    // Searches the exact name, then ignoring case, then without a trailing comment, then without a trailing
    // comment in the library's name.
    std::optional<std::uint32_t> find(const std::string& name) const
    {
        if (const auto same = exact_.find(name); same != exact_.end()) return same->second;
        if (const auto alike = folded_.find(ascii::lower(name)); alike != folded_.end()) return alike->second;
        const std::string_view shorter = without_comment(name);
        if (shorter != name) return find(std::string(shorter));
        const auto commented = uncommented_.find(ascii::lower(name));
        return commented != uncommented_.end() ? std::optional(commented->second) : std::nullopt;
    }

private:
    std::unordered_map<std::string, std::uint32_t, io::StringHash> exact_, folded_, uncommented_;
};

// Whether something is drawn, and all that is with a material of opacity 0. `materials`: of the library, by
// the index of primitives; null for one that no library has.
bool hides_all(const scene::Scene& scene, std::span<const MtlMaterial* const> materials)
{
    bool any = false;
    for (const scene::Mesh& mesh : scene.meshes) {
        for (const scene::Primitive& primitive : mesh.primitives) {
            if (primitive.count == 0) continue;
            const MtlMaterial* const material =
                primitive.material == scene::none ? nullptr : materials[primitive.material];
            if (material == nullptr || opacity_of(*material) > 0.0f) return false;
            any = true;
        }
    }
    return any;
}

void make_opaque(std::span<const std::uint32_t> used, std::vector<MtlMaterial>& materials,
                 io::WarningLog& warnings)
{
    for (const std::uint32_t index : used) {
        if (index == scene::none || opacity_of(materials[index]) > 0.0f) continue;
        MtlMaterial& material = materials[index];
        warnings.add("mtl_all_transparent",
                     "d or Tr makes everything that is drawn invisible; the material is shown opaque",
                     material.place);
        material.dissolve = 1.0f;
    }
}

// Moves the materials of a library into a list: of several with one name the first.
std::vector<MtlMaterial> unique_materials(std::vector<MtlMaterial> library, NameTable& names,
                                          io::WarningLog& warnings)
{
    std::unordered_set<std::string, io::StringHash> repeated;
    std::vector<MtlMaterial> materials;
    for (MtlMaterial& material : library) {
        if (names.add(material.name, static_cast<std::uint32_t>(materials.size()))) {
            materials.push_back(std::move(material));
        } else if (repeated.insert(material.name).second) {
            warnings.add("mtl_duplicate_material",
                         fmt::format("the material name {} is used repeatedly; the first material is used",
                                     io::shown(material.name)),
                         material.place);
        }
    }
    return materials;
}

} // namespace

void add_materials(std::vector<MtlMaterial> library, const std::vector<NamedReference>& used,
                   images::TextureLibrary& textures, scene::Scene& scene, io::WarningLog& warnings)
{
    NameTable names;
    std::vector<MtlMaterial> materials = unique_materials(std::move(library), names, warnings);
    std::vector<std::uint32_t> index_of;
    std::vector<const MtlMaterial*> used_materials;
    for (const auto& [name, line] : used) {
        const auto found = names.find(name);
        used_materials.push_back(found ? &materials[*found] : nullptr);
        index_of.push_back(found.value_or(scene::none));
    }
    if (hides_all(scene, used_materials)) make_opaque(index_of, materials, warnings);
    MaterialConverter converter(textures, warnings);
    for (const MtlMaterial& material : materials)
        scene.materials.push_back(converter.convert(material));
    textures.report_reduced();
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (index_of[i] != scene::none) continue;
        index_of[i] = static_cast<std::uint32_t>(scene.materials.size());
        const std::string place = fmt::format("line {}", used[i].line);
        warnings.add("missing_material",
                     fmt::format("the material {} is in no library", io::shown(used[i].name)), place);
        MtlMaterial stand_in;
        stand_in.name = used[i].name;
        stand_in.place = place;
        scene.materials.push_back(converter.convert(stand_in));
    }
    for (scene::Mesh& mesh : scene.meshes)
        for (scene::Primitive& primitive : mesh.primitives)
            if (primitive.material != scene::none) primitive.material = index_of[primitive.material];
}

} // namespace vitrine::obj
