#pragma once
// Converts curves to channels of T, R, S and weights.
//
// Where the curves are linear in T, R and S (a translation, a scale, one angle, whole matrices, as most
// programs write) the keys are kept; rotations of more than 90 degrees are split. Everything else (Bezier
// curves, several angles, single numbers of a matrix) is sampled between keys as densely as needed to stay
// within 1e-4 radians and 1e-5 of the largest translation and scale, or at even steps where that exceeds the
// budget of sampling.hpp.

#include <unordered_map>

#include "loaders/dae/animation/animations.hpp"
#include "loaders/dae/clips/sampling.hpp"
#include "loaders/dae/clips/tracks.hpp"
#include "loaders/dae/drawables/drawables.hpp"
#include "loaders/dae/nodes/nodes.hpp"

namespace vitrine::dae {

// The last step that adds keys; it does not change the budget. Errors: limit_exceeded.
LoadResult<void> add_clips(const Animations& animations, const NodeTree& tree,
                           const std::vector<MorphedNode>& morphed, const io::Budget& budget,
                           io::WarningLog& warnings, scene::Scene& scene);

// Builds one clip with channels for everything it animates.
class ClipBuilder {
public:
    // All arguments must outlive it.
    ClipBuilder(const Animations& animations, const ClipRange& range, Sampling& sampling, io::Budget& budget,
                const scene::Scene& scene);

    // Instances of one <node> or mesh have the same animation: channels of the first are copied to the
    // others. Errors: limit_exceeded. Adds nothing more once the sampling budget is exhausted.
    LoadResult<void> add(const NodeInstance& instance);
    LoadResult<void> add(const MorphedNode& morphed);
    // Adds a key in the static pose to a clip that animates nothing visible (only colors or lights), because
    // a clip needs a channel. Returns false when there is no node.
    bool rest();

    bool empty() const { return clip_.channels.empty(); }
    // Derives the frame rate from the file's own keys. Errors: limit_exceeded.
    LoadResult<scene::Clip> take();

private:
    // The channels of an instance.
    template <class Instance>
    struct InstanceChannels {
        const Instance* instance = nullptr;
        std::size_t first = 0;
        std::size_t count = 0;
    };

    template <class Motion>
    LoadResult<void> take_extended(const Motion& motion);
    LoadResult<void> copy(std::size_t channel, std::uint32_t node);
    LoadResult<void> add_segment(SegmentTrack& motion, std::uint32_t node);
    LoadResult<void> add_weights(const MorphedNode& morphed);
    // Adds a key at the requested pose time when it is outside the clip and the channels do not extrapolate
    // the motion themselves. Values between that key and the clip are not meaningful.
    template <class Motion>
    bool needs_pose_time_key(const Motion& motion) const;
    template <class Value>
    void add_pose_time_key(const Value& value, std::vector<ValueKey<Value>>& keys) const;
    void write(const std::vector<ValueKey<DoubleTrs>>& keys, std::uint32_t node, const SegmentTrack& motion);
    // The number of keys that the limit allows, plus one.
    std::uint64_t room(std::uint64_t size) const { return budget_.limits().key_values / size + 2; }

    const Animations& animations_;
    const ClipRange& range_;
    Sampling& sampling_;
    io::Budget& budget_;
    const scene::Scene& scene_;
    scene::Clip clip_;
    std::unordered_map<const void*, InstanceChannels<NodeInstance>> instance_channels_; // by <node>
    std::unordered_map<std::uint32_t, InstanceChannels<MorphedNode>> instance_weights_; // by mesh
};

} // namespace vitrine::dae
