#pragma once
// The nodes of the scene: one for each model, and helpers where one translation, rotation and scale cannot
// say what FBX means.
//
// Helpers say so (scene::Node::helper_of); the node that is called as the model has its whole matrix.
//
// - `X.geometry` below X has the geometric transform, which what X shows follows and its children do not.
// Where X comes and goes in a clip, its scale is 0 while X is hidden.
// - With the inherit types RrSs and Rrs a parent's scale reaches a child otherwise than by matrices
// multiplied.
//   Where the difference shows (a parent whose scale is not the same along all axes), `X.unscaled` has
//   translation and rotation, its scale stands in X below that, and such children hang below `X.unscaled`.

#include <vector>

#include "loaders/fbx/animation/animation.hpp"
#include "loaders/fbx/document/load_context.hpp"
#include "loaders/fbx/nodes/scale_inheritance.hpp"
#include "loaders/fbx/nodes/visibility.hpp"

namespace vitrine::fbx {

enum class NodePart : std::uint8_t {
    whole,
    unscaled, // of a model whose scale stands in a node of its own
    scale,
    geometry,
};

// Where the transform of a scene node comes from.
struct NodeSource {
    std::uint32_t model = no_object;
    NodePart part = NodePart::whole;
};

struct NodeTree {
    NodeMap map;
    std::vector<NodeSource> sources;           // by scene node
    std::vector<ScaleInheritance> inheritance; // by object
    std::vector<bool> is_link;                 // by object: whether others inherit its scale
    std::vector<VisibilityLink> visibility;    // by object
};

// Appends the nodes, parents first, in the file's order. Errors: limit_exceeded (nodes, depth), and those of
// Animation::property().
LoadResult<NodeTree> add_nodes(const LoadContext& context, const Animation& animation);

} // namespace vitrine::fbx
