#pragma once
// Skin joints without a model: those relative to an associate model, and those of skins with animated
// visibility. Both are chains of copied nodes, created after the clips.

#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// When the skin at a node is visible in a clip: a channel of scales 1 and 0; its node is not set yet.
struct SkinVisibility {
    std::uint32_t node = 0;
    std::uint32_t clip = 0;
    scene::Channel channel;
};

// Errors: limit_exceeded (key_values). When limits.nodes leaves no room the joints remain unchanged, with a
// warning.
LoadResult<void> add_extra_joints(const LoadContext& context, const MeshMap& meshes,
                                  std::vector<SkinVisibility> skin_visibilities);

// Nodes that copy the transform of other nodes or its inverse, for matrix products that the node tree does
// not contain. They are created after the clips and copy the channels of the originals.
class NodeCopies {
public:
    // The context must outlive it.
    explicit NodeCopies(const LoadContext& context)
        : context_(context), originals_(static_cast<std::uint32_t>(context.scene.nodes.size()))
    {
    }

    bool has_room_for(std::size_t nodes) const
    {
        return context_.scene.nodes.size() + nodes <= context_.limits.nodes;
    }
    // Adds a node without content, a helper of the node that `of` belongs to. Precondition: has_room_for(1);
    // for undo(): has_room_for(3).
    std::uint32_t add(std::string name, std::uint32_t of, std::uint32_t parent);
    // Adds a node with the transform and name of `of` below another parent.
    std::uint32_t copy(std::uint32_t of, std::uint32_t parent);
    // Adds the inverse of the transform of `of` (a node without a matrix) and returns the lowest of three
    // nodes that invert scale, rotation and translation. Scale keys are inverted individually, which is exact
    // at the keys only.
    std::uint32_t undo(std::uint32_t of, std::uint32_t parent);

    // Copies channels to the copied nodes. Errors: limit_exceeded (key_values).
    LoadResult<void> copy_channels();

private:
    struct Copy {
        std::uint32_t of = 0;
        std::uint32_t node = 0;
        bool inverse = false;
    };
    void note(std::uint32_t of, std::uint32_t node, scene::Path path, bool inverse);
    LoadResult<void> copy_channel(scene::Clip& clip, std::size_t index);

    const LoadContext& context_;
    std::uint32_t originals_;
    std::uint64_t key_values_ = 0;
    std::vector<Copy> by_path_[3]; // translation, rotation, scale; sorted by `of` at the end
};

} // namespace vitrine::fbx
