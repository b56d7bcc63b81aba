#pragma once
// The motion of a request: a clip of the asset or of another one, layers and adjusted joints
// (loaders/scene/layers/layer_text.hpp).

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "loaders/scene/layers/layer_text.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/query_reader.hpp"
#include "server/routing/context.hpp"

namespace vitrine::server {

struct MotionTexts {
    std::optional<std::string> clip;
    scene::AnimationTexts animation;
};

// clip, layer, turn, move, scale, reach.
MotionTexts read_motion(QueryReader& reader);
// As above, without the clip: for routes that have it in the path.
scene::AnimationTexts read_animation(QueryReader& reader);

// Finds the clips and joints of the texts in `scene`, a Scene of the asset that requests show. "ASSET:NAME"
// plays a clip of another asset, as scene::fit_clip() binds it. Problems: 404 for a clip or asset that
// does not exist, 400 for anything else; blocking, scenes pool.
std::expected<RequestedMotion, api::Problem> require_motion(const MotionTexts& texts,
                                                            const scene::Scene& scene, Context& context);

// Seconds after which the motion ends.
double duration_of(const scene::Scene& scene, const RequestedMotion& motion);

} // namespace vitrine::server
