#pragma once
// Finds the curves of every stack, layer and property: AnimationStack objects and their connections
// (animation_reader.cpp), or Takes (animation_takes.cpp).

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loaders/fbx/animation/animation.hpp"
#include "loaders/io/string_hash.hpp"

namespace vitrine::fbx {

// Which component "d|X", "d|DeformPercent" or a channel's "Y" is.
std::size_t component_of(std::string_view name);
// The span that a take says.
void read_local_time(AnimationStack& stack, Element take);

class AnimationReader {
public:
    AnimationReader(const Document& document, const Limits& limits, io::WarningLog& warnings,
                    ExtrapolationPolicy ends)
        : document_(document), limits_(limits), warnings_(warnings),
          animation_(document, limits, warnings, ends)
    {
    }

    LoadResult<Animation> run();

private:
    // What a layer holds, whichever stack has it.
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
    // More curve nodes than any rig has; each counts once a layer and property, sixteen times where the layer
    // was another stack's before: no program shares one, and each byte of a file would make as many.
    std::uint64_t max_curve_nodes() const { return limits_.key_values / 16; }
    static constexpr std::uint64_t shared_node_cost = 16;
    void index_objects();

    const Document& document_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    Animation animation_;
    std::unordered_map<std::string, Element, io::StringHash> takes_;
    // By model: the blend channels of its mesh, by the names of their shapes.
    using Shapes = std::unordered_map<std::string_view, std::uint32_t, io::StringHash>;
    std::unordered_map<std::uint32_t, Shapes> shapes_;
    std::unordered_map<std::uint32_t, LayerContent> shared_layers_; // that several stacks have
    std::uint64_t nodes_ = 0;
    bool too_many_ = false;

    std::uint32_t blend_channel(std::uint32_t model, std::string_view name);
    void find_shapes(std::uint32_t model, Shapes& shapes) const;
};

} // namespace vitrine::fbx
