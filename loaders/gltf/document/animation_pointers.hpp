#pragma once
// KHR_animation_pointer for the supported targets: transforms and weights of morph targets.

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "loaders/io/json/json.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

struct Pointer {
    bool of_mesh = false; // of all nodes that show the mesh with its own weights; else of a node
    std::uint32_t index = scene::none;
    scene::Path path = scene::Path::translation;
    std::uint32_t weight = scene::none; // a single weight; none: the whole path
};

// Returns the pointer of a channel's target; empty without one.
std::string_view pointer_of(io::JsonValue target);

std::optional<scene::Path> to_path(std::string_view name);

// Accepts "/nodes/3/translation", "/nodes/3/weights/1", "/meshes/0/weights" and nothing else.
std::optional<Pointer> parse_pointer(std::string_view pointer);

// Returns the node of "/nodes/3/extensions/KHR_node_visibility/visible".
std::optional<std::uint32_t> parse_visibility_pointer(std::string_view pointer);

// The keys of one weight.
struct WeightPart {
    std::uint32_t weight = 0;
    scene::Channel channel;
};

// Combines channels of one weight each into one channel of all weights, at the union of their times; the
// others are constant. Returns nullopt when the motion would differ: steps combined with other
// interpolations, or cubic splines with different key times.
std::optional<scene::Channel> join_weights(std::uint32_t node, std::span<const WeightPart> parts,
                                           std::span<const float> rest);

} // namespace vitrine::gltf
