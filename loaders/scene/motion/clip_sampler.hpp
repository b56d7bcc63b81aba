#pragma once
// Poses of one clip at many times, eight at once: the numbers of the eight moments are lanes of vectors
// (lanes.hpp). Equal to sample_pose() bit by bit.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/motion/lanes.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Allocates for the first poses of a clip only. One thread at a time. The scene must outlive it.
class ClipSampler {
public:
    ClipSampler() = default;
    ClipSampler(const Scene& scene, std::uint32_t clip) { begin(scene, clip); }
    // clip: of the scene, or none for the static pose. Memory of an earlier clip is reused, and few poses
    // need no preparation.
    void begin(const Scene& scene, std::uint32_t clip);

    // Writes the pose at times[i] to poses[i], relative to its `origin`; both have the same length. Times in
    // ascending order need no search of the keys.
    void sample(std::span<const double> times, std::span<Pose> poses);

    // Poses that are computed at once: a caller that holds only some poses asks for so many.
    std::size_t block() const { return is_large_ ? 1 : lane_count; }

private:
    // Channels with equal key times, which most exporters write for all tracks.
    struct KeyGroup {
        KeyLanes at{};
        std::span<const float> times;
        std::size_t cursor = 0;
        Interpolation interpolation = Interpolation::linear;
        bool before = false, after = false; // whether a moment lies before the first, after the last key
    };
    struct Track {
        const Channel* channel = nullptr;
        std::uint32_t group = 0;
    };

    void prepare();
    void add_tracks(const Clip& clip);
    bool hold_constant(const Channel& channel);
    std::uint32_t group_of(const Channel& channel);
    void add_nodes();
    void locate(KeyGroup& group) const;
    void sample_block(std::span<const double> times, std::span<Pose> poses);
    void copy_static_state(Pose& pose) const;
    void sample_track(const Track& track, std::span<Pose> poses);
    bool sample_in_lanes(const Channel& channel, const KeyLanes& at, Lane* out) const;
    void sample_each(const Channel& channel, Lane* out) const;
    void sample_weights(const Channel& channel, std::span<Pose> poses) const;
    void sample_vertex_frames(const Channel& channel, std::span<Pose> poses) const;

    const Scene* scene_ = nullptr;
    std::uint32_t clip_ = none;
    bool is_large_ = false;    // too many nodes for lanes
    bool is_prepared_ = false; // the members below are those of the clip
    Pose rest_;
    std::vector<KeyGroup> groups_;
    std::vector<Track> tracks_;
    std::vector<std::uint8_t> tracked_; // by node: bit (1 << path) of the tracks
    std::vector<PlacedNode> nodes_;     // all, in their order
    std::vector<LocalLanes> local_;     // by node
    std::vector<MatrixLanes> model_;    // by node
    double times_[lane_count] = {};
};

} // namespace vitrine::scene
