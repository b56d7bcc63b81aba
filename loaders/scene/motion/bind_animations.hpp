#pragma once
// One character and files of nothing but its animation make one model: clips move from one Scene to another
// and are bound to its nodes by name.

#include <cstddef>
#include <string>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// What became of the channels of one animation.
struct AnimationBinding {
    std::size_t clips = 0;          // adopted; those without any channel for the character are not
    std::size_t bound = 0;          // channels that found their node
    std::size_t dropped = 0;        // channels whose node the character lacks, or that do not fit it
    std::string first_missing_node; // the name of one such node
};

// Moves the clips of `animation` to the end of character.clips. Both are in scene space, so that files of
// other units and axes fit. A channel goes to the node of the same name, a joint of a skin first; where there
// is none, to the one of the same name without its namespace ("mixamorig:Hips", "rig|Hips", "Hips"). Where
// several nodes have the name the first one is meant. Weights and frames want as many values as the
// character's mesh has. `name`: of the animation (its file's stem). One clip takes it; several become "name:
// clip".
AnimationBinding bind_animations(Scene& character, Scene&& animation, const std::string& name);

} // namespace vitrine::scene
