#pragma once
// What the name of a clip says of it. Pure.

#include <string_view>

namespace vitrine::scene {

// How well a clip of this name shows what a model is, 0 best: idle, stand, walk, run, attack; names that say
// nothing; reload, pain, crouch and the like; deaths last. Words count where they stand by themselves:
// between other letters than those of a word, or from one capital to the next.
int clip_name_rank(std::string_view clip_name);

inline constexpr int unknown_name_rank =
    5; // below it ranks of what shows a model well, above it of what does less

} // namespace vitrine::scene
