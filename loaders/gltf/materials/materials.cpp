#include "loaders/gltf/materials/materials.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/materials/texture_reader.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/scene/missing_maps.hpp"

namespace vitrine::gltf {
namespace {

// KHR_materials_ior, specular, clearcoat, sheen, transmission and volume, as version 1 of each extension's
// README defines it. `warned`: unsupported parts that were already warned about.
class MaterialExtensionReader {
public:
    MaterialExtensionReader(const TextureReader& textures, io::WarningLog& warnings,
                            std::set<std::string_view>& warned)
        : textures_(textures), warnings_(warnings), warned_(warned)
    {
    }

    void read_ior(io::JsonValue value)
    {
        const NumberLimits range = value["ior"].number() == 0.0 ? not_negative : NumberLimits{.min = 1.0f};
        extensions.ior = LenientFields(value, warnings_).number("ior", 1.5f, range);
    }

    void read_specular(io::JsonValue value)
    {
        extensions.specular = fraction(value, "specularFactor", 1.0f);
        extensions.specular_texture = textures_.read(value["specularTexture"]);
        extensions.specular_color = color(value, "specularColorFactor", glm::vec3(1.0f), not_negative);
        extensions.specular_color_texture = textures_.read(value["specularColorTexture"]);
    }

    void read_clearcoat(io::JsonValue value)
    {
        extensions.clearcoat = fraction(value, "clearcoatFactor", 0.0f);
        extensions.clearcoat_texture = textures_.read(value["clearcoatTexture"]);
        extensions.clearcoat_roughness = fraction(value, "clearcoatRoughnessFactor", 0.0f);
        extensions.clearcoat_roughness_texture = textures_.read(value["clearcoatRoughnessTexture"]);
        if (extensions.clearcoat > 0.0f)
            not_shown(value["clearcoatNormalTexture"], "the clearcoat normal map");
    }

    void read_sheen(io::JsonValue value)
    {
        extensions.sheen = color(value, "sheenColorFactor", glm::vec3(0.0f), unit_range);
        extensions.sheen_texture = textures_.read(value["sheenColorTexture"]);
        extensions.sheen_roughness = fraction(value, "sheenRoughnessFactor", 0.0f);
        extensions.sheen_roughness_texture = textures_.read(value["sheenRoughnessTexture"]);
    }

    void read_transmission(io::JsonValue value)
    {
        extensions.transmission = fraction(value, "transmissionFactor", 0.0f);
        extensions.transmission_texture = textures_.read(value["transmissionTexture"]);
    }

    void read_volume(io::JsonValue value)
    {
        LenientFields fields(value, warnings_);
        extensions.thickness =
            std::min(fields.number("thicknessFactor", 0.0f, not_negative), max_float_factor);
        extensions.attenuation_distance =
            std::min(fields.number("attenuationDistance", 0.0f, not_negative), max_float_factor);
        extensions.attenuation_color = color(value, "attenuationColor", glm::vec3(1.0f), unit_range);
        if (extensions.thickness > 0.0f) not_shown(value["thicknessTexture"], "the thickness texture");
    }

    scene::MaterialExtensions extensions;

private:
    static constexpr float max_float_factor = 1e6f;

    float fraction(io::JsonValue value, std::string_view key, float fallback)
    {
        return LenientFields(value, warnings_).number(key, fallback, unit_range);
    }

    glm::vec3 color(io::JsonValue value, std::string_view key, glm::vec3 fallback, NumberLimits range)
    {
        LenientFields(value, warnings_).numbers(key, std::span<float, 3>(&fallback[0], 3), range);
        return glm::min(fallback, max_float_factor);
    }

    void not_shown(io::JsonValue value, std::string_view what)
    {
        if (value.exists() && warned_.insert(what).second)
            warnings_.add("extension_approximated", fmt::format("{} is not supported; it is ignored", what),
                          value.pointer());
    }

    const TextureReader& textures_;
    io::WarningLog& warnings_;
    std::set<std::string_view>& warned_;
};

// Values are clamped to their range.
scene::MaterialExtensions read_material_extensions(LenientFields& material, const TextureReader& textures,
                                                   io::WarningLog& warnings,
                                                   std::set<std::string_view>& warned)
{
    using Read = void (MaterialExtensionReader::*)(io::JsonValue);
    static constexpr std::pair<std::string_view, Read> reads[]{
        {"KHR_materials_ior", &MaterialExtensionReader::read_ior},
        {"KHR_materials_specular", &MaterialExtensionReader::read_specular},
        {"KHR_materials_clearcoat", &MaterialExtensionReader::read_clearcoat},
        {"KHR_materials_sheen", &MaterialExtensionReader::read_sheen},
        {"KHR_materials_transmission", &MaterialExtensionReader::read_transmission},
        {"KHR_materials_volume", &MaterialExtensionReader::read_volume}};
    MaterialExtensionReader reader(textures, warnings, warned);
    for (const auto& [name, read] : reads)
        if (const io::JsonValue value = material.extension(name); value.exists()) (reader.*read)(value);
    return reader.extensions;
}

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
        if (legacy.exists()) {
            read_specular_glossiness(legacy, out);
        } else {
            out.extensions = read_material_extensions(fields, textures_, warnings_, warned_);
            apply_missing_maps(value, out);
        }
        out.normal_texture = texture(value["normalTexture"]);
        out.normal_scale = LenientFields(value["normalTexture"], warnings_).number("scale", 1.0f);
        out.occlusion_texture = texture(value["occlusionTexture"]);
        out.occlusion_strength =
            LenientFields(value["occlusionTexture"], warnings_).number("strength", 1.0f, unit_range);
        read_emission(value, out);
        read_alpha(fields, out);
        out.double_sided = fields.boolean("doubleSided", false);
        out.unlit = fields.extension("KHR_materials_unlit").exists();
        return out;
    }

private:
    void read_metallic_roughness(io::JsonValue value, scene::Material& out)
    {
        LenientFields fields(value, warnings_);
        fields.numbers("baseColorFactor", std::span<float, 4>(&out.base_color[0], 4), unit_range);
        out.base_color_texture = texture(value["baseColorTexture"]);
        out.metallic = fields.number("metallicFactor", 1.0f, unit_range);
        out.roughness = fields.number("roughnessFactor", 1.0f, unit_range);
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
        fields.numbers("diffuseFactor", std::span<float, 4>(&diffuse[0], 4), unit_range);
        fields.numbers("specularFactor", std::span<float, 3>(&specular[0], 3), unit_range);
        out.roughness = 1.0f - fields.number("glossinessFactor", 1.0f, unit_range);
        out.metallic = 0.0f;
        out.metallic_roughness_texture = {};
        out.base_color = diffuse;
        out.base_color_texture = texture(value["diffuseTexture"]);
        const scene::Texture both = texture(value["specularGlossinessTexture"]);
        if (value["specularGlossinessTexture"].exists()) {
            // A gloss texture cannot be used as roughness; its mean is estimated.
            out.roughness = 0.5f + 0.5f * out.roughness;
            if (!is_usable(both)) return; // its factors only scale it: a dielectric
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
        fields.numbers("emissiveFactor", std::span<float, 3>(&out.emissive[0], 3), unit_range);
        out.emissive_texture = texture(value["emissiveTexture"]);
        apply_missing_map(value["emissiveTexture"], out.emissive_texture, scene::MapKind::emission, out);
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

    bool is_usable(const scene::Texture& texture) const
    {
        return texture.image != scene::none && images_[texture.image].is_available();
    }

    // `info`: the texture's object in the document, if there is one.
    void apply_missing_map(io::JsonValue info, const scene::Texture& texture, scene::MapKind kind,
                           scene::Material& out) const
    {
        if (info.exists() && !is_usable(texture)) scene::apply_missing_map(out, kind);
    }

    // Of all factors except the emission, after they were read.
    void apply_missing_maps(io::JsonValue value, scene::Material& out) const
    {
        using enum scene::MapKind;
        const io::JsonValue pbr = value["pbrMetallicRoughness"], all = value["extensions"];
        const scene::MaterialExtensions& read = out.extensions;
        apply_missing_map(pbr["metallicRoughnessTexture"], out.metallic_roughness_texture, metalness, out);
        apply_missing_map(all["KHR_materials_specular"]["specularColorTexture"], read.specular_color_texture,
                          specular_color, out);
        apply_missing_map(all["KHR_materials_clearcoat"]["clearcoatTexture"], read.clearcoat_texture,
                          clearcoat, out);
        apply_missing_map(all["KHR_materials_sheen"]["sheenColorTexture"], read.sheen_texture, sheen, out);
        apply_missing_map(all["KHR_materials_transmission"]["transmissionTexture"], read.transmission_texture,
                          transmission, out);
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
