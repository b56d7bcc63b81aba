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

// The sets that shown textures name, each once, the important ones first.
std::vector<std::uint32_t> named_sets(const scene::Scene& scene, const scene::Material& material)
{
    std::vector<std::uint32_t> sets;
    const auto add = [&](const scene::Texture& texture) {
        const std::uint32_t set = texture.uv_set;
        if (is_shown(scene, texture) && std::ranges::find(sets, set) == sets.end()) sets.push_back(set);
    };
    add(material.base_color_texture);
    add(material.normal_texture);
    for (const auto* texture : scene::textures_of(material))
        add(*texture);
    return sets;
}

UvSets two_of(std::span<const std::uint32_t> sets)
{
    if (std::ranges::all_of(sets, [](std::uint32_t set) { return set < 2; })) return first_uv_sets;
    if (sets.size() > 1) return {sets[0], sets[1]};
    return {sets[0], 1};
}

// uv0 or uv1; nothing: neither holds the set.
std::optional<std::uint8_t> find_place(const UvSets& sets, std::uint32_t set)
{
    if (set == sets[0]) return std::uint8_t{0};
    if (set == sets[1]) return std::uint8_t{1};
    return std::nullopt;
}

UvSets choose(Document& document, scene::Scene& scene, std::size_t number)
{
    auto& material = scene.materials[number];
    const auto named = named_sets(scene, material);
    const UvSets sets = two_of(named);
    for (auto* texture : scene::textures_of(material)) {
        const auto place = find_place(sets, texture->uv_set);
        if (!place && is_shown(scene, *texture))
            document.warnings().add("unsupported_uv_set",
                                    fmt::format("a texture uses UV set {} instead of {}: the material names "
                                                "{} sets, of which two are read",
                                                sets[0], texture->uv_set, named.size()),
                                    fmt::format("/materials/{}", number));
        texture->uv_set = place.value_or(0);
    }
    return sets;
}

} // namespace

std::vector<UvSets> choose_uv_sets(Document& document, scene::Scene& scene)
{
    std::vector<UvSets> out;
    for (std::size_t i = 0; i < scene.materials.size(); ++i)
        out.push_back(choose(document, scene, i));
    return out;
}

} // namespace vitrine::gltf
