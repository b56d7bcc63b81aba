#include "loaders/fbx/materials/material_fields.hpp"

#include <algorithm>
#include <array>

namespace vitrine::fbx {
namespace {

constexpr std::size_t max_stacked_layers = 16;

// Names of layer elements.
constexpr std::array layer_fields{
    FieldName{"LayerElementTexture", Field::base_color},
    FieldName{"LayerElementDiffuseTextures", Field::base_color},
    FieldName{"LayerElementEmissive_Textures", Field::emission_color},
    FieldName{"LayerElementEmissiveTextures", Field::emission_color},
    FieldName{"LayerElementTransparentTextures", Field::transparency},
    FieldName{"LayerElementTransparent_Textures", Field::transparency},
    FieldName{"LayerElementNormalMapTextures", Field::normal},
    FieldName{"LayerElementNormalMap_Textures", Field::normal},
    FieldName{"LayerElementBumpTextures", Field::bump},
    FieldName{"LayerElementBump_Textures", Field::bump},
};

std::vector<std::uint32_t> sources_of(const Document& document, std::uint32_t model, ObjectType type)
{
    std::vector<std::uint32_t> found;
    for (const ObjectConnection& connection : document.sources(model)) {
        if (document.object(connection.source).type == type) found.push_back(connection.source);
    }
    return found;
}

// Returns the number of a polygon, or the single number for all polygons.
std::int32_t number_at(const std::vector<std::int32_t>& numbers, std::size_t polygon)
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

// Finds the UV element that shares a Layer with another element.
class LegacyTextureTable::UvElements {
public:
    explicit UvElements(Element model)
    {
        for (const Element layer : model) {
            if (layer.name() != "Layer") continue;
            std::int64_t uv = 0;
            for (const Element part : layer)
                if (part.text("Type") == "LayerElementUV") uv = part.integer("TypedIndex");
            for (const Element part : layer)
                of_element_.try_emplace({part.text("Type"), part.integer("TypedIndex")}, uv);
        }
    }

    // Returns the first UV element when no Layer has both.
    std::int64_t of(Element element) const
    {
        const auto found = of_element_.find({element.name(), element[0u].integer()});
        return found != of_element_.end() ? found->second : 0;
    }

private:
    std::map<std::pair<std::string_view, std::int64_t>, std::int64_t> of_element_; // by type and index
};

LegacyTextureTable::LegacyTextureTable(const Document& document)
{
    if (document.version() >= 7000) return;
    for (const std::uint32_t model : document.objects_of_type(ObjectType::model))
        read_model(document, model);
}

void LegacyTextureTable::note_unsupported(Element model)
{
    for (const Element layer : model) {
        const std::string_view name = layer.name();
        if (!name.starts_with("LayerElement") || !name.ends_with("Textures")) continue;
        if (std::ranges::find(layer_fields, name, &FieldName::name) != layer_fields.end()) continue;
        if (layer.text("MappingInformationType") != "NoMappingInformation" && layer["TextureId"].exists())
            unsupported_.try_emplace(name, layer);
    }
}

// Returns the stacked elements of one name, lowest first.
std::vector<Element> LegacyTextureTable::stack_of(Element model, std::string_view name,
                                                  const UvElements& uv_elements)
{
    std::vector<Element> stack;
    for (const Element layer : model) {
        const bool is_used = layer.name() == name &&
                             layer.text("MappingInformationType") != "NoMappingInformation" &&
                             (stack.empty() || layer["TextureId"].exists());
        if (!is_used) continue;
        const bool fits = stack.empty() || (stack.size() < max_stacked_layers &&
                                            uv_elements.of(layer) == uv_elements.of(stack.front()));
        if (fits)
            stack.push_back(layer);
        else
            ignored_layers_.push_back(layer);
    }
    return stack;
}

// Each material uses the texture of the first polygon that has both.
void LegacyTextureTable::read_model(const Document& document, std::uint32_t model)
{
    const auto textures = sources_of(document, model, ObjectType::texture);
    const auto materials = sources_of(document, model, ObjectType::material);
    if (textures.empty() || materials.empty()) return;
    const Element element = document.object(model).element;
    note_unsupported(element);
    const auto material_numbers = numbers_of(element["LayerElementMaterial"], "Materials");
    const UvElements uv_elements(element);
    bool has_layers = false;
    for (const auto& [name, field] : layer_fields) {
        const auto stack = stack_of(element, name, uv_elements);
        has_layers = has_layers || !stack.empty();
        std::vector<std::vector<std::int32_t>> texture_numbers;
        std::size_t polygons = std::max<std::size_t>(material_numbers.size(), stack.empty() ? 0 : 1);
        for (const Element layer : stack)
            polygons =
                std::max(polygons, texture_numbers.emplace_back(numbers_of(layer, "TextureId")).size());
        for (std::size_t p = 0; p < polygons; ++p) {
            const auto material = static_cast<std::uint32_t>(number_at(material_numbers, p));
            if (material >= materials.size()) continue;
            auto& of_material = by_material_[materials[material]].by_field;
            if (of_material.contains(field)) continue;
            std::vector<StackedLayer> found;
            for (std::size_t i = 0; i < stack.size(); ++i)
                if (const auto texture = static_cast<std::uint32_t>(number_at(texture_numbers[i], p));
                    texture < textures.size())
                    found.push_back({textures[texture], legacy_setting(stack[i])});
            if (!found.empty()) of_material.emplace(field, std::move(found));
        }
    }
    if (has_layers) return;
    for (std::size_t m = 0; m < materials.size(); ++m)
        by_material_[materials[m]].by_field.try_emplace(
            Field::base_color, std::vector<StackedLayer>{{textures[std::min(m, textures.size() - 1)]}});
}

const LegacyTextures& LegacyTextureTable::of(std::uint32_t material) const
{
    const auto found = by_material_.find(material);
    return found != by_material_.end() ? found->second : none_;
}

} // namespace vitrine::fbx
