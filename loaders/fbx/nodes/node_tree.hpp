#pragma once
// The scene's nodes: one per model, plus helper nodes where one translation, rotation and scale cannot
// represent the FBX transform.
//
// Helper nodes have scene::Node::helper_of; the node with the model's name has the model's full matrix.
//
// - `X.geometry` below X has the geometric transform, which applies to the content of X but not to its
//   children. Where a clip animates the visibility of X, the node's scale is 0 while X is hidden.
// - With the inherit types RrSs and Rrs a parent's scale does not reach a child as a plain matrix product.
//   Where this matters (a parent with non-uniform scale), `X.unscaled` has translation and rotation, X below
//   it has the scale, and such children are placed below `X.unscaled`.

#include <cstdint>
#include <utility>
#include <vector>

#include "loaders/fbx/animation/animation.hpp"
#include "loaders/fbx/document/load_context.hpp"
#include "loaders/fbx/nodes/scale_inheritance.hpp"
#include "loaders/fbx/nodes/visibility.hpp"

namespace vitrine::fbx {

enum class NodePart : std::uint8_t {
    whole,
    unscaled, // of a model whose scale is in a separate node
    scale,
    geometry,
};

// The source of a scene node's transform.
struct NodeSource {
    std::uint32_t model = no_object;
    NodePart part = NodePart::whole;
};

struct NodeTree {
    NodeMap map;
    std::vector<NodeSource> sources;           // by scene node
    std::vector<ScaleInheritance> inheritance; // by object
    std::vector<bool> is_link;                 // by object: whether other objects inherit its scale
    std::vector<VisibilityLink> visibility;    // by object
};

// Appends the nodes, parents first, in file order. Errors: limit_exceeded (nodes, depth), and those of
// AnimationStacks::property().
LoadResult<NodeTree> add_nodes(const LoadContext& context, const AnimationStacks& animation);

// Finds the scene nodes that a stack may animate. A file may have ten thousand stacks and a million nodes, of
// which each stack animates a few.
class AnimatedNodes {
public:
    // Precondition: meshes exist. All arguments must outlive it.
    AnimatedNodes(const LoadContext& context, const NodeTree& tree, const MeshMap& meshes);

    // Returns, ascending, the nodes whose transform, weights or visibility have curve nodes in this stack or
    // are inherited from such nodes, and the nodes that are hidden in the static pose and shown in another
    // stack.
    std::vector<std::uint32_t> find(const AnimationStack& stack);

private:
    using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>; // sorted

    void add_visibility();
    // Adds `object` and all objects that inherit from it according to `descendants`, once per stack.
    void add_with_descendants(std::uint32_t object, const Pairs& descendants,
                              std::vector<std::uint32_t>& visited, std::vector<std::uint32_t>& nodes);

    const LoadContext& context_;
    const NodeTree& tree_;
    Pairs nodes_of_; // models and their nodes
    Pairs scale_descendants_,
        visibility_descendants_;              // models, and those that inherit scale or visibility from them
    Pairs meshes_of_;                         // blend channels, meshes
    Pairs nodes_by_mesh_;                     // meshes, nodes
    std::vector<std::uint32_t> hidden_nodes_; // nodes hidden in the static pose
    std::uint32_t visit_ = 0;
    std::vector<std::uint32_t> visited_whole_, visited_scale_,
        visited_visibility_; // by object: the last round in which it was visited
};

} // namespace vitrine::fbx
