#pragma once
// Which nodes of the scene a stack may move. A file may have ten thousand stacks and a million nodes, of
// which each stack moves a few.

#include <cstdint>
#include <utility>
#include <vector>

#include "loaders/fbx/nodes/node_tree.hpp"

namespace vitrine::fbx {

class MovedNodes {
public:
    // After the meshes are there. All outlive it.
    MovedNodes(const Import& import, const NodeTree& tree, const MeshMap& meshes);

    // Ascending: nodes whose transform, weights or visibility this stack has curve nodes of, or inherits from
    // such, and those that rest hidden and come in another stack.
    std::vector<std::uint32_t> of(const AnimationStack& stack);

private:
    using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>; // sorted

    void add_visibility();
    // `object` and all that inherit from it along these pairs, once for each stack.
    void add_with_heirs(std::uint32_t object, const Pairs& heirs, std::vector<std::uint32_t>& seen,
                        std::vector<std::uint32_t>& nodes);

    const Import& in_;
    const NodeTree& tree_;
    Pairs nodes_of_;                     // models, their nodes
    Pairs scale_heirs_, sight_heirs_;    // models, those that take scale or visibility from them
    Pairs meshes_of_;                    // blend channels, meshes
    Pairs nodes_showing_;                // meshes, nodes
    std::vector<std::uint32_t> resting_; // nodes that rest hidden
    std::uint32_t round_ = 0;
    std::vector<std::uint32_t> seen_whole_, seen_scale_, seen_sight_; // by object: the last round
};

} // namespace vitrine::fbx
