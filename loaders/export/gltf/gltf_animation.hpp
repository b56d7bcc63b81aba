#pragma once
// Converts a clip to the animation features of glTF: keys within 0 .. duration only, one track per node
// property, vertex frames as weights.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loaders/export/gltf/gltf_buffer.hpp"
#include "loaders/export/gltf/gltf_frames.hpp"
#include "loaders/export/gltf/gltf_sampling.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

struct GltfTrack {
    std::uint32_t node = scene::none;
    scene::Path path = scene::Path::translation; // never vertex_frame
    scene::Interpolation interpolation = scene::Interpolation::linear;
    std::vector<float> times;
    std::vector<float> values;
    std::optional<SparseValues> sparse; // instead of `values`; for weights only
};

// `frames`: by mesh. Weights of nodes without a written mesh are ignored. Returns no tracks once the budget
// for all clips is spent.
std::vector<GltfTrack> gltf_tracks(const scene::Scene& scene, const scene::Clip& clip,
                                   std::span<const FrameTargets> frames, const std::vector<bool>& drawn,
                                   SampleBudget& budget);

} // namespace vitrine::exporting
