#include "loaders/worker/scene_limits.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace vitrine::worker {
namespace {

template <class List, class Size>
std::uint64_t sum(const List& list, Size size)
{
    std::uint64_t total = 0;
    for (const auto& item : list)
        total += size(item);
    return total;
}

struct Use {
    std::string_view name;
    std::uint64_t used;
    std::uint64_t limit;
};

LoadResult<void> keep(std::initializer_list<Use> uses, std::string where = {})
{
    for (const auto& use : uses)
        if (use.used > use.limit)
            return fail(LoadErrc::limit_exceeded, std::move(where),
                        fmt::format("{} {}, the limit is {}", use.used, use.name, use.limit));
    return {};
}

std::uint64_t morph_deltas(const scene::Mesh& mesh)
{
    return sum(mesh.morph_targets, [](const auto& target) { return target.position_deltas.size(); });
}

std::uint64_t key_values(const scene::Clip& clip)
{
    return sum(clip.channels, [](const auto& channel) { return channel.values.size(); });
}

// Levels of the deepest node; parents stand before their children.
std::uint64_t depth(const std::vector<scene::Node>& nodes)
{
    std::vector<std::uint32_t> levels;
    std::uint32_t deepest = 0;
    for (const auto& node : nodes) {
        levels.push_back(node.parent == scene::none ? 1 : levels[node.parent] + 1);
        deepest = std::max(deepest, levels.back());
    }
    return deepest;
}

std::uint64_t pixels(const scene::Image& image)
{
    return std::uint64_t{image.width} * image.height;
}

} // namespace

LoadResult<void> keep_limits(const scene::Scene& scene, const Limits& limits)
{
    const auto& meshes = scene.meshes;
    auto whole = keep(
        {{"nodes", scene.nodes.size(), limits.nodes},
         {"depth", depth(scene.nodes), limits.depth},
         {"meshes", meshes.size(), limits.meshes},
         {"materials", scene.materials.size(), limits.materials},
         {"images", scene.images.size(), limits.images},
         {"clips", scene.clips.size(), limits.clips},
         {"vertices", sum(meshes, [](const auto& mesh) { return mesh.positions.size(); }), limits.vertices},
         {"indices", sum(meshes, [](const auto& mesh) { return mesh.indices.size(); }), limits.indices},
         {"influences", sum(meshes, [](const auto& mesh) { return mesh.influences.joints.size(); }),
          limits.influences},
         {"morph_deltas", sum(meshes, morph_deltas), limits.morph_deltas},
         {"key_values", sum(scene.clips, key_values), limits.key_values},
         {"total_pixels", sum(scene.images, pixels), limits.total_pixels}});
    if (!whole) return whole;
    for (std::size_t i = 0; i < scene.skins.size(); ++i)
        if (auto kept =
                keep({{"joints", scene.skins[i].joints.size(), limits.joints}}, fmt::format("/skins/{}", i));
            !kept)
            return kept;
    for (std::size_t i = 0; i < scene.images.size(); ++i)
        if (auto kept = keep({{"image_pixels", pixels(scene.images[i]), limits.image_pixels}},
                             fmt::format("/images/{}", i));
            !kept)
            return kept;
    return {};
}

} // namespace vitrine::worker
