#include "loaders/gltf/document/animation_pointers.hpp"

#include <algorithm>

#include "loaders/base/parse_whole.hpp"
#include "loaders/scene/motion/sampling.hpp"

namespace vitrine::gltf {
namespace {

// Removes and returns the part before the next slash, together with the slash.
std::string_view take_part(std::string_view& pointer)
{
    const std::size_t end = pointer.find('/');
    const std::string_view part = pointer.substr(0, end);
    pointer.remove_prefix(end == pointer.npos ? pointer.size() : end + 1);
    return part;
}

std::optional<std::uint32_t> take_index(std::string_view& pointer)
{
    return parse_whole<std::uint32_t>(take_part(pointer));
}

// Cubic splines can be combined when their key times are equal; linear and step keys always.
bool can_join(std::span<const WeightPart> parts)
{
    const scene::Channel& first = parts.front().channel;
    return std::ranges::all_of(parts, [&](const WeightPart& part) {
        return part.channel.interpolation == first.interpolation &&
               (first.interpolation != scene::Interpolation::cubic || part.channel.times == first.times);
    });
}

std::vector<float> all_times(std::span<const WeightPart> parts)
{
    std::vector<float> times;
    for (const WeightPart& part : parts)
        times.insert(times.end(), part.channel.times.begin(), part.channel.times.end());
    std::ranges::sort(times);
    const auto repeated = std::ranges::unique(times);
    times.erase(repeated.begin(), repeated.end());
    return times;
}

} // namespace

std::string_view pointer_of(io::JsonValue target)
{
    return target["extensions"]["KHR_animation_pointer"]["pointer"].string().value_or("");
}

std::optional<scene::Path> to_path(std::string_view name)
{
    if (name == "translation") return scene::Path::translation;
    if (name == "rotation") return scene::Path::rotation;
    if (name == "scale") return scene::Path::scale;
    if (name == "weights") return scene::Path::weights;
    return std::nullopt;
}

std::optional<Pointer> parse_pointer(std::string_view pointer)
{
    Pointer out;
    if (!take_part(pointer).empty()) return std::nullopt; // text before the first slash
    const std::string_view list = take_part(pointer);
    out.of_mesh = list == "meshes";
    if (!out.of_mesh && list != "nodes") return std::nullopt;
    const auto index = take_index(pointer);
    const auto path = to_path(take_part(pointer));
    if (!index || !path || (out.of_mesh && *path != scene::Path::weights)) return std::nullopt;
    out.index = *index;
    out.path = *path;
    if (pointer.empty()) return out;
    const auto weight = take_index(pointer);
    if (!weight || *path != scene::Path::weights || !pointer.empty()) return std::nullopt;
    out.weight = *weight;
    return out;
}

std::optional<std::uint32_t> parse_visibility_pointer(std::string_view pointer)
{
    if (!take_part(pointer).empty() || take_part(pointer) != "nodes") return std::nullopt;
    const auto node = take_index(pointer);
    return pointer == "extensions/KHR_node_visibility/visible" ? node : std::nullopt;
}

std::optional<scene::Channel> join_weights(std::uint32_t node, std::span<const WeightPart> parts,
                                           std::span<const float> rest)
{
    if (!can_join(parts)) return std::nullopt;
    scene::Channel out;
    out.node = node;
    out.path = scene::Path::weights;
    out.interpolation = parts.front().channel.interpolation;
    out.times = all_times(parts);
    const bool is_cubic = out.interpolation == scene::Interpolation::cubic;
    const std::size_t size = rest.size() * (is_cubic ? 3 : 1);
    for (std::size_t key = 0; key < out.times.size(); ++key) {
        out.values.resize(key * size, 0.0f);
        out.values.insert(out.values.end(), is_cubic ? rest.size() : 0, 0.0f); // tangents of constant weights
        out.values.insert(out.values.end(), rest.begin(), rest.end());
        out.values.resize((key + 1) * size, 0.0f);
        float* values = out.values.data() + key * size;
        for (const auto& [weight, channel] : parts) {
            if (is_cubic)
                for (std::size_t i = 0; i < 3; ++i)
                    values[i * rest.size() + weight] = channel.values[3 * key + i];
            else
                scene::sample_channel(channel, double{out.times[key]}, std::span(values + weight, 1));
        }
    }
    return out;
}

} // namespace vitrine::gltf
