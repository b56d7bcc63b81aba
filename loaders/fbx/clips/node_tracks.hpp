#pragma once
// The tracks of one scene node under one stack, from its model's motion and, under a split parent, from the
// inherited scales (node_tree.hpp).

#include <memory>
#include <unordered_map>

#include "loaders/fbx/clips/node_motion.hpp"
#include "loaders/fbx/curves/track.hpp"
#include "loaders/fbx/nodes/node_tree.hpp"

namespace vitrine::fbx {

// Motions of models under one stack. Motions that other models depend on are cached.
class MotionSource {
public:
    MotionSource(const Document& document, const Animation& animation, const AnimationStack& stack,
                 const NodeTree& tree)
        : document_(document), animation_(animation), stack_(stack), tree_(tree)
    {
    }

    LoadResult<std::shared_ptr<const ModelMotion>> of(std::uint32_t model);

    // The animated scales of the links, in order, and the product of the constant ones.
    struct Scales {
        std::vector<std::shared_ptr<const ModelMotion>> links;
        double factor = 1.0;

        Vec3Sample sample(double time, Side side) const;
        void append_curves(std::vector<const Curve*>& to) const;
        bool is_keyed() const;
    };
    // Returns the scales a model inherits; with `whole`, its own scale too.
    LoadResult<Scales> scales(std::uint32_t model, bool whole);

private:
    const Document& document_;
    const Animation& animation_;
    const AnimationStack& stack_;
    const NodeTree& tree_;
    std::unordered_map<std::uint32_t, std::shared_ptr<const ModelMotion>> kept_;
};

struct NodeTrack {
    scene::Path path = scene::Path::translation;
    std::unique_ptr<Track> track;
};

// Returns tracks for those parts of the node's transform that the stack has keys for.
LoadResult<std::vector<NodeTrack>> tracks_of(MotionSource& motions, const NodeTree& tree, std::uint32_t node);

} // namespace vitrine::fbx
