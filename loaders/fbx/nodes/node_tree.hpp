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
// Animation::property().
LoadResult<NodeTree> add_nodes(const LoadContext& context, const Animation& animation);

} // namespace vitrine::fbx
