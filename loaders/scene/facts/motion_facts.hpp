#pragma once
// The facts of ClipFacts, one by one. Private to loaders/scene/facts. `motion` has frames.

#include "loaders/scene/facts/clip_facts.hpp"
#include "loaders/scene/facts/sampled_motion.hpp"

namespace vitrine::scene {

RootMotion compute_root_motion(const SampledMotion& motion);
Looping compute_looping(const SampledMotion& motion);
FootFacts compute_foot_facts(const Scene& scene, const SampledMotion& motion, bool in_place);
KeyFacts compute_key_facts(const Scene& scene, const Clip& clip);
// Sets the peaks of speed and acceleration, and the jump.
void compute_peaks(const SampledMotion& motion, ClipFacts& facts);
// By clip: ClipFacts::missing_joints.
std::vector<std::vector<std::uint32_t>> compute_missing_joints(const Scene& scene);

} // namespace vitrine::scene
