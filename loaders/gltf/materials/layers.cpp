#include "loaders/gltf/materials/layers.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/gltf/document/fields.hpp"

namespace vitrine::gltf {
namespace {

class LayerReader {
public:
    LayerReader(const TextureReader& textures, io::WarningLog& warnings, std::set<std::string_view>& told)
        : textures_(textures), warnings_(warnings), told_(told)
    {
    }

    void read_ior(io::JsonValue value)
    {
        const Range range = value["ior"].number() == 0.0 ? not_negative : Range{.least = 1.0f};
        layers.ior = Lenient(value, warnings_).number("ior", 1.5f, range);
    }

    void read_specular(io::JsonValue value)
    {
        layers.specular = share(value, "specularFactor", 1.0f);
        layers.specular_texture = textures_.read(value["specularTexture"]);
        layers.specular_colour = colour(value, "specularColorFactor", glm::vec3(1.0f), not_negative);
        layers.specular_colour_texture = textures_.read(value["specularColorTexture"]);
    }

    void read_clearcoat(io::JsonValue value)
    {
        layers.clearcoat = share(value, "clearcoatFactor", 0.0f);
        layers.clearcoat_texture = textures_.read(value["clearcoatTexture"]);
        layers.clearcoat_roughness = share(value, "clearcoatRoughnessFactor", 0.0f);
        layers.clearcoat_roughness_texture = textures_.read(value["clearcoatRoughnessTexture"]);
        if (layers.clearcoat > 0.0f) not_shown(value["clearcoatNormalTexture"], "the coat's own normal map");
    }

    void read_sheen(io::JsonValue value)
    {
        layers.sheen = colour(value, "sheenColorFactor", glm::vec3(0.0f), from_0_to_1);
        layers.sheen_texture = textures_.read(value["sheenColorTexture"]);
        layers.sheen_roughness = share(value, "sheenRoughnessFactor", 0.0f);
        layers.sheen_roughness_texture = textures_.read(value["sheenRoughnessTexture"]);
    }

    void read_transmission(io::JsonValue value)
    {
        layers.transmission = share(value, "transmissionFactor", 0.0f);
        layers.transmission_texture = textures_.read(value["transmissionTexture"]);
    }

    void read_volume(io::JsonValue value)
    {
        Lenient fields(value, warnings_);
        layers.thickness = std::min(fields.number("thicknessFactor", 0.0f, not_negative), largest);
        layers.attenuation_distance =
            std::min(fields.number("attenuationDistance", 0.0f, not_negative), largest);
        layers.attenuation_colour = colour(value, "attenuationColor", glm::vec3(1.0f), from_0_to_1);
        if (layers.thickness > 0.0f) not_shown(value["thicknessTexture"], "the texture of the thickness");
    }

    scene::Layers layers;

private:
    static constexpr float largest = 1e6f;

    float share(io::JsonValue value, std::string_view key, float otherwise)
    {
        return Lenient(value, warnings_).number(key, otherwise, from_0_to_1);
    }

    glm::vec3 colour(io::JsonValue value, std::string_view key, glm::vec3 otherwise, Range range)
    {
        Lenient(value, warnings_).numbers(key, std::span<float, 3>(&otherwise[0], 3), range);
        return glm::min(otherwise, largest);
    }

    void not_shown(io::JsonValue value, std::string_view what)
    {
        if (value.exists() && told_.insert(what).second)
            warnings_.add("extension_approximated", fmt::format("{} is not shown", what), value.pointer());
    }

    const TextureReader& textures_;
    io::WarningLog& warnings_;
    std::set<std::string_view>& told_;
};

} // namespace

scene::Layers read_layers(Lenient& material, const TextureReader& textures, io::WarningLog& warnings,
                          std::set<std::string_view>& told)
{
    using Read = void (LayerReader::*)(io::JsonValue);
    static constexpr std::pair<std::string_view, Read> reads[]{
        {"KHR_materials_ior", &LayerReader::read_ior},
        {"KHR_materials_specular", &LayerReader::read_specular},
        {"KHR_materials_clearcoat", &LayerReader::read_clearcoat},
        {"KHR_materials_sheen", &LayerReader::read_sheen},
        {"KHR_materials_transmission", &LayerReader::read_transmission},
        {"KHR_materials_volume", &LayerReader::read_volume}};
    LayerReader reader(textures, warnings, told);
    for (const auto& [name, read] : reads)
        if (const io::JsonValue value = material.extension(name); value.exists()) (reader.*read)(value);
    return reader.layers;
}

} // namespace vitrine::gltf
