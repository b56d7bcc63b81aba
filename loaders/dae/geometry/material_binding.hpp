#pragma once
// What an instance says about the materials of its mesh: which one a symbol means, and which set of texture
// coordinates each of its textures takes. Symbols have numbers, so that an instance costs what it says and
// not what its geometry has.

#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "loaders/io/string_hash.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

struct BoundMaterial {
    std::uint32_t material = scene::none;
    // By Texture::uv_set: the set of the TEXCOORD input; empty: the mesh's own order counts.
    std::array<std::optional<std::uint32_t>, 2> sets{};
    bool uses_both = false; // a texture has Texture::uv_set 1
    bool operator==(const BoundMaterial&) const = default;
};

// The `material`s of a geometry's primitives, each once, in their order. Primitives without one have the
// empty symbol.
class Symbols {
public:
    void add(std::string_view symbol)
    {
        if (numbers_.try_emplace(symbol, count()).second) names_.push_back(symbol);
    }
    std::uint32_t count() const { return static_cast<std::uint32_t>(names_.size()); }
    std::string_view name(std::uint32_t number) const { return names_[number]; }
    // scene::none: there is no such symbol.
    std::uint32_t number_of(std::string_view symbol) const
    {
        const auto found = numbers_.find(symbol);
        return found == numbers_.end() ? scene::none : found->second;
    }

private:
    std::vector<std::string_view> names_;
    std::unordered_map<std::string_view, std::uint32_t, io::StringHash> numbers_;
};

// What the symbols of a geometry mean in a document where an instance says nothing, by number.
using DefaultMaterials = std::vector<std::optional<BoundMaterial>>;

class MaterialBinding {
public:
    // Both outlive it.
    MaterialBinding(const Symbols& symbols, const DefaultMaterials& own) : symbols_(&symbols), own_(&own) {}

    // A symbol that has none yet.
    void add(std::uint32_t symbol, const BoundMaterial& bound);

    const Symbols& symbols() const { return *symbols_; }
    // One without a material has none.
    std::vector<BoundMaterial> by_symbol() const;
    // Of two of one geometry.
    bool operator==(const MaterialBinding& other) const;
    std::uint64_t hash() const { return hash_; }

private:
    const Symbols* symbols_;
    const DefaultMaterials* own_;
    std::vector<std::pair<std::uint32_t, BoundMaterial>> bound_;
    std::uint64_t hash_ = io::hash_seed(); // of these
};

} // namespace vitrine::dae
