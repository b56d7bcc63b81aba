#include "loaders/gltf/materials/material_extensions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/gltf/document/fields.hpp"

namespace vitrine::gltf {
namespace {

class MaterialExtensionReader {
public:
    MaterialExtensionReader(const TextureReader& textures, io::WarningLog& warnings,
                            std::set<std::string_view>& warned)
        : textures_(textures), warnings_(warnings), warned_(warned)
    {
    }

    void read_ior(io::JsonValue value)
    {
        const NumberLimits range = value["ior"].number() == 0.0 ? not_negative : NumberLimits{.least = 1.0f};
        extensions.ior = LenientFields(value, warnings_).number("ior", 1.5f, range);
    }

    void read_specular(io::JsonValue value)
    {
        extensions.specular = share(value, "specularFactor", 1.0f);
        extensions.specular_texture = textures_.read(value["specularTexture"]);
        extensions.specular_color = color(value, "specularColorFactor", glm::vec3(1.0f), not_negative);
        extensions.specular_color_texture = textures_.read(value["specularColorTexture"]);
    }

    void read_clearcoat(io::JsonValue value)
    {
        extensions.clearcoat = share(value, "clearcoatFactor", 0.0f);
        extensions.clearcoat_texture = textures_.read(value["clearcoatTexture"]);
        extensions.clearcoat_roughness = share(value, "clearcoatRoughnessFactor", 0.0f);
        extensions.clearcoat_roughness_texture = textures_.read(value["clearcoatRoughnessTexture"]);
        if (extensions.clearcoat > 0.0f)
            not_shown(value["clearcoatNormalTexture"], "the clearcoat normal map");
    }

    void read_sheen(io::JsonValue value)
    {
        extensions.sheen = color(value, "sheenColorFactor", glm::vec3(0.0f), from_0_to_1);
        extensions.sheen_texture = textures_.read(value["sheenColorTexture"]);
        extensions.sheen_roughness = share(value, "sheenRoughnessFactor", 0.0f);
        extensions.sheen_roughness_texture = textures_.read(value["sheenRoughnessTexture"]);
    }

    void read_transmission(io::JsonValue value)
    {
        extensions.transmission = share(value, "transmissionFactor", 0.0f);
        extensions.transmission_texture = textures_.read(value["transmissionTexture"]);
    }

    void read_volume(io::JsonValue value)
    {
        LenientFields fields(value, warnings_);
        extensions.thickness = std::min(fields.number("thicknessFactor", 0.0f, not_negative), largest);
        extensions.attenuation_distance =
            std::min(fields.number("attenuationDistance", 0.0f, not_negative), largest);
        extensions.attenuation_color = color(value, "attenuationColor", glm::vec3(1.0f), from_0_to_1);
        if (extensions.thickness > 0.0f) not_shown(value["thicknessTexture"], "the thickness texture");
    }

    scene::MaterialExtensions extensions;

private:
    static constexpr float largest = 1e6f;

    float share(io::JsonValue value, std::string_view key, float fallback)
    {
        return LenientFields(value, warnings_).number(key, fallback, from_0_to_1);
    }

    glm::vec3 color(io::JsonValue value, std::string_view key, glm::vec3 fallback, NumberLimits range)
    {
        LenientFields(value, warnings_).numbers(key, std::span<float, 3>(&fallback[0], 3), range);
        return glm::min(fallback, largest);
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

} // namespace

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

} // namespace vitrine::gltf
