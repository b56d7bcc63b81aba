#pragma once
// Reads the curves of every stack, layer and property from AnimationStack objects and their connections
// (animation_reader.cpp) or from Takes (animation_takes.cpp).

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loaders/fbx/animation/animation.hpp"
#include "loaders/io/string_hash.hpp"

namespace vitrine::fbx {

// Returns the component index for "d|X", "d|DeformPercent" or a channel named "Y".
std::size_t component_of(std::string_view name);
// Reads the time span that a take declares.
void read_local_time(AnimationStack& stack, Element take);

class AnimationReader {
public:
    AnimationReader(const Document& document, const Limits& limits, io::WarningLog& warnings,
                    ExtrapolationPolicy policy)
        : document_(document), limits_(limits), warnings_(warnings),
          animation_(document, limits, warnings, policy)
    {
    }

    LoadResult<AnimationStacks> run();

private:
    // The content of a layer, independent of the stacks that use it.
    struct LayerContent {
        std::vector<CurveNode> nodes;
        std::shared_ptr<const Curve> weight_curve;
    };

    void read_stacks();
    void read_stack(std::uint32_t object);
    void read_implicit_stack();
    void add_layers(AnimationStack& stack, std::vector<std::uint32_t> layers);
    AnimationLayer read_layer(std::uint32_t object) const;
    void add_layer(AnimationStack& stack, std::uint32_t object);
    LayerContent read_content(std::uint32_t layer) const;
    void read_curve_node(std::uint32_t node, std::vector<CurveNode>& nodes) const;
    void read_time_span(AnimationStack& stack, const Properties& properties) const;

    void read_takes();
    void read_take(Element take);
    void read_channels(AnimationStack& stack, std::uint32_t object, Element of);
    void read_channel(AnimationStack& stack, std::uint32_t object, std::string_view property,
                      Element channel);
    void add(AnimationStack& stack, CurveNode node);
    // Upper limit on curve nodes, above that of any real rig. Each node counts once per layer and property,
    // and sixteen times where another stack already uses the layer: no known program shares layers, and
    // sharing would let a small file create very many.
    std::uint64_t max_curve_nodes() const { return limits_.key_values / 16; }
    static constexpr std::uint64_t shared_node_cost = 16;
    void index_objects();

    const Document& document_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    AnimationStacks animation_;
    std::unordered_map<std::string, Element, io::StringHash> takes_;
    // By model: the blend channels of its mesh, keyed by the name of their shape.
    using Shapes = std::unordered_map<std::string_view, std::uint32_t, io::StringHash>;
    std::unordered_map<std::uint32_t, Shapes> shapes_;
    std::unordered_map<std::uint32_t, LayerContent> shared_layers_; // layers used by several stacks
    std::uint64_t nodes_ = 0;
    bool too_many_ = false;

    std::uint32_t blend_channel(std::uint32_t model, std::string_view name);
    void find_shapes(std::uint32_t model, Shapes& shapes) const;
};

} // namespace vitrine::fbx
