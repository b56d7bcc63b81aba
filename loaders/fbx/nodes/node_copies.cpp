#include "loaders/fbx/nodes/extra_joints.hpp"

#include <algorithm>

#include "loaders/io/limits.hpp"
#include "loaders/scene/motion/file_nodes.hpp"

namespace vitrine::fbx {
namespace {

// A zero scale stays zero.
float inverse(float scale)
{
    return scale == 0.0f ? 0.0f : 1.0f / scale;
}

glm::vec3 inverse(const glm::vec3& scale)
{
    return {inverse(scale.x), inverse(scale.y), inverse(scale.z)};
}

// Tangents of a cubic key are stored before and after its value.
void invert_scales(scene::Channel& channel)
{
    if (channel.interpolation != scene::Interpolation::cubic) {
        std::ranges::transform(channel.values, channel.values.begin(), [](float v) { return inverse(v); });
        return;
    }
    for (std::size_t key = 0; key + 9 <= channel.values.size(); key += 9) {
        for (std::size_t i = key; i < key + 3; ++i) {
            const float inverted = inverse(channel.values[i + 3]);
            channel.values[i] *= -inverted * inverted;
            channel.values[i + 6] *= -inverted * inverted;
            channel.values[i + 3] = inverted;
        }
    }
}

void invert(scene::Channel& channel)
{
    if (channel.path == scene::Path::scale) return invert_scales(channel);
    const bool turns = channel.path == scene::Path::rotation;
    for (std::size_t i = 0; i < channel.values.size(); ++i)
        if (!turns || i % 4 != 3) channel.values[i] = -channel.values[i];
}

} // namespace

std::uint32_t NodeCopies::add(std::string name, std::uint32_t of, std::uint32_t parent)
{
    const std::uint32_t owner = scene::file_node(context_.scene, of);
    scene::Node& node = context_.scene.nodes.emplace_back();
    node.name = std::move(name);
    node.parent = parent;
    node.helper_of = owner;
    return static_cast<std::uint32_t>(context_.scene.nodes.size() - 1);
}

void NodeCopies::note(std::uint32_t of, std::uint32_t node, scene::Path path, bool inverse)
{
    by_path_[static_cast<std::size_t>(path)].push_back({of, node, inverse});
}

std::uint32_t NodeCopies::copy(std::uint32_t of, std::uint32_t parent)
{
    const std::uint32_t node = add(std::string(context_.scene.nodes[of].name), of, parent);
    context_.scene.nodes[node].local = context_.scene.nodes[of].local;
    context_.scene.nodes[node].matrix = context_.scene.nodes[of].matrix;
    for (const auto path : {scene::Path::translation, scene::Path::rotation, scene::Path::scale})
        note(of, node, path, false);
    return node;
}

std::uint32_t NodeCopies::undo(std::uint32_t of, std::uint32_t parent)
{
    const std::string name = context_.scene.nodes[of].name + ".undone";
    const std::uint32_t scale = add(name, of, parent), rotation = add(name, of, scale),
                        translation = add(name, of, rotation);
    auto& nodes = context_.scene.nodes;
    const scene::Trs& original = nodes[of].local;
    nodes[scale].local.scale = inverse(original.scale);
    nodes[rotation].local.rotation = glm::conjugate(original.rotation);
    nodes[translation].local.translation = -original.translation;
    note(of, scale, scene::Path::scale, true);
    note(of, rotation, scene::Path::rotation, true);
    note(of, translation, scene::Path::translation, true);
    return translation;
}

LoadResult<void> NodeCopies::copy_channel(scene::Clip& clip, std::size_t index)
{
    const auto path = static_cast<std::size_t>(clip.channels[index].path);
    if (path >= std::size(by_path_)) return {};
    const auto copies = std::ranges::equal_range(by_path_[path], clip.channels[index].node, {}, &Copy::of);
    for (const Copy& copy : copies) {
        key_values_ += clip.channels[index].values.size();
        if (key_values_ > context_.limits.key_values)
            return io::limit_exceeded_error(clip.name, "the numbers of all keys", "key_values",
                                            context_.limits.key_values);
        scene::Channel channel = clip.channels[index];
        channel.node = copy.node;
        if (copy.inverse) invert(channel);
        clip.channels.push_back(std::move(channel));
    }
    return {};
}

LoadResult<void> NodeCopies::copy_channels()
{
    if (context_.scene.nodes.size() == originals_) return {};
    for (auto& copies : by_path_)
        std::ranges::sort(copies, {}, [](const Copy& copy) { return std::pair(copy.of, copy.node); });
    for (const scene::Clip& clip : context_.scene.clips)
        for (const scene::Channel& channel : clip.channels)
            key_values_ += channel.values.size();
    for (scene::Clip& clip : context_.scene.clips) {
        const std::size_t stored = clip.channels.size();
        for (std::size_t i = 0; i < stored; ++i)
            if (auto copied = copy_channel(clip, i); !copied) return copied;
    }
    return {};
}

} // namespace vitrine::fbx
