#include "loaders/worker/files/grouping.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <unordered_map>

#include "loaders/base/ascii.hpp"
#include "loaders/base/model_formats.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/shared_parts.hpp"
#include "loaders/io/string_hash.hpp"

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

using ModelGroupList = std::vector<ModelGroup>;

// Assigns animations to models.
class AnimationAssigner {
public:
    // `groups` must not move during its lifetime.
    explicit AnimationAssigner(ModelGroupList& groups) : groups_(groups)
    {
        for (std::uint32_t i = 0; i < groups.size(); ++i) {
            if (!may_be_animation_only(groups[i].main)) continue;
            const auto folder = folder_of(groups[i].main);
            deepest_ = std::max(deepest_, folder.size());
            in_folder_[folder].push_back(i);
            all_.push_back(i);
        }
    }

    // Returns false if there is no model, or the maximum is reached.
    bool place(const std::string& animation)
    {
        const auto& models = models_for(folder_of(animation));
        if (models.empty() || models.size() > left_) return false;
        left_ -= models.size();
        for (const auto i : models)
            groups_[i].animations.push_back(animation);
        return true;
    }

private:
    const std::vector<std::uint32_t>& models_for(std::string_view folder) const
    {
        for (;; folder = folder_above(folder)) {
            if (folder.size() <= deepest_)
                if (const auto found = in_folder_.find(folder); found != in_folder_.end())
                    return found->second;
            if (folder.empty()) return all_;
        }
    }

    ModelGroupList& groups_;
    std::unordered_map<std::string_view, std::vector<std::uint32_t>, io::StringHash, std::equal_to<>>
        in_folder_;
    std::vector<std::uint32_t> all_;
    std::size_t deepest_ = 0; // bytes of the longest folder name
    std::size_t left_ = max_group_animations;
};

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

bool may_be_animation_only(std::string_view name)
{
    const auto* format = find_model_format(io::extension_of(name));
    return format != nullptr && format->may_be_animation_only;
}

std::vector<ModelGroup> group_models(const std::vector<std::string>& models,
                                     std::span<const std::uint32_t> animations)
{
    ModelGroupList groups;
    for (std::uint32_t i = 0; i < models.size(); ++i)
        if (!std::ranges::binary_search(animations, i)) groups.push_back({models[i], {}, {}});
    AnimationAssigner assigner(groups);
    ModelGroupList alone;
    for (const auto i : animations)
        if (!assigner.place(models[i]))
            alone.push_back({.main = models[i], .animations = {}, .parts = {}, .is_animation_only = true});
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
