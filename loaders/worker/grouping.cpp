#include "loaders/worker/grouping.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "loaders/io/shared_parts.hpp"
#include "loaders/scene/ascii.hpp"

namespace vitrine::worker {
namespace {

// "a/b/" of "a/b/c.fbx"; "" at the root.
std::string_view folder_of(std::string_view name)
{
    return name.substr(0, name.rfind('/') + 1);
}

std::string_view folder_above(std::string_view folder)
{
    return folder_of(folder.substr(0, folder.size() - 1));
}

using Groups = std::vector<ModelGroup>;

template <class Wanted>
bool give(Groups& groups, const std::string& animation, const Wanted& wanted)
{
    bool given = false;
    for (auto& group : groups) {
        if (!may_only_animate(group.main) || !wanted(group.main)) continue;
        group.animations.push_back(animation);
        given = true;
    }
    return given;
}

bool place(Groups& groups, const std::string& animation)
{
    for (auto folder = folder_of(animation);; folder = folder_above(folder)) {
        if (give(groups, animation, [&](std::string_view main) { return folder_of(main) == folder; }))
            return true;
        if (folder.empty()) break;
    }
    return give(groups, animation, [](std::string_view) { return true; });
}

} // namespace

bool is_player(const ModelGroup& group)
{
    return std::ranges::any_of(group.parts, [](std::string_view part) {
        const auto base = part.substr(folder_of(part).size());
        constexpr std::array<std::string_view, 2> names{"upper.md3", "head.md3"};
        return std::ranges::any_of(
            names, [&](std::string_view name) { return ascii::equal_ignoring_case(base, name); });
    });
}

bool may_only_animate(std::string_view name)
{
    constexpr std::array<std::string_view, 4> extensions{".fbx", ".dae", ".gltf", ".glb"};
    const auto dot = name.rfind('.');
    const std::string extension = ascii::lower(name.substr(std::min(dot, name.size())));
    return std::ranges::find(extensions, extension) != extensions.end();
}

std::vector<ModelGroup> group_models(const std::vector<std::string>& models,
                                     std::span<const std::uint32_t> animations)
{
    Groups groups;
    for (std::uint32_t i = 0; i < models.size(); ++i)
        if (!std::ranges::binary_search(animations, i)) groups.push_back({models[i], {}, {}});
    Groups alone;
    for (const auto i : animations)
        if (!place(groups, models[i]))
            alone.push_back({.main = models[i], .animations = {}, .parts = {}, .only_animates = true});
    std::ranges::move(alone, std::back_inserter(groups));
    std::ranges::sort(groups, {}, &ModelGroup::main);
    return groups;
}

void add_shared_parts(std::vector<ModelGroup>& groups, const std::vector<std::string>& names)
{
    std::map<std::string_view, ModelGroup*> by_main;
    for (ModelGroup& group : groups)
        by_main.emplace(group.main, &group);
    for (const auto& [part, owner] : io::find_shared_parts(names))
        if (const auto group = by_main.find(owner); group != by_main.end())
            group->second->parts.push_back(part);
}

} // namespace vitrine::worker
