#include "loaders/fbx/animation/animation_reader.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "loaders/base/sort_unique.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::fbx {

std::size_t component_of(std::string_view name)
{
    if (const auto bar = name.rfind('|'); bar != name.npos) name.remove_prefix(bar + 1);
    if (name == "Y" || name == "G") return 1;
    return name == "Z" || name == "B" ? 2 : 0;
}

LoadResult<AnimationStacks> AnimationReader::run()
{
    if (document_.version() >= 7000)
        read_stacks();
    else
        read_takes();
    if (animation_.stacks_.size() > limits_.clips)
        return io::limit_exceeded_error({}, fmt::format("{} clips", animation_.stacks_.size()), "clips",
                                        limits_.clips);
    if (too_many_)
        return fail(
            LoadErrc::limit_exceeded, {},
            fmt::format("curves animate properties in more than {} places{}, a sixteenth of the limit "
                        "key_values = {}",
                        max_curve_nodes(),
                        shared_layers_.empty() ? "" : ", counting those of shared layers sixteenfold",
                        limits_.key_values));
    for (AnimationStack& stack : animation_.stacks_) {
        std::ranges::sort(stack.nodes, {}, [](const CurveNode& node) {
            return std::tuple(node.object, node.property, node.layer);
        });
    }
    index_objects();
    return std::move(animation_);
}

void AnimationReader::add(AnimationStack& stack, CurveNode node)
{
    too_many_ = too_many_ || ++nodes_ > max_curve_nodes();
    if (!too_many_) stack.nodes.push_back(node);
}

void AnimationReader::index_objects()
{
    for (std::uint32_t i = 0; i < animation_.stacks_.size(); ++i) {
        std::uint32_t last = no_object;
        for (const CurveNode& node : animation_.stacks_[i].nodes) {
            if (std::exchange(last, node.object) != node.object)
                animation_.by_object_.emplace_back(node.object, i);
        }
    }
    std::ranges::sort(animation_.by_object_);
}

void AnimationReader::read_stacks()
{
    const auto stacks = document_.objects_of_type(ObjectType::animation_stack);
    for (const Element take : document_.takes())
        if (take.name() == "Take") takes_.emplace(document_.decoded(take[0u].text()), take);
    for (const std::uint32_t stack : stacks)
        read_stack(stack);
    if (stacks.empty()) read_implicit_stack();
}

void AnimationReader::read_stack(std::uint32_t object)
{
    AnimationStack stack{.name = document_.object(object).name, .start = {}, .layers = {}, .nodes = {}};
    read_time_span(stack, document_.object(object).properties);
    std::vector<std::uint32_t> layers;
    for (const ObjectConnection& connection : document_.sources(object)) {
        if (document_.object(connection.source).type == ObjectType::animation_layer)
            layers.push_back(connection.source);
    }
    add_layers(stack, std::move(layers));
    animation_.stacks_.push_back(std::move(stack));
}

// Creates a stack for curves in files without a stack or even layers.
void AnimationReader::read_implicit_stack()
{
    AnimationStack stack{.name = "Take 001", .start = {}, .layers = {}, .nodes = {}};
    auto layers = document_.objects_of_type(ObjectType::animation_layer);
    if (layers.empty()) {
        stack.layers.push_back({.weight_curve = nullptr, .is_base = true});
        std::vector<CurveNode> nodes;
        for (const std::uint32_t node : document_.objects_of_type(ObjectType::animation_curve_node))
            read_curve_node(node, nodes);
        for (const CurveNode& node : nodes)
            add(stack, node);
    } else {
        add_layers(stack, std::move(layers));
    }
    if (stack.nodes.empty()) return;
    warnings_.add("fbx_no_stack", "the file has curves but no animation stack; one clip is created",
                  "Objects");
    animation_.stacks_.push_back(std::move(stack));
}

void AnimationReader::read_time_span(AnimationStack& stack, const Properties& properties) const
{
    for (const auto& [start, stop] :
         {std::pair("LocalStart", "LocalStop"), std::pair("ReferenceStart", "ReferenceStop")}) {
        const std::int64_t from = properties.integer(start);
        const std::int64_t to = properties.integer(stop);
        if (to <= from) continue;
        stack.start = from;
        stack.stop = to;
        return;
    }
    // Some programs store the time span where version 6 has it.
    if (const auto take = takes_.find(stack.name); take != takes_.end()) read_local_time(stack, take->second);
}

// Muted layers are ignored; if any layer is solo, all others are ignored. The first remaining layer is the
// base.
void AnimationReader::add_layers(AnimationStack& stack, std::vector<std::uint32_t> layers)
{
    const auto flag = [&](std::uint32_t layer, const char* name) {
        return document_.object(layer).properties.boolean(name);
    };
    const bool any_solo = std::ranges::any_of(layers, [&](std::uint32_t l) { return flag(l, "Solo"); });
    for (const std::uint32_t layer : layers) {
        if (flag(layer, "Mute") || (any_solo && !flag(layer, "Solo"))) continue;
        add_layer(stack, layer);
    }
}

void AnimationReader::add_layer(AnimationStack& stack, std::uint32_t object)
{
    const auto index = static_cast<std::uint32_t>(stack.layers.size());
    stack.layers.push_back(read_layer(object));
    stack.layers.back().is_base = index == 0;
    const bool is_shared = document_.destinations(object).size() > 1;
    const auto shared = shared_layers_.find(object);
    const bool is_reused = shared != shared_layers_.end();
    LayerContent own;
    if (!is_reused) own = read_content(object);
    const LayerContent& content = is_reused ? shared->second : own;
    stack.layers.back().weight_curve = content.weight_curve;
    for (CurveNode node : content.nodes) {
        if (too_many_) return;
        if (is_reused) nodes_ += shared_node_cost - 1;
        node.layer = index;
        add(stack, node);
    }
    if (is_shared && !is_reused) shared_layers_.emplace(object, std::move(own));
}

AnimationLayer AnimationReader::read_layer(std::uint32_t object) const
{
    const Properties& properties = document_.object(object).properties;
    AnimationLayer layer;
    const std::int64_t mode = properties.integer("BlendMode");
    layer.mode = mode == 1   ? BlendMode::override_below
                 : mode == 2 ? BlendMode::passthrough
                             : BlendMode::additive;
    layer.rotations_by_layer = properties.integer("RotationAccumulationMode") == 0;
    layer.scales_multiply = properties.integer("ScaleAccumulationMode") == 0;
    layer.weight = std::clamp(properties.real("Weight", 100.0) / 100.0, 0.0, 1.0);
    return layer;
}

AnimationReader::LayerContent AnimationReader::read_content(std::uint32_t layer) const
{
    std::vector<std::uint32_t> nodes;
    for (const ObjectConnection& connection : document_.sources(layer)) {
        const bool is_node = document_.object(connection.source).type == ObjectType::animation_curve_node;
        if (is_node && connection.destination_property.empty()) nodes.push_back(connection.source);
    }
    sort_unique(nodes);
    LayerContent content;
    for (const std::uint32_t node : nodes)
        read_curve_node(node, content.nodes);
    const std::uint32_t weight = document_.source_of_type(layer, ObjectType::animation_curve_node, "Weight");
    if (weight == no_object) return content;
    const std::uint32_t curve = document_.source_of_type(weight, ObjectType::animation_curve);
    if (curve == no_object) return content;
    if (auto read = animation_.curve(document_.object(curve).element); read && !read->keys.empty())
        content.weight_curve = std::make_shared<const Curve>(*std::move(read));
    return content;
}

// Adds one CurveNode per property that the node animates.
void AnimationReader::read_curve_node(std::uint32_t index, std::vector<CurveNode>& nodes) const
{
    const Object& object = document_.object(index);
    CurveNode node{.curves = {}, .defaults = {}};
    for (const Properties::PropertyEntry& entry : object.properties.own()) {
        if (!entry.name.starts_with("d|")) continue;
        const Value value = object.properties.value(entry.name);
        if (value.is_number()) node.defaults[component_of(entry.name)] = value.real();
    }
    for (const ObjectConnection& connection : document_.sources(index)) {
        const Object& source = document_.object(connection.source);
        if (source.type == ObjectType::animation_curve)
            node.curves[component_of(connection.destination_property)] = source.element;
    }
    for (const ObjectConnection& connection : document_.destinations(index)) {
        if (connection.destination_property.empty()) continue;
        node.object = connection.destination;
        node.property = connection.destination_property;
        nodes.push_back(node);
    }
}

} // namespace vitrine::fbx
