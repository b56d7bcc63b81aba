#pragma once
// One clip: the channels of all that moves in it.

#include <unordered_map>

#include "loaders/dae/animation/animations.hpp"
#include "loaders/dae/clips/segment_track.hpp"
#include "loaders/dae/curves/sampler.hpp"
#include "loaders/dae/drawables/drawables.hpp"
#include "loaders/dae/nodes/nodes.hpp"

namespace vitrine::dae {

class ClipBuilder {
public:
    // All outlive it.
    ClipBuilder(const Animations& animations, const ClipRange& range, Sampling& sampling, io::Budget& budget,
                const scene::Scene& scene);

    // Instances of one <node> or mesh move alike: what the first has made is copied for the others. Errors:
    // limit_exceeded. Once the sampling is exhausted nothing more is added.
    LoadResult<void> add(const NodeInstance& instance);
    LoadResult<void> add(const MorphedNode& morphed);
    // A clip whose keys move nothing that is shown (colors, lights) is a clip all the same: a key at rest
    // says so. False: there is no node to rest.
    bool rest();

    bool empty() const { return clip_.channels.empty(); }
    // The file's own keys tell its frames. Errors: limit_exceeded.
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
    // The moment that is asked for, where it lies outside the clip, which may cut curves off, and the
    // channels of a motion do not go on by themselves: one more key, and nothing is meant between it and the
    // clip.
    template <class Motion>
    bool needs_pose_time_key(const Motion& motion) const;
    template <class Value>
    void add_pose_time_key(const Value& value, std::vector<Sampled<Value>>& keys) const;
    void write(const std::vector<Sampled<DoubleTrs>>& keys, std::uint32_t node, const SegmentTrack& motion);
    // Keys that the limit leaves room for, one more than it allows.
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
