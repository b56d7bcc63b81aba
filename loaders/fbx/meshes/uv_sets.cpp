#include "loaders/fbx/meshes/uv_sets.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "loaders/scene/uv_sets.hpp"

namespace vitrine::fbx {
namespace {

// By texture with a named set: the number of the primitive's set. A set that the mesh lacks is replaced by
// the first.
using SetNumbers = std::vector<std::uint8_t>;

SetNumbers set_numbers(const UvNames& sets, std::span<const NamedUvSet> named)
{
    SetNumbers out;
    for (const NamedUvSet& wanted : named) {
        const auto found = std::ranges::find(sets, wanted.name);
        out.push_back(found == sets.end() ? std::uint8_t{0}
                                          : static_cast<std::uint8_t>(found - sets.begin()));
    }
    return out;
}

void set_uv_sets(scene::Material& material, std::span<const NamedUvSet> named, const SetNumbers& numbers)
{
    for (std::size_t i = 0; i < named.size(); ++i)
        (material.*named[i].texture).uv_set = numbers[i];
}

// `sets`: those that a material's textures use, the most important first.
UvChoice choice_of(std::vector<std::uint32_t> sets)
{
    UvChoice choice = first_uv_sets;
    if (sets.empty() || (sets.size() == 1 && sets[0] < scene::first_more_uvs)) return choice;
    if (sets.size() == 1) sets.push_back(0);
    // Textures without a set name use the first.
    if (const auto first = std::ranges::find(sets, 0u); first != sets.end())
        std::rotate(sets.begin(), first, first + 1);
    std::copy_n(sets.begin(), std::min(sets.size(), choice.size()), choice.begin());
    return choice;
}

} // namespace

void choose_uv_sets(const GeometryUse& use, const Object& stored, MeshSource& source,
                    io::WarningLog& warnings)
{
    for (const auto& names : use.uv_sets) {
        std::vector<std::uint32_t> sets;
        for (const std::string_view name : names) {
            const auto found = std::ranges::find(source.uv_sets, name, &ValueLayer::name);
            const auto set = found == source.uv_sets.end()
                                 ? 0u
                                 : static_cast<std::uint32_t>(found - source.uv_sets.begin());
            if (std::ranges::find(sets, set) == sets.end()) sets.push_back(set);
        }
        if (sets.size() > scene::max_uv_sets)
            warnings.add("unsupported_uv_set",
                         fmt::format("the textures of a material use {} UV sets; only {} are used",
                                     sets.size(), scene::max_uv_sets),
                         stored.element.location());
        source.uv_choices.push_back(choice_of(std::move(sets)));
    }
}

// FBX finds a set by name in each mesh; a Scene's material has a set index. Where meshes differ, the material
// is duplicated for each combination.
void resolve_uv_sets(const LoadContext& context, const MaterialMap& materials, const MeshMap& meshes)
{
    scene::Scene& scene = context.scene;
    std::map<std::pair<std::uint32_t, SetNumbers>, std::uint32_t> resolved; // materials
    std::vector<bool> is_resolved(scene.materials.size(), false);
    for (std::uint32_t m = 0; m < scene.meshes.size(); ++m)
        for (std::size_t p = 0; p < scene.meshes[m].primitives.size(); ++p) {
            scene::Primitive& primitive = scene.meshes[m].primitives[p];
            const auto named = materials.uv_sets_of(primitive.material);
            if (named.empty()) continue;
            const std::uint32_t original = primitive.material;
            const auto [known, is_new] =
                resolved.try_emplace({original, set_numbers(meshes.uv_sets[m][p], named)}, original);
            if (is_new && is_resolved[original]) {
                if (scene.materials.size() >= context.limits.materials) continue;
                known->second = static_cast<std::uint32_t>(scene.materials.size());
                scene.materials.push_back(scene::Material(scene.materials[original]));
            }
            is_resolved[original] = true;
            primitive.material = known->second;
            if (is_new) set_uv_sets(scene.materials[known->second], named, known->first.second);
        }
}

} // namespace vitrine::fbx
