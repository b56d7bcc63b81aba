#pragma once
// The channels of an animation: their targets and keys.

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "loaders/gltf/document/animation_pointers.hpp"
#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

struct ChannelTarget {
    std::uint32_t node = scene::none;
    scene::Path path = scene::Path::translation;
    std::uint32_t weight = scene::none; // of a single morph target; none: the whole path
    bool is_visibility = false;         // animates the visibility instead of `path`

    auto operator<=>(const ChannelTarget&) const = default;
};

// The nodes that show a mesh with the mesh's own weights. Computed once, because files may animate meshes
// from every clip.
class MeshUsers {
public:
    explicit MeshUsers(const scene::Scene& scene) : scene_(scene) {}

    const std::vector<std::uint32_t>& of(std::uint32_t mesh)
    {
        for (; indexed_ < scene_.nodes.size(); ++indexed_)
            if (const scene::Node& node = scene_.nodes[indexed_]; node.morph_weights.empty())
                users_[node.mesh].push_back(indexed_);
        return users_[mesh];
    }

private:
    const scene::Scene& scene_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> users_;
    std::uint32_t indexed_ = 0;
};

// For one animation. All references must outlive it.
class TargetFinder {
public:
    TargetFinder(Document& document, const scene::Scene& scene, MeshUsers& users)
        : document_(document), scene_(scene), users_(users)
    {
    }

    // Returns one target, except for the weights of a mesh (each node that shows it with these) and of an
    // instanced node (each instance). Empty, with a warning, when the file has no such target. Precondition:
    // a node or a pointer that parse_pointer() accepts.
    std::vector<ChannelTarget> find(io::JsonValue value);
    // Returns the static weights; empty for a node without morph targets.
    std::span<const float> rest_of(std::uint32_t node) const;
    // Returns the number of floats per key.
    std::size_t components(const ChannelTarget& target) const;
    // Returns false, with a warning, when the sampler's data do not match the target.
    bool check_types(const ChannelTarget& target, const Accessor& input, const Accessor& output,
                     io::JsonValue sampler);

private:
    std::vector<ChannelTarget> targets_of(const Pointer& pointer, io::JsonValue where);
    std::vector<ChannelTarget> targets_at(const ChannelTarget& target) const;
    bool is_there(const ChannelTarget& target, io::JsonValue where);
    void warn(const char* message, io::JsonValue where);

    Document& document_;
    const scene::Scene& scene_;
    MeshUsers& users_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen_meshes_; // mesh and weight index
};

// Reads the keys of a channel of `animation`, sorted and finite, `size` floats per value. Returns a channel
// without keys when it is ignored, with a warning. Error: limit_exceeded.
LoadResult<scene::Channel> read_channel(Document& document, TargetFinder& targets, io::JsonValue animation,
                                        io::JsonValue channel, const ChannelTarget& target, std::size_t size);

} // namespace vitrine::gltf
