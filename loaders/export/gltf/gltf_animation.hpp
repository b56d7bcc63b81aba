#pragma once
// Converts a clip to the animation features of glTF: keys within 0 .. duration only, one track per node
// property, vertex frames as weights.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loaders/base/error.hpp"
#include "loaders/export/gltf/gltf_buffer.hpp"
#include "loaders/export/gltf/gltf_frames.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::exporting {

// Limits the numbers sampled for all clips of a document: a small file can request far more than a GLB can
// contain, by many long clips that are each within bounds. Normal models use a hundredth.
class SampleBudget {
public:
    static constexpr std::uint64_t default_limit = std::uint64_t{1} << 28;

    explicit SampleBudget(std::uint64_t numbers = default_limit) : left_(numbers) {}
    void take(std::uint64_t numbers)
    {
        is_spent_ = is_spent_ || numbers > left_;
        left_ -= std::min(numbers, left_);
    }
    // Returns whether more was requested than available; the last result is then incomplete.
    bool is_spent() const { return is_spent_; }

private:
    std::uint64_t left_;
    bool is_spent_ = false;
};

// Returns the limit_exceeded error for a spent budget.
std::unexpected<LoadError> sample_budget_error();

// Returns whether the channel's own keys suffice: none is outside the clip, the end values are held beyond
// them, and a spline has at least two keys.
bool needs_no_resampling(const scene::Channel& channel, double duration);

// Returns a channel with keys within the clip and the same values and interpolation; cubic segments stay
// cubic. Extrapolated rotations are not linear, and rotation splines are not normalized.
scene::Channel resampled(const scene::Channel& channel, double duration, std::size_t components,
                         std::size_t limit);
// The same with linear keys instead of cubic ones.
scene::Channel linearized(const scene::Channel& channel, double duration, std::size_t components,
                          std::size_t limit);

struct GltfTrack {
    std::uint32_t node = scene::none;
    scene::Path path = scene::Path::translation; // never vertex_frame
    scene::Interpolation interpolation = scene::Interpolation::linear;
    scene::Array<float> times;
    scene::Array<float> values;
    std::optional<SparseValues> sparse; // instead of `values`; for weights only
};

// `frames`: by mesh. Weights of nodes without a written mesh are ignored. Returns no tracks once the budget
// for all clips is spent.
std::vector<GltfTrack> gltf_tracks(const scene::Scene& scene, const scene::Clip& clip,
                                   std::span<const FrameTargets> frames, const std::vector<bool>& drawn,
                                   SampleBudget& budget);

} // namespace vitrine::exporting
