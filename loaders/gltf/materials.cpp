#include "loaders/gltf/materials.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/gltf/fields.hpp"

namespace vitrine::gltf {
namespace {

scene::Wrap to_wrap(std::uint64_t mode)
{
    return mode == 33071 ? scene::Wrap::clamp : mode == 33648 ? scene::Wrap::mirror : scene::Wrap::repeat;
}

class MaterialLoader {
public:
    MaterialLoader(Document& document, std::size_t images)
        : document_(document), warnings_(document.warnings()), images_(images)
    {
    }

    scene::Material run(io::JsonValue value)
    {
        Lenient fields(value, warnings_);
        scene::Material out;
        out.name = fields.string("name");
        read_metallic_roughness(value["pbrMetallicRoughness"], out);
        const io::JsonValue legacy = value["extensions"]["KHR_materials_pbrSpecularGlossiness"];
        if (legacy.is_object()) read_specular_glossiness(legacy, out);
        out.normal_texture = texture(value["normalTexture"]);
        out.normal_scale = Lenient(value["normalTexture"], warnings_).number("scale", 1.0f);
        out.occlusion_texture = texture(value["occlusionTexture"]);
        out.occlusion_strength = Lenient(value["occlusionTexture"], warnings_).number("strength", 1.0f);
        read_emission(value, out);
        read_alpha(fields, out);
        out.double_sided = fields.boolean("doubleSided", false);
        out.unlit = value["extensions"]["KHR_materials_unlit"].exists();
        return out;
    }

private:
    void read_metallic_roughness(io::JsonValue value, scene::Material& out)
    {
        Lenient fields(value, warnings_);
        fields.numbers("baseColorFactor", std::span<float, 4>(&out.base_colour[0], 4));
        out.base_colour_texture = texture(value["baseColorTexture"]);
        out.metallic = fields.number("metallicFactor", 1.0f);
        out.roughness = fields.number("roughnessFactor", 1.0f);
        out.metallic_roughness_texture = texture(value["metallicRoughnessTexture"]);
    }

    // Metals have a dark diffuse and a bright specular colour; the fraction of the specular above the 4 % of
    // dielectrics estimates the metalness, as the extension's appendix on conversion describes.
    void read_specular_glossiness(io::JsonValue value, scene::Material& out)
    {
        Lenient fields(value, warnings_);
        glm::vec4 diffuse(1.0f);
        glm::vec3 specular(1.0f);
        fields.numbers("diffuseFactor", std::span<float, 4>(&diffuse[0], 4));
        fields.numbers("specularFactor", std::span<float, 3>(&specular[0], 3));
        const float brightest = std::max({specular.x, specular.y, specular.z, 0.0f});
        const float diffuse_brightest = std::max({diffuse.x, diffuse.y, diffuse.z, 0.0f});
        const bool textured = value["specularGlossinessTexture"].exists() || value["diffuseTexture"].exists();
        const bool metal = !textured && brightest > 0.04f && diffuse_brightest < brightest;
        out.metallic = metal ? std::clamp((brightest - 0.04f) / 0.96f, 0.0f, 1.0f) : 0.0f;
        out.roughness = std::clamp(1.0f - fields.number("glossinessFactor", 1.0f), 0.0f, 1.0f);
        // A gloss texture cannot be used as roughness; its mean is guessed.
        if (value["specularGlossinessTexture"].exists()) out.roughness = 0.5f + 0.5f * out.roughness;
        out.base_colour = glm::mix(diffuse, glm::vec4(specular, diffuse.w), out.metallic);
        out.base_colour_texture = texture(value["diffuseTexture"]);
        out.metallic_roughness_texture = {};
    }

    void read_emission(io::JsonValue value, scene::Material& out)
    {
        Lenient fields(value, warnings_);
        fields.numbers("emissiveFactor", std::span<float, 3>(&out.emissive[0], 3));
        out.emissive_texture = texture(value["emissiveTexture"]);
        const io::JsonValue strength = value["extensions"]["KHR_materials_emissive_strength"];
        out.emissive *= Lenient(strength, warnings_).number("emissiveStrength", 1.0f);
        out.emissive = glm::clamp(out.emissive, 0.0f, 1e6f);
    }

    void read_alpha(Lenient& fields, scene::Material& out)
    {
        const std::string_view mode = fields.string("alphaMode");
        if (mode == "MASK")
            out.alpha_mode = scene::AlphaMode::mask;
        else if (mode == "BLEND")
            out.alpha_mode = scene::AlphaMode::blend;
        else if (!mode.empty() && mode != "OPAQUE")
            warnings_.add("invalid_property", "the alpha mode does not exist; OPAQUE is used",
                          fields.object()["alphaMode"].pointer());
        out.alpha_cutoff = fields.number("alphaCutoff", 0.5f);
    }

    scene::Texture texture(io::JsonValue info)
    {
        scene::Texture out;
        if (!info.exists()) return out;
        Lenient fields(info, warnings_);
        const io::JsonValue value =
            document_.list("textures")[fields.index("index", document_.list("textures").size())];
        if (!value.exists()) return out;
        out.image = image_of(value);
        read_sampler(value, out);
        std::uint64_t uv_set = fields.integer("texCoord", 0);
        const io::JsonValue transform = info["extensions"]["KHR_texture_transform"];
        if (transform.is_object()) read_transform(transform, out, uv_set);
        if (uv_set > 1) {
            warnings_.add("unsupported_uv_set", fmt::format("UV set {} is not read; set 0 is used", uv_set),
                          info.pointer());
            uv_set = 0;
        }
        out.uv_set = static_cast<std::uint8_t>(uv_set);
        return out;
    }

    // An extension's image goes before the fallback when its format can be decoded.
    std::uint32_t image_of(io::JsonValue value)
    {
        const io::JsonValue webp = value["extensions"]["EXT_texture_webp"];
        if (webp["source"].exists()) return Lenient(webp, warnings_).index("source", images_);
        if (value["source"].exists()) return Lenient(value, warnings_).index("source", images_);
        for (const io::JsonValue extension : value["extensions"])
            if (extension["source"].exists()) return Lenient(extension, warnings_).index("source", images_);
        warnings_.add("missing_image", "the texture names no image", value.pointer());
        return scene::none;
    }

    void read_sampler(io::JsonValue value, scene::Texture& out)
    {
        const io::JsonValue samplers = document_.list("samplers");
        const io::JsonValue sampler = samplers[Lenient(value, warnings_).index("sampler", samplers.size())];
        Lenient fields(sampler, warnings_);
        out.wrap_s = to_wrap(fields.integer("wrapS", 10497));
        out.wrap_t = to_wrap(fields.integer("wrapT", 10497));
        out.nearest = fields.integer("magFilter", 9729) == 9728;
    }

    void read_transform(io::JsonValue transform, scene::Texture& out, std::uint64_t& uv_set)
    {
        Lenient fields(transform, warnings_);
        fields.numbers("offset", std::span<float, 2>(&out.offset[0], 2));
        fields.numbers("scale", std::span<float, 2>(&out.scale[0], 2));
        out.rotation = fields.number("rotation", 0.0f);
        uv_set = fields.integer("texCoord", uv_set);
    }

    Document& document_;
    io::WarningLog& warnings_;
    std::size_t images_;
};

} // namespace

LoadResult<void> load_materials(Document& document, scene::Scene& scene)
{
    const io::JsonValue materials = document.list("materials");
    if (materials.size() > document.budget().limits().materials)
        return fail(LoadErrc::limit_exceeded, "/materials",
                    fmt::format("more than the limit materials = {}", document.budget().limits().materials));
    MaterialLoader loader(document, scene.images.size());
    for (const io::JsonValue material : materials)
        scene.materials.push_back(loader.run(material));
    return {};
}

} // namespace vitrine::gltf
