#include "loaders/fbx/meshes/uv_sets.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace vitrine::fbx {
namespace {

// By texture with a named set: whether it is the primitive's second set. A set that the mesh lacks is
// replaced by the first.
using SecondSetFlags = std::vector<bool>;

SecondSetFlags second_set_flags(const UvNames& sets, std::span<const NamedUvSet> named)
{
    SecondSetFlags out;
    for (const NamedUvSet& wanted : named)
        out.push_back(sets[0] != wanted.name && sets[1] == wanted.name);
    return out;
}

void set_uv_sets(scene::Material& material, std::span<const NamedUvSet> named, const SecondSetFlags& flags)
{
    for (std::size_t i = 0; i < named.size(); ++i)
        (material.*named[i].texture).uv_set = flags[i] ? 1 : 0;
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
        if (sets.size() > 2)
            warnings.add(
                "unsupported_uv_set",
                fmt::format("the textures of a material use {} UV sets; only two are used", sets.size()),
                stored.element.location());
        UvChoice choice = first_uv_sets;
        if (sets.size() == 1 && sets[0] > 1) choice = {sets[0], 0};
        if (sets.size() > 1) choice = {sets[0], sets[1]};
        if (choice[1] == 0) choice = {0, choice[0]}; // textures without a set name use the first
        source.uv_choices.push_back(choice);
    }
}

// FBX finds a set by name in each mesh; a Scene's material has a set index. Where meshes differ, the material
// is duplicated for each combination.
void resolve_uv_sets(const LoadContext& context, const MaterialMap& materials, const MeshMap& meshes)
{
    scene::Scene& scene = context.scene;
    std::map<std::pair<std::uint32_t, SecondSetFlags>, std::uint32_t> resolved; // materials
    std::vector<bool> is_resolved(scene.materials.size(), false);
    for (std::uint32_t m = 0; m < scene.meshes.size(); ++m)
        for (std::size_t p = 0; p < scene.meshes[m].primitives.size(); ++p) {
            scene::Primitive& primitive = scene.meshes[m].primitives[p];
            const auto named = materials.uv_sets_of(primitive.material);
            if (named.empty()) continue;
            const std::uint32_t original = primitive.material;
            const auto [known, is_new] =
                resolved.try_emplace({original, second_set_flags(meshes.uv_sets[m][p], named)}, original);
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
