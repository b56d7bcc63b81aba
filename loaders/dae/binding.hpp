#pragma once
// What an instance says about the materials of its mesh: which one a symbol means, and which set of texture
// coordinates each of its textures takes.

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

struct BoundMaterial {
    std::uint32_t material = scene::none;
    // By Texture::uv_set: the set of the TEXCOORD input; empty: the mesh's own order counts.
    std::array<std::optional<std::uint32_t>, 2> sets{};
    bool uses_both = false; // a texture has Texture::uv_set 1
    bool operator==(const BoundMaterial&) const = default;
};

// By symbol, the `material` of a primitive. Primitives without one look for the empty symbol.
class Binding {
public:
    void add(std::string_view symbol, const BoundMaterial& bound) { entries_.emplace_back(symbol, bound); }
    bool has(std::string_view symbol) const { return find(symbol) != nullptr; }
    BoundMaterial of(std::string_view symbol) const
    {
        const BoundMaterial* bound = find(symbol);
        return bound == nullptr ? BoundMaterial{} : *bound;
    }
    bool operator==(const Binding&) const = default;

private:
    const BoundMaterial* find(std::string_view symbol) const
    {
        for (const auto& [name, bound] : entries_)
            if (name == symbol) return &bound;
        return nullptr;
    }

    std::vector<std::pair<std::string_view, BoundMaterial>> entries_;
};

} // namespace vitrine::dae
