#pragma once
// Nodes that move as others do, or the other way round: for products of matrices that the tree of nodes does
// not hold. They are made after the clips and take their channels from those of the originals.

#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

class NodeCopies {
public:
    // The import outlives it.
    explicit NodeCopies(const LoadContext& context)
        : context_(context), originals_(static_cast<std::uint32_t>(context.scene.nodes.size()))
    {
    }

    bool has_room_for(std::size_t nodes) const
    {
        return context_.scene.nodes.size() + nodes <= context_.limits.nodes;
    }
    // A node that shows nothing, a helper of what `of` is a part of. Precondition of all three:
    // has_room_for(1), of undo(): for 3.
    std::uint32_t add(std::string name, std::uint32_t of, std::uint32_t parent);
    // The transform, and the name, of `of` below another parent.
    std::uint32_t copy(std::uint32_t of, std::uint32_t parent);
    // Its inverse (of a node without a matrix): the lowest of three nodes that undo scale, rotation and
    // translation. Keys of a scale are inverted one by one, which is exact at the keys.
    std::uint32_t undo(std::uint32_t of, std::uint32_t parent);

    // Gives the copies their channels. Errors: limit_exceeded (key_values).
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
    std::vector<Copy> by_path_[3]; // translation, rotation, scale; sorted by `of` in the end
};

} // namespace vitrine::fbx
