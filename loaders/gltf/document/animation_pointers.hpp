#pragma once
// KHR_animation_pointer, as far as what it moves is shown: transforms and weights of morph targets.

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "loaders/io/json/json.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

struct Pointer {
    bool of_mesh = false; // of all nodes that show it with its own weights; else of a node
    std::uint32_t index = scene::none;
    scene::Path path = scene::Path::translation;
    std::uint32_t weight = scene::none; // one alone; none: all of the path
};

// Of a channel's target; empty: it has none.
std::string_view pointer_of(io::JsonValue target);

std::optional<scene::Path> to_path(std::string_view name);

// "/nodes/3/translation", "/nodes/3/weights/1", "/meshes/0/weights"; nothing else.
std::optional<Pointer> parse_pointer(std::string_view pointer);

// The node of "/nodes/3/extensions/KHR_node_visibility/visible".
std::optional<std::uint32_t> parse_visibility_pointer(std::string_view pointer);

// The keys of one weight.
struct WeightPart {
    std::uint32_t weight = 0;
    scene::Channel channel;
};

// One channel of all weights out of channels of one each, at all their times; the others rest. Nothing where
// that is not the same motion: steps beside lines, curves with keys of their own.
std::optional<scene::Channel> join_weights(std::uint32_t node, std::span<const WeightPart> parts,
                                           std::span<const float> rest);

} // namespace vitrine::gltf
