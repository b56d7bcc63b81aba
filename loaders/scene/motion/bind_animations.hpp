#pragma once
// Adds the clips of animation-only files to a character's Scene and binds their channels to its nodes by
// name.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// The result for one animation.
struct AnimationBinding {
    std::size_t clips = 0;          // clips added; a clip without any bound channel is not added
    std::size_t bound = 0;          // channels bound to a node
    std::size_t dropped = 0;        // channels whose node the character lacks or whose values do not fit it
    std::string first_missing_node; // name of the first node that was not found
};

// Moves the clips of `animation` to the end of character.clips. Both are in scene space, so files with
// different units and axes are compatible. A channel is bound to the node with the same name, preferring
// joints of a skin; if there is none, to the node with the same name without its namespace ("mixamorig:Hips",
// "rig|Hips", "Hips"), then to one that differs from it in case alone. If several nodes match, the first is
// used. Channels of weights and vertex frames need as many values as the character's mesh has. `name` is the
// name of the animation (the stem of its file): a single clip takes this name; several are named "name:
// clip".
AnimationBinding bind_animations(Scene& character, Scene&& animation, const std::string& name);

// Returns the clip `clip` of `animation` for the character, its channels bound as above; empty if none is.
std::optional<Clip> bind_clip(const Scene& character, const Scene& animation, std::uint32_t clip);

} // namespace vitrine::scene
