#pragma once
// The facts of ClipFacts, one by one. Private to loaders/scene/facts. `motion` has frames.

#include "loaders/scene/facts/clip_facts.hpp"
#include "loaders/scene/facts/sampled_motion.hpp"

namespace vitrine::scene {

RootMotion find_root_motion(const SampledMotion& motion);
Looping find_looping(const SampledMotion& motion);
FootFacts find_feet(const Scene& scene, const SampledMotion& motion, bool in_place);
KeyFacts find_key_facts(const Scene& scene, const Clip& clip);
// Sets the peaks of speed and acceleration, and the jump.
void find_peaks(const SampledMotion& motion, ClipFacts& facts);
// By clip: ClipFacts::missing_joints.
std::vector<std::vector<std::uint32_t>> find_missing_joints(const Scene& scene);

} // namespace vitrine::scene
