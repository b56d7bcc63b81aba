#pragma once
// Ranks clips by name. Pure function.

#include <string_view>

namespace vitrine::scene {

// How well a clip with this name represents the model, 0 is best: idle, stand, walk, run, attack; unknown
// names; reload, pain, crouch and similar; deaths last. Words must be separate: delimited by characters other
// than letters, or by capitals (camel case).
int clip_name_rank(std::string_view clip_name);

inline constexpr int unknown_name_rank = 5; // lower ranks represent a model well, higher ranks less well

} // namespace vitrine::scene
