#include "loaders/gltf/materials/materials.hpp"

#include <algorithm>

#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/materials/material_extensions.hpp"
#include "loaders/gltf/materials/texture_reader.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/scene/missing_maps.hpp"

namespace vitrine::gltf {
namespace {

class MaterialLoader {
public:
    MaterialLoader(Document& document, const std::vector<scene::Image>& images)
        : warnings_(document.warnings()), images_(images), textures_(document, images)
    {
    }

    scene::Material run(io::JsonValue value)
    {
        LenientFields fields(value, warnings_);
        scene::Material out;
        out.name = fields.string("name");
        read_metallic_roughness(fields.member("pbrMetallicRoughness"), out);
        const io::JsonValue legacy = fields.extension("KHR_materials_pbrSpecularGlossiness");
        if (legacy.exists())
            read_specular_glossiness(legacy, out);
        else
            out.extensions = read_material_extensions(fields, textures_, warnings_, warned_);
        out.normal_texture = texture(value["normalTexture"]);
        out.normal_scale = LenientFields(value["normalTexture"], warnings_).number("scale", 1.0f);
        out.occlusion_texture = texture(value["occlusionTexture"]);
        out.occlusion_strength =
            LenientFields(value["occlusionTexture"], warnings_).number("strength", 1.0f, from_0_to_1);
        read_emission(value, out);
        read_alpha(fields, out);
        out.double_sided = fields.boolean("doubleSided", false);
        out.unlit = fields.extension("KHR_materials_unlit").exists();
        scene::apply_missing_maps(out, images_);
        return out;
    }

private:
    void read_metallic_roughness(io::JsonValue value, scene::Material& out)
    {
        LenientFields fields(value, warnings_);
        fields.numbers("baseColorFactor", std::span<float, 4>(&out.base_color[0], 4), from_0_to_1);
        out.base_color_texture = texture(value["baseColorTexture"]);
        out.metallic = fields.number("metallicFactor", 1.0f, from_0_to_1);
        out.roughness = fields.number("roughnessFactor", 1.0f, from_0_to_1);
        out.metallic_roughness_texture = texture(value["metallicRoughnessTexture"]);
    }

    // Metals have a dark diffuse and a bright specular color; metalness is estimated from the specular part
    // above the 4 % of dielectrics, as in the extension's appendix on conversion. With a texture the value
    // varies per texel: then the specular color is kept.
    void read_specular_glossiness(io::JsonValue value, scene::Material& out)
    {
        LenientFields fields(value, warnings_);
        glm::vec4 diffuse(1.0f);
        glm::vec3 specular(1.0f);
        fields.numbers("diffuseFactor", std::span<float, 4>(&diffuse[0], 4), from_0_to_1);
        fields.numbers("specularFactor", std::span<float, 3>(&specular[0], 3), from_0_to_1);
        out.roughness = 1.0f - fields.number("glossinessFactor", 1.0f, from_0_to_1);
        out.metallic = 0.0f;
        out.metallic_roughness_texture = {};
        out.base_color = diffuse;
        out.base_color_texture = texture(value["diffuseTexture"]);
        const scene::Texture both = texture(value["specularGlossinessTexture"]);
        if (both.image != scene::none && !images_[both.image].pixels.empty()) {
            // A gloss texture cannot be used as roughness; its mean is estimated.
            out.roughness = 0.5f + 0.5f * out.roughness;
            out.extensions.ior = 0.0f;
            out.extensions.specular_color = specular;
            out.extensions.specular_color_texture = both;
            return;
        }
        const float brightest = std::max({specular.x, specular.y, specular.z});
        const float diffuse_brightest = std::max({diffuse.x, diffuse.y, diffuse.z});
        if (value["diffuseTexture"].exists() || brightest <= 0.04f || diffuse_brightest >= brightest) return;
        out.metallic = std::clamp((brightest - 0.04f) / 0.96f, 0.0f, 1.0f);
        out.base_color = glm::mix(diffuse, glm::vec4(specular, diffuse.w), out.metallic);
    }

    void read_emission(io::JsonValue value, scene::Material& out)
    {
        LenientFields fields(value, warnings_);
        fields.numbers("emissiveFactor", std::span<float, 3>(&out.emissive[0], 3), from_0_to_1);
        out.emissive_texture = texture(value["emissiveTexture"]);
        if (value["emissiveTexture"].exists() && out.emissive_texture.image == scene::none)
            scene::apply_missing_map(out, scene::MapKind::emission);
        const io::JsonValue strength = fields.extension("KHR_materials_emissive_strength");
        out.emissive *= LenientFields(strength, warnings_).number("emissiveStrength", 1.0f, not_negative);
        out.emissive = glm::min(out.emissive, 1e6f);
    }

    void read_alpha(LenientFields& fields, scene::Material& out)
    {
        const std::string_view mode = fields.string("alphaMode");
        if (mode == "MASK")
            out.alpha_mode = scene::AlphaMode::mask;
        else if (mode == "BLEND")
            out.alpha_mode = scene::AlphaMode::blend;
        else if (!mode.empty() && mode != "OPAQUE")
            warnings_.add("invalid_property", "the alpha mode is unknown; OPAQUE is used",
                          fields.object()["alphaMode"].pointer());
        out.alpha_cutoff = fields.number("alphaCutoff", 0.5f, not_negative);
    }

    scene::Texture texture(io::JsonValue info) { return textures_.read(info); }

    io::WarningLog& warnings_;
    const std::vector<scene::Image>& images_;
    TextureReader textures_;
    std::set<std::string_view> warned_; // unsupported parts of material extensions already warned about
};

} // namespace

LoadResult<void> load_materials(Document& document, scene::Scene& scene)
{
    const io::JsonValue materials = document.list("materials");
    if (materials.size() > document.budget().limits().materials)
        return io::limit_exceeded_error("/materials", "materials", document.budget().limits().materials);
    MaterialLoader loader(document, scene.images);
    for (const io::JsonValue material : materials)
        scene.materials.push_back(loader.run(material));
    return {};
}

} // namespace vitrine::gltf
