#pragma once
// The sample library: procedural models that together exercise the whole pipeline. Each is described once as
// a scene::Scene; writers convert it to every format (samples.hpp).

#include "loaders/scene/scene.hpp"

namespace vitrine::samples {

scene::Scene make_robot();    // rigid parts; clips walk, wave, idle
scene::Scene make_koi();      // smooth weights along a spine, procedural texture; swims
scene::Scene make_tentacle(); // more than four influences per vertex; curls and sways
scene::Scene make_flag();     // morph targets: a traveling wave
scene::Scene make_vase();     // static, textured, glazed

// A character of VRM in T pose, with the roles of its joints and two expressions; and a motion for such
// characters: joints and one clip, "bow".
scene::Scene make_avatar();
scene::Scene make_avatar_motion();

} // namespace vitrine::samples
