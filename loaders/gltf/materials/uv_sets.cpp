#include "loaders/gltf/materials/uv_sets.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "loaders/scene/material_textures.hpp"

namespace vitrine::gltf {
namespace {

bool is_shown(const scene::Scene& scene, const scene::Texture& texture)
{
    return texture.image != scene::none && scene.images[texture.image].is_available();
}

// Adds the sets that shown textures name, each once, the important ones first.
void add_named_sets(const scene::Scene& scene, const scene::Material& material, UvSets& sets)
{
    const auto add = [&](const scene::Texture& texture) {
        const std::uint32_t set = texture.uv_set;
        if (is_shown(scene, texture) && std::ranges::find(sets, set) == sets.end()) sets.push_back(set);
    };
    add(material.base_color_texture);
    add(material.normal_texture);
    for (const auto* texture : scene::textures_of(material))
        add(*texture);
}

UvSets named_sets(const scene::Scene& scene, std::span<const scene::Material> materials)
{
    UvSets sets;
    for (const auto& material : materials)
        add_named_sets(scene, material, sets);
    return sets;
}

UvSets read_of(const UvSets& named)
{
    if (std::ranges::all_of(named, [](std::uint32_t set) { return set < 2; })) return {0, 1};
    if (named.size() == 1) return {named[0], 1};
    return {named.begin(), named.begin() + static_cast<std::ptrdiff_t>(
                                               std::min<std::size_t>(named.size(), scene::max_uv_sets))};
}

// The Scene's number of a set; nothing: the set is not read.
std::optional<std::uint8_t> find_place(const UvSets& sets, std::uint32_t set)
{
    const auto found = std::ranges::find(sets, set);
    if (found == sets.end()) return std::nullopt;
    return static_cast<std::uint8_t>(found - sets.begin());
}

// Returns the sets that are read.
UvSets choose(Document& document, scene::Scene& scene, std::size_t number, const UvSets& named)
{
    auto& material = scene.materials[number];
    const UvSets sets = read_of(named);
    for (auto* texture : scene::textures_of(material)) {
        const auto place = find_place(sets, texture->uv_set);
        if (!place && is_shown(scene, *texture))
            document.warnings().add("unsupported_uv_set",
                                    fmt::format("a texture uses UV set {} instead of {}: the material names "
                                                "{} sets, of which {} are read",
                                                sets[0], texture->uv_set, named.size(), sets.size()),
                                    fmt::format("/materials/{}", number));
        texture->uv_set = place.value_or(0);
    }
    return sets;
}

} // namespace

std::vector<UvSets> choose_uv_sets(Document& document, scene::Scene& scene)
{
    std::vector<UvSets> out;
    // A primitive has the coordinates of all its variants: those of all materials.
    const bool has_variants = !scene.variants.empty();
    const auto all = has_variants ? named_sets(scene, scene.materials) : UvSets();
    for (std::size_t i = 0; i < scene.materials.size(); ++i)
        out.push_back(
            choose(document, scene, i,
                   has_variants ? all : named_sets(scene, std::span(scene.materials).subspan(i, 1))));
    out.push_back(has_variants ? read_of(all) : UvSets{0, 1});
    return out;
}

} // namespace vitrine::gltf
