#pragma once
// The facts of ClipFacts, one by one. Private to loaders/scene/facts. `motion` has frames.

#include "loaders/scene/facts/clip_facts.hpp"
#include "loaders/scene/facts/sampled_motion.hpp"

namespace vitrine::scene {

RootMotion find_root_motion(const SampledMotion& motion);
Looping find_looping(const SampledMotion& motion);
FootFacts find_feet(const Scene& scene, const SampledMotion& motion, bool in_place);
KeyFacts find_key_facts(const Scene& scene, const Clip& clip);

} // namespace vitrine::scene
