#pragma once
// The materials that an instance binds to its mesh: the material of each symbol, and the texture coordinate
// set of each of its textures. Symbols are numbered, so the cost of an instance depends on its own bindings
// and not on the size of its geometry.

#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "loaders/io/string_hash.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

// Of a material: as many as it has textures (color with opacity, normal map, emission).
inline constexpr std::size_t max_texture_sets = 3;

struct BoundMaterial {
    std::uint32_t material = scene::none;
    // By Texture::uv_set: the set of the TEXCOORD input; nullopt: the mesh's own order is used.
    std::array<std::optional<std::uint32_t>, max_texture_sets> sets{};
    std::size_t used_sets = 0; // Texture::uv_set is less
    bool operator==(const BoundMaterial&) const = default;
};

// The distinct `material`s of a geometry's primitives, in order. Primitives without one have the empty
// symbol.
class Symbols {
public:
    void add(std::string_view symbol)
    {
        if (numbers_.try_emplace(symbol, count()).second) names_.push_back(symbol);
    }
    std::uint32_t count() const { return static_cast<std::uint32_t>(names_.size()); }
    std::string_view name(std::uint32_t number) const { return names_[number]; }
    // Returns scene::none for an unknown symbol.
    std::uint32_t number_of(std::string_view symbol) const
    {
        const auto found = numbers_.find(symbol);
        return found == numbers_.end() ? scene::none : found->second;
    }

private:
    std::vector<std::string_view> names_;
    std::unordered_map<std::string_view, std::uint32_t, io::StringHash> numbers_;
};

// The default materials of a geometry's symbols in a document, by symbol number, used where an instance binds
// none.
using DefaultMaterials = std::vector<std::optional<BoundMaterial>>;

class MaterialBinding {
public:
    // Both arguments must outlive it.
    MaterialBinding(const Symbols& symbols, const DefaultMaterials& own) : symbols_(&symbols), own_(&own) {}

    // Precondition: the symbol is not bound yet.
    void add(std::uint32_t symbol, const BoundMaterial& bound);

    const Symbols& symbols() const { return *symbols_; }
    // Symbols without a material have an empty entry.
    std::vector<BoundMaterial> by_symbol() const;
    // Precondition: both belong to one geometry.
    bool operator==(const MaterialBinding& other) const;
    std::uint64_t hash() const { return hash_; }

private:
    const Symbols* symbols_;
    const DefaultMaterials* own_;
    std::vector<std::pair<std::uint32_t, BoundMaterial>> bound_;
    std::uint64_t hash_ = io::hash_seed(); // of the bindings
};

} // namespace vitrine::dae
