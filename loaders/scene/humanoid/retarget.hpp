#pragma once
// Plays a clip of one humanoid on another whose joints have other names, axes, proportions or rest poses.
//
// Bones are found by find_human_bones(). In model space each bone turns as the bone of the animation turns
// from the static pose, and the limbs, spine and neck point where those of the animation point, whatever the
// rest poses. Differences of the direction that the bodies face are removed. The hips move as those of the
// animation, scaled by the length of the legs; feet that stand are kept where the scaled feet of the
// animation are, by bending the knees. Bones that one rig lacks follow the bone above them.

#include <cstdint>
#include <optional>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Frames of a result; longer clips have a lower frame rate.
inline constexpr double max_retarget_frames = 10'000.0;

// Returns the clip `clip` of `animation` for the character: linear rotations of its bones and the translation
// of its hips, at each frame of the clip. nullopt: one of both is no humanoid.
std::optional<Clip> retarget_clip(const Scene& character, const Scene& animation, std::uint32_t clip);

// Increment when fit_clip() gives another clip: part of cache keys.
inline constexpr int fit_revision = 1;

// Returns the clip as `clip=ASSET:NAME` plays it. The same rig: the channels unmodified, bound by name
// (bind_clip()). Humanoids whose joints have other names, axes or lengths: retarget_clip(). Otherwise what
// can be bound by name; nullopt if nothing can. Both scenes must be valid.
std::optional<Clip> fit_clip(const Scene& character, const Scene& animation, std::uint32_t clip);

} // namespace vitrine::scene
