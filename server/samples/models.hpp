#pragma once
// The sample library: models made by code, pleasant to look at, that between them use the whole pipeline. One
// description each, a scene::Scene; writers bring it into every format (samples.hpp).

#include "loaders/scene/scene.hpp"

namespace vitrine::samples {

scene::Scene make_robot();    // 21 joints, rigid parts; walks, waves, idles
scene::Scene make_koi();      // smooth weights along a spine, painted texture; swims
scene::Scene make_tentacle(); // more than four influences a vertex; curls and sways
scene::Scene make_flag();     // morph targets: a travelling wave on a flag pole
scene::Scene make_vase();     // static, textured, glazed

} // namespace vitrine::samples
