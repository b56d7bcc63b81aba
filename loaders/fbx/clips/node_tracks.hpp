#pragma once
// The motions of one scene node under one stack, made of its model's and, under a split parent, of the scales
// above it (node_tree.hpp).

#include <memory>
#include <unordered_map>

#include "loaders/fbx/clips/node_motion.hpp"
#include "loaders/fbx/curves/track.hpp"
#include "loaders/fbx/nodes/node_tree.hpp"

namespace vitrine::fbx {

// Motions of models under one stack; those that others depend on are kept.
class MotionSource {
public:
    MotionSource(const Document& document, const Animation& animation, const AnimationStack& stack,
                 const NodeTree& tree)
        : document_(document), animation_(animation), stack_(stack), tree_(tree)
    {
    }

    LoadResult<std::shared_ptr<const ModelMotion>> of(std::uint32_t model);

    // The scales of links, in order, and the constant among them.
    struct Scales {
        std::vector<std::shared_ptr<const ModelMotion>> links;
        double factor = 1.0;

        Vec3Sample sample(double time, Side side) const;
        void append_curves(std::vector<const Curve*>& to) const;
        bool is_keyed() const;
    };
    // The inheritance of a model; with `whole` its own scale too.
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

// Of the parts of the node's transform that the stack has keys for.
LoadResult<std::vector<NodeTrack>> tracks_of(MotionSource& motions, const NodeTree& tree, std::uint32_t node);

} // namespace vitrine::fbx
