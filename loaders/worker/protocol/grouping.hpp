#pragma once
// Which files of an upload or folder make one asset together. Pure: names in, names out.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::worker {

struct ModelGroup {
    std::string main;
    std::vector<std::string> animations; // files that only animate it
    std::vector<std::string> parts;      // models that it shows as its own (io::find_shared_parts)
    bool is_animation_only = false;      // `main` is an animation without any model that it could animate
};

// A hundred characters that share two thousand animations are fewer; ten thousand files can make millions.
inline constexpr std::size_t max_group_animations = std::size_t{1} << 18;

// Whether the group is a player of Quake III, put together from its parts.
bool is_player(const ModelGroup& group);

// Whether a file of this name may hold the animation of a model that is in another file (.fbx, .dae, .gltf,
// .glb): such formats' models can be animated so, too.
bool may_be_animation_only(std::string_view name);

// `models`: names out of model_names(). `animations`: ascending indices of those that only animate, as
// find_animations() says. Each goes to the models of its own folder that may be animated; where there is
// none, to those of the folder above it and so on up; then to all. Without any it is an asset of its own, and
// so is one for which the models times their animations would pass `max_group_animations`.
std::vector<ModelGroup> group_models(const std::vector<std::string>& models,
                                     std::span<const std::uint32_t> animations);
// Out of all names, to the groups of the models that show them.
void add_shared_parts(std::vector<ModelGroup>& groups, const std::vector<std::string>& names);

} // namespace vitrine::worker
