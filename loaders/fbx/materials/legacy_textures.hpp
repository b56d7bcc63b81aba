#pragma once
// Before version 7000, textures are connected to the model instead of its materials: layer elements of the
// mesh select one of the model's textures per polygon, as for materials.

#include <map>
#include <unordered_map>
#include <vector>

#include "loaders/fbx/materials/layer_stack.hpp"
#include "loaders/fbx/materials/material_fields.hpp"

namespace vitrine::fbx {

class LegacyTextures {
public:
    // Returns the layers from the bottom up; null for a field without layers.
    const std::vector<StackedLayer>* layers(Field field) const
    {
        const auto found = by_field.find(field);
        return found != by_field.end() ? &found->second : nullptr;
    }

    std::map<Field, std::vector<StackedLayer>> by_field;
};

class LegacyTextureTable {
public:
    explicit LegacyTextureTable(const Document& document);

    const LegacyTextures& of(std::uint32_t material) const;
    // Returns the first layer of each unsupported kind, by its name.
    const std::map<std::string_view, Element>& unshown() const { return unshown_; }
    // Returns the layers that cannot be blended onto the first.
    const std::vector<Element>& further() const { return further_; }

private:
    void read_model(const Document& document, std::uint32_t model);
    void note_unshown(Element model);
    class UvElements;
    std::vector<Element> stack_of(Element model, std::string_view name, const UvElements& uv_elements);

    std::unordered_map<std::uint32_t, LegacyTextures> by_material_;
    LegacyTextures none_;
    std::map<std::string_view, Element> unshown_;
    std::vector<Element> further_;
};

} // namespace vitrine::fbx
