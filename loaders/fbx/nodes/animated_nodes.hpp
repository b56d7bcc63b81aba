#pragma once
// Finds the scene nodes that a stack may animate. A file may have ten thousand stacks and a million nodes, of
// which each stack animates a few.

#include <cstdint>
#include <utility>
#include <vector>

#include "loaders/fbx/nodes/node_tree.hpp"

namespace vitrine::fbx {

class AnimatedNodes {
public:
    // Precondition: meshes exist. All arguments must outlive it.
    AnimatedNodes(const LoadContext& context, const NodeTree& tree, const MeshMap& meshes);

    // Returns, ascending, the nodes whose transform, weights or visibility have curve nodes in this stack or
    // are inherited from such nodes, and the nodes that are hidden at rest and shown in another stack.
    std::vector<std::uint32_t> of(const AnimationStack& stack);

private:
    using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>; // sorted

    void add_visibility();
    // Adds `object` and all objects that inherit from it according to `descendants`, once per stack.
    void add_with_descendants(std::uint32_t object, const Pairs& descendants,
                              std::vector<std::uint32_t>& seen, std::vector<std::uint32_t>& nodes);

    const LoadContext& in_;
    const NodeTree& tree_;
    Pairs nodes_of_; // models and their nodes
    Pairs scale_descendants_,
        visibility_descendants_;         // models, and those that inherit scale or visibility from them
    Pairs meshes_of_;                    // blend channels, meshes
    Pairs nodes_by_mesh_;                // meshes, nodes
    std::vector<std::uint32_t> resting_; // nodes hidden at rest
    std::uint32_t visit_ = 0;
    std::vector<std::uint32_t> visited_whole_, visited_scale_,
        visited_visibility_; // by object: the last round in which it was visited
};

} // namespace vitrine::fbx
