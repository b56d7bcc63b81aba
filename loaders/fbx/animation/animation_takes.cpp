// Clips of versions before 7000: `Takes`, which refer to models by name.

#include <algorithm>

#include <fmt/format.h>

#include "loaders/fbx/animation/animation_reader.hpp"

namespace vitrine::fbx {

void read_local_time(AnimationStack& stack, Element take)
{
    const Element time = take["LocalTime"].exists() ? take["LocalTime"] : take["ReferenceTime"];
    if (time.value_count() < 2 || time[1u].integer() <= time[0u].integer()) return;
    stack.start = time[0u].integer();
    stack.stop = time[1u].integer();
}

void AnimationReader::read_takes()
{
    for (const Element take : document_.takes())
        if (take.name() == "Take") read_take(take);
    if (!animation_.stacks_.empty()) return;
    // Very old files store the curves in the models themselves.
    AnimationStack stack{.name = "Take 001", .start = {}, .layers = {}, .nodes = {}};
    stack.layers.push_back({.weight_curve = nullptr, .is_base = true});
    for (const std::uint32_t model : document_.objects_of_type(ObjectType::model))
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
            if (warnings_.accepts("fbx_unknown_animation_target"))
                warnings_.store("fbx_unknown_animation_target",
                                fmt::format("a take animates {}, which is not in the file; it is ignored",
                                            document_.object_name(child[0u].text())),
                                child.location());
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

// A channel with the name of one of the model's shapes animates that shape; version 5 appends " (Shape)" to
// the name.
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
    const std::uint32_t mesh = document_.source_of_type(model, ObjectType::mesh);
    if (mesh == no_object) return;
    for (const ObjectConnection& blend : document_.sources(mesh)) {
        if (document_.object(blend.source).type != ObjectType::blend_shape) continue;
        for (const ObjectConnection& channel : document_.sources(blend.source)) {
            const Object& object = document_.object(channel.source);
            if (object.type == ObjectType::blend_channel)
                shapes.emplace(object.part[0u].text(), channel.source);
        }
    }
}

} // namespace vitrine::fbx
