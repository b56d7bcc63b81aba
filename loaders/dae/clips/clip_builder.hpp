#pragma once
// Builds one clip with channels for everything it animates.

#include <unordered_map>

#include "loaders/dae/animation/animations.hpp"
#include "loaders/dae/clips/segment_track.hpp"
#include "loaders/dae/curves/sampler.hpp"
#include "loaders/dae/drawables/drawables.hpp"
#include "loaders/dae/nodes/nodes.hpp"

namespace vitrine::dae {

class ClipBuilder {
public:
    // All arguments must outlive it.
    ClipBuilder(const Animations& animations, const ClipRange& range, Sampling& sampling, io::Budget& budget,
                const scene::Scene& scene);

    // Instances of one <node> or mesh have the same animation: channels of the first are copied to the
    // others. Errors: limit_exceeded. Adds nothing more once the sampling budget is exhausted.
    LoadResult<void> add(const NodeInstance& instance);
    LoadResult<void> add(const MorphedNode& morphed);
    // Adds a key at the rest pose to a clip that animates nothing visible (only colors or lights), because a
    // clip needs a channel. Returns false when there is no node.
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
    void add_pose_time_key(const Value& value, std::vector<Sampled<Value>>& keys) const;
    void write(const std::vector<Sampled<DoubleTrs>>& keys, std::uint32_t node, const SegmentTrack& motion);
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
