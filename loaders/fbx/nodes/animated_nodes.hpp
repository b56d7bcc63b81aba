#pragma once
// Which nodes of the scene a stack may move. A file may have ten thousand stacks and a million nodes, of
// which each stack moves a few.

#include <cstdint>
#include <utility>
#include <vector>

#include "loaders/fbx/nodes/node_tree.hpp"

namespace vitrine::fbx {

class AnimatedNodes {
public:
    // After the meshes are there. All outlive it.
    AnimatedNodes(const LoadContext& context, const NodeTree& tree, const MeshMap& meshes);

    // Ascending: nodes whose transform, weights or visibility this stack has curve nodes of, or inherits from
    // such, and those that rest hidden and come in another stack.
    std::vector<std::uint32_t> of(const AnimationStack& stack);

private:
    using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>; // sorted

    void add_visibility();
    // `object` and all that inherit from it along these pairs, once for each stack.
    void add_with_descendants(std::uint32_t object, const Pairs& descendants,
                              std::vector<std::uint32_t>& seen, std::vector<std::uint32_t>& nodes);

    const LoadContext& in_;
    const NodeTree& tree_;
    Pairs nodes_of_; // models, their nodes
    Pairs scale_descendants_,
        visibility_descendants_;         // models, those that take scale or visibility from them
    Pairs meshes_of_;                    // blend channels, meshes
    Pairs nodes_by_mesh_;                // meshes, nodes
    std::vector<std::uint32_t> resting_; // nodes that rest hidden
    std::uint32_t visit_ = 0;
    std::vector<std::uint32_t> visited_whole_, visited_scale_,
        visited_visibility_; // by object: the last round
};

} // namespace vitrine::fbx
