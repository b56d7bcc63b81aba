#include "loaders/export/gltf/gltf_materials.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <glm/gtc/type_ptr.hpp>

#include "loaders/scene/geometry/backface_culling.hpp"

namespace vitrine::exporting {

namespace {

using scene::Texture;

class GltfMaterialWriter {
public:
    GltfMaterialWriter(const scene::Scene& scene, const GltfMaterialTable& table,
                       const std::vector<std::uint32_t>& image_index)
        : scene_(scene), table_(table), image_index_(image_index)
    {
    }

    GltfMaterials write();

private:
    void write_material(const scene::Material& material, bool double_sided);
    void write_surface(const scene::Material& material);
    void write_emission(const scene::Material& material);
    void write_extensions(const scene::Material& material);
    void write_layers(const scene::MaterialExtensions& extensions);
    // Opens the extension's object; the caller closes it.
    JsonWriter& extension(const char* name);
    // Writes a textureInfo under `key` when its image is written; `factor` is its "scale" or "strength".
    void write_texture(const char* key, const Texture& texture, const char* factor = nullptr,
                       float value = 1.0f);
    void write_transform(const Texture& texture);
    std::uint32_t texture_index(const Texture& texture);
    std::uint32_t sampler_index(const Texture& texture);
    void use(const char* extension);

    const scene::Scene& scene_;
    const GltfMaterialTable& table_;
    const std::vector<std::uint32_t>& image_index_;
    JsonWriter json_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> textures_; // image, sampler
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
        known_textures_; // index by image and sampler
    std::vector<std::tuple<scene::Wrap, scene::Wrap, bool>> samplers_;
    std::vector<std::string> extensions_;
};

template <class T>
std::uint32_t index_in(std::vector<T>& list, const T& item)
{
    const auto found = std::ranges::find(list, item);
    if (found != list.end()) return static_cast<std::uint32_t>(found - list.begin());
    list.push_back(item);
    return static_cast<std::uint32_t>(list.size() - 1);
}

void GltfMaterialWriter::use(const char* extension)
{
    index_in(extensions_, std::string(extension));
}

std::uint32_t GltfMaterialWriter::sampler_index(const Texture& texture)
{
    return index_in(samplers_, {texture.wrap_s, texture.wrap_t, texture.nearest});
}

std::uint32_t GltfMaterialWriter::texture_index(const Texture& texture)
{
    const std::pair what(image_index_[texture.image], sampler_index(texture));
    const auto number = static_cast<std::uint32_t>(textures_.size());
    const auto [known, is_new] = known_textures_.emplace(what, number);
    if (is_new) textures_.push_back(what);
    return known->second;
}

void GltfMaterialWriter::write_transform(const Texture& texture)
{
    if (texture.offset == glm::vec2(0) && texture.scale == glm::vec2(1) && texture.rotation == 0.0f) return;
    use("KHR_texture_transform");
    json_.key("extensions").begin_object().key("KHR_texture_transform").begin_object();
    json_.member("offset", std::span<const float>(glm::value_ptr(texture.offset), 2));
    json_.member("rotation", texture.rotation);
    json_.member("scale", std::span<const float>(glm::value_ptr(texture.scale), 2));
    json_.end_object().end_object();
}

void GltfMaterialWriter::write_texture(const char* key, const Texture& texture, const char* factor,
                                       float value)
{
    if (texture.image == scene::none || image_index_[texture.image] == scene::none) return;
    json_.key(key).begin_object().member("index", texture_index(texture));
    if (texture.uv_set != 0) json_.member("texCoord", std::uint32_t{texture.uv_set});
    if (factor && value != 1.0f) json_.member(factor, value);
    write_transform(texture);
    json_.end_object();
}

void GltfMaterialWriter::write_surface(const scene::Material& material)
{
    json_.key("pbrMetallicRoughness").begin_object();
    const auto color = glm::clamp(material.base_color, 0.0f, 1.0f); // glTF limits factors to 1
    json_.member("baseColorFactor", std::span<const float>(glm::value_ptr(color), 4));
    json_.member("metallicFactor", std::clamp(material.metallic, 0.0f, 1.0f));
    json_.member("roughnessFactor", std::clamp(material.roughness, 0.0f, 1.0f));
    write_texture("baseColorTexture", material.base_color_texture);
    write_texture("metallicRoughnessTexture", material.metallic_roughness_texture);
    json_.end_object();
    write_texture("normalTexture", material.normal_texture, "scale", material.normal_scale);
    write_texture("occlusionTexture", material.occlusion_texture, "strength",
                  std::clamp(material.occlusion_strength, 0.0f, 1.0f));
}

// glTF limits emissiveFactor to 1; the excess is KHR_materials_emissive_strength.
float emission_strength(const scene::Material& material)
{
    return std::max({1.0f, material.emissive.x, material.emissive.y, material.emissive.z});
}

void GltfMaterialWriter::write_emission(const scene::Material& material)
{
    const auto factor = glm::max(material.emissive, 0.0f) / emission_strength(material);
    if (factor != glm::vec3(0))
        json_.member("emissiveFactor", std::span<const float>(glm::value_ptr(factor), 3));
    write_texture("emissiveTexture", material.emissive_texture);
}

JsonWriter& GltfMaterialWriter::extension(const char* name)
{
    use(name);
    return json_.key(name).begin_object();
}

void GltfMaterialWriter::write_extensions(const scene::Material& material)
{
    const float strength = emission_strength(material);
    if (strength <= 1.0f && !material.unlit && material.extensions == scene::MaterialExtensions{}) return;
    json_.key("extensions").begin_object();
    if (strength > 1.0f)
        extension("KHR_materials_emissive_strength").member("emissiveStrength", strength).end_object();
    if (material.unlit)
        extension("KHR_materials_unlit").end_object();
    else
        write_layers(material.extensions);
    json_.end_object();
}

void GltfMaterialWriter::write_layers(const scene::MaterialExtensions& l)
{
    const scene::MaterialExtensions plain;
    const auto color = [](const glm::vec3& c) { return std::span<const float>(glm::value_ptr(c), 3); };
    if (l.ior != plain.ior) extension("KHR_materials_ior").member("ior", l.ior).end_object();
    if (l.specular != plain.specular || l.specular_color != plain.specular_color ||
        l.specular_texture != plain.specular_texture ||
        l.specular_color_texture != plain.specular_color_texture) {
        extension("KHR_materials_specular")
            .member("specularFactor", l.specular)
            .member("specularColorFactor", color(l.specular_color));
        write_texture("specularTexture", l.specular_texture);
        write_texture("specularColorTexture", l.specular_color_texture);
        json_.end_object();
    }
    if (l.clearcoat > 0.0f) {
        extension("KHR_materials_clearcoat")
            .member("clearcoatFactor", l.clearcoat)
            .member("clearcoatRoughnessFactor", l.clearcoat_roughness);
        write_texture("clearcoatTexture", l.clearcoat_texture);
        write_texture("clearcoatRoughnessTexture", l.clearcoat_roughness_texture);
        json_.end_object();
    }
    if (l.sheen != plain.sheen) {
        extension("KHR_materials_sheen")
            .member("sheenColorFactor", color(l.sheen))
            .member("sheenRoughnessFactor", l.sheen_roughness);
        write_texture("sheenColorTexture", l.sheen_texture);
        write_texture("sheenRoughnessTexture", l.sheen_roughness_texture);
        json_.end_object();
    }
    if (l.transmission <= 0.0f) return;
    extension("KHR_materials_transmission").member("transmissionFactor", l.transmission);
    write_texture("transmissionTexture", l.transmission_texture);
    json_.end_object();
    if (l.thickness <= 0.0f) return;
    extension("KHR_materials_volume").member("thicknessFactor", l.thickness);
    if (l.attenuation_distance > 0.0f) json_.member("attenuationDistance", l.attenuation_distance);
    json_.member("attenuationColor", color(l.attenuation_color)).end_object();
}

void GltfMaterialWriter::write_material(const scene::Material& material, bool double_sided)
{
    constexpr std::array modes{"OPAQUE", "MASK", "BLEND"};
    json_.begin_object().member("name", std::string_view(material.name));
    write_surface(material);
    write_emission(material);
    write_extensions(material);
    if (material.alpha_mode != scene::AlphaMode::opaque)
        json_.member("alphaMode", modes[static_cast<std::size_t>(material.alpha_mode)]);
    if (material.alpha_mode == scene::AlphaMode::mask)
        json_.member("alphaCutoff", std::max(material.alpha_cutoff, 0.0f));
    if (double_sided) json_.member("doubleSided", true);
    json_.end_object();
}

// Filters and wrap modes of glTF 2.0, 5.26.
std::string write_samplers(const std::vector<std::tuple<scene::Wrap, scene::Wrap, bool>>& samplers)
{
    constexpr std::array<std::uint32_t, 3> wraps{10497, 33071, 33648};
    JsonWriter json;
    json.begin_array();
    for (const auto& [s, t, nearest] : samplers) {
        json.begin_object();
        json.member("magFilter", nearest ? 9728u : 9729u).member("minFilter", nearest ? 9728u : 9987u);
        json.member("wrapS", wraps[static_cast<std::size_t>(s)])
            .member("wrapT", wraps[static_cast<std::size_t>(t)]);
        json.end_object();
    }
    return json.end_array().take();
}

GltfMaterials GltfMaterialWriter::write()
{
    GltfMaterials out;
    json_.begin_array();
    for (std::uint32_t i = 0; i < scene_.materials.size(); ++i)
        write_material(scene_.materials[i], is_double_sided(scene_, i));
    const bool plain = needs_plain_material(scene_);
    if (plain) write_material({}, true);
    for (std::size_t i = 0; i < table_.colored().size(); ++i)
        write_material(table_.colored()[i], table_.double_sided()[i]);
    json_.end_array();
    if (plain || !scene_.materials.empty() || !table_.colored().empty()) out.materials = json_.take();
    out.extensions = std::move(extensions_);
    if (textures_.empty()) return out;
    out.samplers = write_samplers(samplers_);
    JsonWriter textures;
    textures.begin_array();
    for (const auto& [image, sampler] : textures_)
        textures.begin_object().member("source", image).member("sampler", sampler).end_object();
    out.textures = textures.end_array().take();
    return out;
}

} // namespace

bool is_double_sided(const scene::Scene& scene, std::uint32_t material)
{
    if (!scene.format.empty()) return !scene::culls_back_faces(scene, material);
    return material != scene::none && scene.materials[material].double_sided;
}

bool needs_plain_material(const scene::Scene& scene)
{
    const auto lacks = [](const scene::Mesh& mesh) {
        return std::ranges::find(mesh.primitives, scene::none, &scene::Primitive::material) !=
               mesh.primitives.end();
    };
    return is_double_sided(scene, scene::none) && std::ranges::any_of(scene.meshes, lacks);
}

GltfMaterialTable::GltfMaterialTable(const scene::Scene& scene)
    : scene_(scene), first_colored_(static_cast<std::uint32_t>(scene.materials.size()) +
                                    (needs_plain_material(scene) ? 1u : 0u))
{
}

std::uint32_t GltfMaterialTable::index(std::uint32_t material, const glm::vec4& color)
{
    const auto plain = static_cast<std::uint32_t>(scene_.materials.size());
    if (color == glm::vec4(1.0f)) return material == scene::none && first_colored_ > plain ? plain : material;
    const auto number = first_colored_ + static_cast<std::uint32_t>(colored_.size());
    const std::pair key(material, std::array{color.x, color.y, color.z, color.w});
    const auto [known, is_new] = known_.emplace(key, number);
    if (!is_new) return known->second;
    auto& colored =
        colored_.emplace_back(material == scene::none ? scene::Material{} : scene_.materials[material]);
    colored.base_color *= color;
    has_clamped_ |= glm::any(glm::greaterThan(colored.base_color, glm::vec4(1.0f)));
    double_sided_.push_back(is_double_sided(scene_, material));
    return number;
}

GltfMaterials write_gltf_materials(const scene::Scene& scene, const GltfMaterialTable& table,
                                   const std::vector<std::uint32_t>& image_index)
{
    return GltfMaterialWriter(scene, table, image_index).write();
}

} // namespace vitrine::exporting
