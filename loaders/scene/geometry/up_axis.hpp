#pragma once
// Which axis of a file points up, where the file or its format says otherwise. Pure functions.

#include <string_view>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// "x", "y", "z", or one of them with '-' before it.
bool is_axis_word(std::string_view word);

// Rotates the whole scene so that this axis of the file points up, by a quarter turn, a half turn or not at
// all, and takes that over into Scene::file_space: coordinates in the file's space stay as they are. No node
// is added. Precondition: is_axis_word(word).
void set_up_axis(Scene& scene, std::string_view word);

} // namespace vitrine::scene
