#include "loaders/fbx/legacy_textures.hpp"

#include <algorithm>
#include <array>

namespace vitrine::fbx {
namespace {

struct TextureLayer {
    std::string_view element;
    Field field;
};

constexpr std::array layers{
    TextureLayer{"LayerElementTexture", Field::base_colour},
    TextureLayer{"LayerElementDiffuseTextures", Field::base_colour},
    TextureLayer{"LayerElementEmissive_Textures", Field::emission_colour},
    TextureLayer{"LayerElementEmissiveTextures", Field::emission_colour},
    TextureLayer{"LayerElementTransparentTextures", Field::transparency},
    TextureLayer{"LayerElementTransparent_Textures", Field::transparency},
    TextureLayer{"LayerElementNormalMapTextures", Field::normal},
    TextureLayer{"LayerElementNormalMap_Textures", Field::normal},
    TextureLayer{"LayerElementBumpTextures", Field::bump},
    TextureLayer{"LayerElementBump_Textures", Field::bump},
};

std::vector<std::uint32_t> sources_of(const Document& document, std::uint32_t model, Type a, Type b)
{
    std::vector<std::uint32_t> found;
    for (const Connection& connection : document.sources(model)) {
        const Type type = document.object(connection.source).type;
        if (type == a || type == b) found.push_back(connection.source);
    }
    return found;
}

// The number at a polygon, or the one for all.
std::int32_t at(const std::vector<std::int32_t>& numbers, std::size_t polygon)
{
    if (numbers.empty()) return 0;
    return polygon < numbers.size() ? numbers[polygon] : numbers.back();
}

std::vector<std::int32_t> numbers_of(Element layer, std::string_view name)
{
    const auto numbers = layer[name].array<std::int32_t>();
    return numbers ? *numbers : std::vector<std::int32_t>();
}

} // namespace

LegacyTextureTable::LegacyTextureTable(const Document& document)
{
    if (document.version() >= 7000) return;
    for (const std::uint32_t model : document.objects_of_type(Type::model))
        read_model(document, model);
}

void LegacyTextureTable::note_unshown(Element model)
{
    for (const Element layer : model) {
        const std::string_view name = layer.name();
        if (!name.starts_with("LayerElement") || !name.ends_with("Textures")) continue;
        if (std::ranges::find(layers, name, &TextureLayer::element) != layers.end()) continue;
        if (layer.text("MappingInformationType") != "NoMappingInformation" && layer["TextureId"].exists())
            unshown_.try_emplace(name, layer);
    }
}

// Layers above the first, each in a Layer of its own.
void LegacyTextureTable::note_further(Element model, std::string_view name)
{
    bool is_first = true;
    for (const Element layer : model) {
        if (layer.name() != name) continue;
        const bool has_textures =
            layer.text("MappingInformationType") != "NoMappingInformation" && layer["TextureId"].exists();
        if (!is_first && has_textures) further_.push_back(layer);
        is_first = false;
    }
}

// Each material takes the texture of the first polygon that has both.
void LegacyTextureTable::read_model(const Document& document, std::uint32_t model)
{
    const auto textures = sources_of(document, model, Type::texture, Type::texture);
    const auto materials = sources_of(document, model, Type::material, Type::material);
    if (textures.empty() || materials.empty()) return;
    const Element element = document.object(model).element;
    note_unshown(element);
    const auto material_numbers = numbers_of(element["LayerElementMaterial"], "Materials");
    bool has_layers = false;
    for (const auto& [name, field] : layers) {
        const Element layer = element[name];
        if (!layer.exists() || layer.text("MappingInformationType") == "NoMappingInformation") continue;
        has_layers = true;
        note_further(element, name);
        const auto texture_numbers = numbers_of(layer, "TextureId");
        const std::size_t polygons = std::max(material_numbers.size(), texture_numbers.size());
        for (std::size_t p = 0; p < std::max<std::size_t>(polygons, 1); ++p) {
            const auto material = static_cast<std::uint32_t>(at(material_numbers, p));
            const auto texture = static_cast<std::uint32_t>(at(texture_numbers, p));
            if (material < materials.size() && texture < textures.size())
                by_material_[materials[material]].by_field.try_emplace(field, textures[texture]);
        }
    }
    if (has_layers) return;
    for (std::size_t m = 0; m < materials.size(); ++m)
        by_material_[materials[m]].by_field.try_emplace(Field::base_colour,
                                                        textures[std::min(m, textures.size() - 1)]);
}

const LegacyTextures& LegacyTextureTable::of(std::uint32_t material) const
{
    const auto found = by_material_.find(material);
    return found != by_material_.end() ? found->second : none_;
}

} // namespace vitrine::fbx
