// Finds the curves of every stack, layer and property: AnimationStack objects and their connections, or
// Takes.

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "loaders/fbx/animation.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::fbx {

class AnimationReader {
public:
    AnimationReader(const Document& document, const Limits& limits, io::WarningLog& warnings, CurveEnds ends)
        : document_(document), limits_(limits), warnings_(warnings),
          animation_(document, limits, warnings, ends)
    {
    }

    LoadResult<Animation> run()
    {
        if (document_.version() >= 7000)
            read_stacks();
        else
            read_takes();
        if (animation_.stacks_.size() > limits_.clips)
            return io::over_limit({}, fmt::format("the file has {} clips, more", animation_.stacks_.size()),
                                  "clips", limits_.clips);
        if (too_many_)
            return fail(LoadErrc::limit_exceeded, {},
                        fmt::format("curves move properties in more than {} places, a sixteenth of the limit "
                                    "key_values = {}",
                                    most_nodes(), limits_.key_values));
        for (AnimationStack& stack : animation_.stacks_) {
            std::ranges::sort(stack.nodes, {}, [](const CurveNode& node) {
                return std::tuple(node.object, node.property, node.layer);
            });
        }
        return std::move(animation_);
    }

private:
    void read_stacks();
    void read_stack(std::uint32_t object);
    void read_implicit_stack();
    void add_layers(AnimationStack& stack, std::vector<std::uint32_t> layers);
    AnimationLayer read_layer(std::uint32_t object) const;
    void read_layer_nodes(AnimationStack& stack, std::uint32_t layer_object, std::uint32_t layer);
    void read_curve_node(AnimationStack& stack, std::uint32_t node, std::uint32_t layer);
    void read_time_span(AnimationStack& stack, const Properties& properties) const;

    void read_takes();
    void read_take(Element take);
    void read_channels(AnimationStack& stack, std::uint32_t object, Element of);
    void read_channel(AnimationStack& stack, std::uint32_t object, std::string_view property,
                      Element channel);
    void add(AnimationStack& stack, CurveNode node);
    // More curve nodes than any rig has; each counts once a layer and property.
    std::uint64_t most_nodes() const { return limits_.key_values / 16; }

    const Document& document_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    Animation animation_;
    std::unordered_map<std::string, Element> takes_;
    // By model: the blend channels of its mesh, by the names of their shapes.
    using Shapes = std::unordered_map<std::string_view, std::uint32_t>;
    std::unordered_map<std::uint32_t, Shapes> shapes_;
    std::uint64_t nodes_ = 0;
    bool too_many_ = false;

    std::uint32_t blend_channel(std::uint32_t model, std::string_view name);
    void find_shapes(std::uint32_t model, Shapes& shapes) const;
};

namespace {

// Which component "d|X", "d|DeformPercent" or a channel's "Y" is.
std::size_t component_of(std::string_view name)
{
    if (const auto bar = name.rfind('|'); bar != name.npos) name.remove_prefix(bar + 1);
    if (name == "Y" || name == "G") return 1;
    return name == "Z" || name == "B" ? 2 : 0;
}

void read_local_time(AnimationStack& stack, Element take)
{
    const Element time = take["LocalTime"].exists() ? take["LocalTime"] : take["ReferenceTime"];
    if (time.value_count() < 2 || time[1u].integer() <= time[0u].integer()) return;
    stack.start = time[0u].integer();
    stack.stop = time[1u].integer();
}

} // namespace

void AnimationReader::add(AnimationStack& stack, CurveNode node)
{
    too_many_ = too_many_ || ++nodes_ > most_nodes();
    if (!too_many_) stack.nodes.push_back(node);
}

void AnimationReader::read_stacks()
{
    const auto stacks = document_.objects_of_type(Type::animation_stack);
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
    for (const Connection& connection : document_.sources(object)) {
        if (document_.object(connection.source).type == Type::animation_layer)
            layers.push_back(connection.source);
    }
    add_layers(stack, std::move(layers));
    animation_.stacks_.push_back(std::move(stack));
}

// Files that lack the stack, or even its layers, still mean what their curves say.
void AnimationReader::read_implicit_stack()
{
    AnimationStack stack{.name = "Take 001", .start = {}, .layers = {}, .nodes = {}};
    auto layers = document_.objects_of_type(Type::animation_layer);
    if (layers.empty()) {
        stack.layers.push_back({.weight_curve = nullptr, .is_base = true});
        for (const std::uint32_t node : document_.objects_of_type(Type::animation_curve_node))
            read_curve_node(stack, node, 0);
    } else {
        add_layers(stack, std::move(layers));
    }
    if (stack.nodes.empty()) return;
    warnings_.add("fbx_no_stack", "the file has curves but no animation stack; they make one clip",
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
    // Some programs keep the span where version 6 had it.
    if (const auto take = takes_.find(stack.name); take != takes_.end()) read_local_time(stack, take->second);
}

// Muted layers count nothing; where any layer is solo the others do not either. The first that is left is the
// base of the others.
void AnimationReader::add_layers(AnimationStack& stack, std::vector<std::uint32_t> layers)
{
    const auto flag = [&](std::uint32_t layer, const char* name) {
        return document_.object(layer).properties.boolean(name);
    };
    const bool any_solo = std::ranges::any_of(layers, [&](std::uint32_t l) { return flag(l, "Solo"); });
    for (const std::uint32_t layer : layers) {
        if (flag(layer, "Mute") || (any_solo && !flag(layer, "Solo"))) continue;
        stack.layers.push_back(read_layer(layer));
        stack.layers.back().is_base = stack.layers.size() == 1;
        read_layer_nodes(stack, layer, static_cast<std::uint32_t>(stack.layers.size() - 1));
    }
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

void AnimationReader::read_layer_nodes(AnimationStack& stack, std::uint32_t layer_object, std::uint32_t layer)
{
    std::vector<std::uint32_t> nodes;
    for (const Connection& connection : document_.sources(layer_object)) {
        const bool is_node = document_.object(connection.source).type == Type::animation_curve_node;
        if (is_node && connection.destination_property.empty()) nodes.push_back(connection.source);
    }
    std::ranges::sort(nodes);
    nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
    for (const std::uint32_t node : nodes)
        read_curve_node(stack, node, layer);
    const std::uint32_t weight = document_.source_of_type(layer_object, Type::animation_curve_node, "Weight");
    if (weight == no_object) return;
    const std::uint32_t curve = document_.source_of_type(weight, Type::animation_curve);
    if (curve == no_object) return;
    if (auto read = animation_.curve(document_.object(curve).element); read && !read->keys.empty())
        stack.layers[layer].weight_curve = std::make_shared<const Curve>(*std::move(read));
}

void AnimationReader::read_curve_node(AnimationStack& stack, std::uint32_t index, std::uint32_t layer)
{
    const Object& object = document_.object(index);
    CurveNode node{.layer = layer, .curves = {}, .defaults = {}};
    for (const Properties::Entry& entry : object.properties.own()) {
        if (!entry.name.starts_with("d|")) continue;
        const Value value = object.properties.value(entry.name);
        if (value.is_number()) node.defaults[component_of(entry.name)] = value.real();
    }
    for (const Connection& connection : document_.sources(index)) {
        const Object& source = document_.object(connection.source);
        if (source.type == Type::animation_curve)
            node.curves[component_of(connection.destination_property)] = source.element;
    }
    for (const Connection& connection : document_.destinations(index)) {
        if (connection.destination_property.empty()) continue;
        node.object = connection.destination;
        node.property = connection.destination_property;
        add(stack, node);
    }
}

void AnimationReader::read_takes()
{
    for (const Element take : document_.takes())
        if (take.name() == "Take") read_take(take);
    if (!animation_.stacks_.empty()) return;
    // Very old files keep the curves in the models themselves.
    AnimationStack stack{.name = "Take 001", .start = {}, .layers = {}, .nodes = {}};
    stack.layers.push_back({.weight_curve = nullptr, .is_base = true});
    for (const std::uint32_t model : document_.objects_of_type(Type::model))
        read_channels(stack, model, document_.object(model).element);
    const auto has_curve = [](const CurveNode& node) {
        return std::ranges::any_of(node.curves, [](Element curve) { return curve.exists(); });
    };
    if (std::ranges::any_of(stack.nodes, has_curve)) animation_.stacks_.push_back(std::move(stack));
}

void AnimationReader::read_take(Element take)
{
    AnimationStack stack{.name = document_.decoded(take[0u].text()), .start = {}, .layers = {}, .nodes = {}};
    stack.layers.push_back({.weight_curve = nullptr, .is_base = true});
    read_local_time(stack, take);
    for (const Element child : take) {
        if (!child[0u].is_text() || !child["Channel"].exists()) continue;
        const std::uint32_t object = document_.find_by_full_name(child[0u].text());
        if (object == no_object) {
            if (warnings_.wants("fbx_animates_unknown"))
                warnings_.keep("fbx_animates_unknown",
                               fmt::format("a take moves {}, which the file lacks",
                                           document_.plain_name(child[0u].text())),
                               child.place());
            continue;
        }
        read_channels(stack, object, child);
    }
    animation_.stacks_.push_back(std::move(stack));
}

void AnimationReader::read_channels(AnimationStack& stack, std::uint32_t object, Element of)
{
    for (const Element channel : of) {
        if (channel.name() != "Channel") continue;
        const std::string_view name = channel[0u].text();
        if (name != "Transform") {
            read_channel(stack, object, name, channel);
            continue;
        }
        for (const Element part : channel) {
            const std::string_view letter = part[0u].text();
            const std::string_view property = letter == "T"   ? "Lcl Translation"
                                              : letter == "R" ? "Lcl Rotation"
                                              : letter == "S" ? "Lcl Scaling"
                                                              : "";
            if (part.name() == "Channel" && !property.empty()) read_channel(stack, object, property, part);
        }
    }
}

void AnimationReader::read_channel(AnimationStack& stack, std::uint32_t object, std::string_view property,
                                   Element channel)
{
    CurveNode node{.object = object, .property = property, .curves = {}, .defaults = {}};
    const auto read_component = [&](std::size_t component, Element of) {
        if (of["Key"].exists()) node.curves[component] = of;
        if (const Value value = of["Default"][0u]; value.is_number()) node.defaults[component] = value.real();
    };
    if (channel["Key"].exists() || channel["Default"].exists()) {
        read_component(0, channel);
    } else {
        for (const Element part : channel)
            if (part.name() == "Channel") read_component(component_of(part[0u].text()), part);
    }
    if (const std::uint32_t blend = blend_channel(object, property); blend != no_object) {
        node.object = blend;
        node.property = "DeformPercent";
    }
    add(stack, node);
}

// A channel named as a shape of the model animates it; version 5 says " (Shape)" behind the name.
std::uint32_t AnimationReader::blend_channel(std::uint32_t model, std::string_view name)
{
    constexpr std::string_view suffix = " (Shape)";
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
    const auto [shapes, is_new] = shapes_.try_emplace(model);
    if (is_new) find_shapes(model, shapes->second);
    const auto found = shapes->second.find(name);
    return found == shapes->second.end() ? no_object : found->second;
}

void AnimationReader::find_shapes(std::uint32_t model, Shapes& shapes) const
{
    const std::uint32_t mesh = document_.source_of_type(model, Type::mesh);
    if (mesh == no_object) return;
    for (const Connection& blend : document_.sources(mesh)) {
        if (document_.object(blend.source).type != Type::blend_shape) continue;
        for (const Connection& channel : document_.sources(blend.source)) {
            const Object& object = document_.object(channel.source);
            if (object.type == Type::blend_channel) shapes.emplace(object.part[0u].text(), channel.source);
        }
    }
}

LoadResult<Animation> Animation::read(const Document& document, const Limits& limits,
                                      io::WarningLog& warnings, CurveEnds ends)
{
    return AnimationReader(document, limits, warnings, ends).run();
}

} // namespace vitrine::fbx
