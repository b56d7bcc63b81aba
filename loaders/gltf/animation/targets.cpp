#include "loaders/gltf/animation/channels.hpp"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>

#include "loaders/gltf/document/component_types.hpp"
#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/document/specification_checks.hpp"

namespace vitrine::gltf {

std::vector<ChannelTarget> TargetFinder::find(io::JsonValue value)
{
    const std::string_view path_name = value["path"].string().value_or("");
    std::vector<ChannelTarget> targets;
    if (path_name == "pointer") {
        targets = targets_of(*parse_pointer(pointer_of(value)), value);
    } else {
        const std::optional<scene::Path> path = to_path(path_name);
        const std::uint32_t node =
            LenientFields(value, document_.warnings()).index("node", document_.list("nodes").size());
        if (!path) warn("the path is unknown; the channel is ignored", value);
        if (path && node != scene::none) targets = targets_at({node, *path});
    }
    std::erase_if(targets, [&](const ChannelTarget& target) { return !is_there(target, value); });
    return targets;
}

std::vector<ChannelTarget> TargetFinder::targets_of(const Pointer& pointer, io::JsonValue where)
{
    std::vector<ChannelTarget> targets;
    if (!pointer.of_mesh && pointer.index < document_.list("nodes").size())
        targets = targets_at({pointer.index, pointer.path, pointer.weight});
    else if (!pointer.of_mesh)
        warn("the node does not exist; the channel is ignored", where);
    else if (!seen_meshes_.insert({pointer.index, pointer.weight}).second)
        warn("a second channel has the same target; it is ignored", where);
    else if (pointer.index < scene_.meshes.size())
        for (const std::uint32_t node : users_.of(pointer.index))
            targets.push_back({node, pointer.path, pointer.weight});
    return targets;
}

// For a node with EXT_mesh_gpu_instancing, the weights apply to all instance nodes, which follow the file's
// own nodes in the order of their parents.
std::vector<ChannelTarget> TargetFinder::targets_at(const ChannelTarget& target) const
{
    const bool is_drawn_below =
        target.path == scene::Path::weights && scene_.nodes[target.node].mesh == scene::none;
    if (!is_drawn_below) return {target};
    const std::uint32_t own = document_.list("nodes").size();
    const auto instances =
        std::ranges::equal_range(scene_.nodes | std::views::drop(own), target.node, {}, &scene::Node::parent);
    if (instances.empty()) return {target};
    std::vector<ChannelTarget> targets;
    for (const scene::Node& instance : instances)
        targets.push_back(
            {static_cast<std::uint32_t>(&instance - scene_.nodes.data()), target.path, target.weight});
    return targets;
}

bool TargetFinder::is_there(const ChannelTarget& target, io::JsonValue where)
{
    const std::size_t weights = target.path == scene::Path::weights ? rest_of(target.node).size() : 0;
    if (target.path == scene::Path::weights && weights == 0)
        warn("the node has no morph targets; the channel is ignored", where);
    else if (target.weight != scene::none && target.weight >= weights)
        warn("the morph target does not exist; the channel is ignored", where);
    else
        return true;
    return false;
}

std::span<const float> TargetFinder::rest_of(std::uint32_t node) const
{
    const scene::Node& shown = scene_.nodes[node];
    if (shown.mesh == scene::none) return {};
    return shown.morph_weights.empty() ? scene_.meshes[shown.mesh].morph_weights : shown.morph_weights;
}

std::size_t TargetFinder::components(const ChannelTarget& target) const
{
    if (target.path != scene::Path::weights) return target.path == scene::Path::rotation ? 4 : 3;
    return target.weight == scene::none ? rest_of(target.node).size() : 1;
}

// Vectors instead of quaternions, or the reverse, are rejected; for weights the declared type does not
// matter.
bool TargetFinder::check_types(const ChannelTarget& target, const Accessor& input, const Accessor& output,
                               io::JsonValue sampler)
{
    const bool is_vector = target.path == scene::Path::translation || target.path == scene::Path::scale;
    const bool is_list = target.is_visibility || target.path == scene::Path::weights;
    const std::size_t expected = is_list ? 1 : components(target);
    if (input.components != 1 || (!is_list && output.components != expected)) {
        document_.warnings().add(
            "invalid_channel",
            fmt::format("times of {} numbers and values of {} instead of {}; the channel is ignored",
                        input.components, output.components, expected),
            sampler.pointer());
        return false;
    }
    if (output.components != expected)
        document_.warnings().add("invalid_accessor", "the values of the keys are not SCALAR",
                                 sampler["output"].pointer());
    check_bounds(document_, sampler["input"]);
    check_format(document_, input, AccessorUsage::times, sampler["input"]);
    if (!target.is_visibility)
        check_format(document_, output, is_vector ? AccessorUsage::vectors : AccessorUsage::fractions,
                     sampler["output"]);
    return true;
}

void TargetFinder::warn(const char* message, io::JsonValue where)
{
    document_.warnings().add("invalid_channel", message, where.pointer());
}

} // namespace vitrine::gltf
