#pragma once
// What a frame sequence of an asset shows: a clip, layers, or an orbit around a pose. Private to
// image_service.cpp.

#include "loaders/scene/preview/representative_pose.hpp"
#include "server/services/rendering/image_service.hpp"
#include "server/services/rendering/sequence_plan.hpp"

namespace vitrine::server {

// `candidates`: clips that are shown if the parameters name none.
SpriteLayout layout_of(const scene::Scene& scene, const SequenceParams& params,
                       scene::CandidateClips candidates);
FrameSequencePlan plan_sequence(const scene::SharedScene& scene, const SequenceParams& params,
                                scene::CandidateClips candidates);

} // namespace vitrine::server
