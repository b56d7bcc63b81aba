#pragma once
// What the channels of an animation move.

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

struct Target {
    std::uint32_t node = scene::none;
    scene::Path path = scene::Path::translation;
    std::uint32_t weight = scene::none; // of a morph target alone; none: the whole path
    bool is_visibility = false;         // its visibility in place of `path`

    auto operator<=>(const Target&) const = default;
};

// Which nodes show a mesh with its own weights. Found once: files may point at meshes from every clip.
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

// Of one animation. All references outlive it.
class TargetFinder {
public:
    TargetFinder(Document& document, const scene::Scene& scene, MeshUsers& users)
        : document_(document), scene_(scene), users_(users)
    {
    }

    // One, but for the weights of a mesh: of each node that shows it with these; and for those of a node that
    // is drawn many times: of each instance. None, with a warning, where the file has no such thing.
    // Precondition: a node or a pointer that parse_pointer() knows.
    std::vector<Target> find(io::JsonValue value);
    // Its weights without animation; none: it shows no morph targets.
    std::span<const float> rest_of(std::uint32_t node) const;
    // Floats a key.
    std::size_t components(const Target& target) const;
    // False, with a warning, where what a sampler reads is not what moves the target.
    bool check_types(const Target& target, const Accessor& input, const Accessor& output,
                     io::JsonValue sampler);

private:
    std::vector<Target> targets_of(const Pointer& pointer, io::JsonValue where);
    std::vector<Target> targets_at(const Target& target) const;
    bool is_there(const Target& target, io::JsonValue where);
    void warn(const char* message, io::JsonValue where);

    Document& document_;
    const scene::Scene& scene_;
    MeshUsers& users_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen_meshes_; // and their weights
};

} // namespace vitrine::gltf
