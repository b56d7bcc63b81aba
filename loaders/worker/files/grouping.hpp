#pragma once
// Groups the files of an upload or folder into assets. Pure functions on names.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::worker {

struct ModelGroup {
    std::string main;
    std::vector<std::string> animations; // files that only animate it
    std::vector<std::string> parts;      // models that are parts of it (io::find_shared_parts)
    bool is_animation_only = false;      // `main` is an animation without a model that it could animate
};

// Sufficient for a hundred characters that share two thousand animations; ten thousand files could make
// millions.
inline constexpr std::size_t max_group_animations = std::size_t{1} << 18;

// Whether the group is a Quake III player, assembled from its parts.
bool is_player(const ModelGroup& group);

// Whether a file with this name may hold the animation of a model in another file (.fbx, .dae, .gltf, .glb).
// Models of these formats can be animated by such files, too.
bool may_be_animation_only(std::string_view name);

// `models`: names from model_names(). `animations`: ascending indices of animation-only files, as returned by
// find_animations(). Each animation is assigned to the animatable models in its folder; if there are none, to
// those of the parent folder and so on; then to all. Without any such model it is an asset of its own; so is
// one with which models times animations would exceed `max_group_animations`.
std::vector<ModelGroup> group_models(const std::vector<std::string>& models,
                                     std::span<const std::uint32_t> animations);
// Adds shared parts, found among all names, to the groups of the models that show them.
void add_shared_parts(std::vector<ModelGroup>& groups, const std::vector<std::string>& names);

} // namespace vitrine::worker
