#include "loaders/worker/child/scene_limits.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "loaders/io/limits.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/validation/name_limits.hpp"

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

// Description of what a limit counts.
std::string_view words_of(std::string_view limit)
{
    const auto all = io::named_limits();
    const auto found = std::ranges::find(all, limit, &io::NamedLimit::name);
    return found == all.end() ? limit : found->what;
}

struct LimitUse {
    std::string_view name;
    std::uint64_t used;
    std::uint64_t limit;
};

LoadResult<void> check(std::initializer_list<LimitUse> uses, std::string where = {})
{
    for (const auto& use : uses)
        if (use.used > use.limit)
            return io::limit_exceeded_error(
                std::move(where), fmt::format("{} {}", use.used, words_of(use.name)), use.name, use.limit);
    return {};
}

// Sum over the meshes that nodes draw in some level of detail, once per node: a small file can draw one a
// million times.
template <class Size>
std::uint64_t drawn(const scene::Scene& scene, Size size)
{
    return sum(scene.nodes, [&](const scene::Node& node) {
        const bool is_drawn = node.visible || node.levels.first > 0;
        return is_drawn && node.mesh != scene::none ? size(scene.meshes[node.mesh]) : 0;
    });
}

std::uint64_t morph_deltas(const scene::Mesh& mesh)
{
    return sum(mesh.morph_targets, [](const auto& target) { return target.position_deltas.size(); });
}

std::uint64_t key_values(const scene::Clip& clip)
{
    return sum(clip.channels, [](const auto& channel) { return channel.values.size(); });
}

// Levels of the deepest node; parents precede their children.
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

LoadResult<void> check_depth(const std::vector<scene::Node>& nodes, const Limits& limits)
{
    const std::uint64_t levels = depth(nodes);
    if (levels / io::node_depth_factor <= limits.depth) return {};
    return io::limit_exceeded_error(
        {}, fmt::format("{} levels of nodes, of which {} count as one", levels, io::node_depth_factor),
        "depth", limits.depth);
}

std::uint64_t pixels(const scene::Image& image)
{
    return std::uint64_t{image.width} * image.height;
}

// Even primitives without triangles have a cost per draw.
LoadResult<void> check_drawn_primitives(const scene::Scene& scene, const Limits& limits)
{
    const std::uint64_t count = drawn(scene, [](const auto& mesh) { return mesh.primitives.size(); });
    if (count <= limits.drawn_vertices) return {};
    return io::limit_exceeded_error(
        {}, fmt::format("{} primitives (times the nodes that draw them, counted as one vertex each)", count),
        "drawn_vertices", limits.drawn_vertices);
}

// Checks the limits for single skins, images and clips.
LoadResult<void> check_each(const scene::Scene& scene, const Limits& limits)
{
    for (std::size_t i = 0; i < scene.skins.size(); ++i)
        if (auto checked =
                check({{"joints", scene.skins[i].joints.size(), limits.joints}}, fmt::format("/skins/{}", i));
            !checked)
            return checked;
    for (std::size_t i = 0; i < scene.images.size(); ++i)
        if (auto checked = check({{"image_pixels", pixels(scene.images[i]), limits.image_pixels}},
                                 fmt::format("/images/{}", i));
            !checked)
            return checked;
    return {};
}

bool leaves_range(const scene::Clip& clip)
{
    return std::ranges::any_of(clip.channels, [](const scene::Channel& channel) {
        const std::size_t stride = channel.times.empty() ? 0 : channel.values.size() / channel.times.size();
        const bool cubic = channel.interpolation == scene::Interpolation::cubic; // in, value, out
        const std::size_t first = cubic ? stride / 3 : 0, count = cubic ? stride / 3 : stride;
        for (std::size_t key = 0; key < channel.times.size(); ++key)
            for (std::size_t i = first; i < first + count; ++i)
                if (std::abs(channel.values[key * stride + i]) > scene::max_coordinate) return true;
        return false;
    });
}

// Counts frames as everywhere: one at 0, the last one not after the end.
void end_at(scene::Clip& clip, double seconds)
{
    clip.duration = seconds;
    if (clip.frames == 0) return;
    const double frames = std::floor(seconds * clip.frame_rate) + 1.0;
    clip.frames = static_cast<std::uint32_t>(std::min(frames, 4294967295.0));
    clip.declared_boxes.resize(std::min<std::size_t>(clip.declared_boxes.size(), clip.frames));
}

} // namespace

void trim_names(scene::Scene& scene)
{
    const auto cut = scene::truncate_names(scene);
    if (cut.count == 0) return;
    const auto words = cut.count == 1 ? std::string("a name is") : fmt::format("{} names are", cut.count);
    scene.warnings.push_back({"name_cut",
                              fmt::format("{} longer than {} bytes; truncated", words, scene::max_name_bytes),
                              cut.first});
}

void trim_clips(scene::Scene& scene, const Limits& limits)
{
    io::WarningLog warnings;
    const auto where = [&](const scene::Clip& clip) {
        return clip.name.empty() ? fmt::format("/clips/{}", &clip - scene.clips.data()) : clip.name;
    };
    std::erase_if(scene.clips, [&](const scene::Clip& clip) {
        if (!leaves_range(clip)) return false;
        warnings.add("clip_out_of_range", "the clip has keys beyond 1e15; the clip is ignored", where(clip));
        return true;
    });
    for (auto& clip : scene.clips) {
        if (!(clip.duration > limits.clip_seconds)) continue;
        warnings.add("clip_cut",
                     fmt::format("the clip lasts {:g} s and is cut at the limit clip_seconds = {}",
                                 clip.duration, limits.clip_seconds),
                     where(clip));
        end_at(clip, limits.clip_seconds);
    }
    for (auto& warning : warnings.take())
        scene.warnings.push_back(std::move(warning));
}

LoadResult<void> check_scene_limits(const scene::Scene& scene, const Limits& limits)
{
    const auto& meshes = scene.meshes;
    if (auto checked = check_depth(scene.nodes, limits); !checked) return checked;
    auto totals = check(
        {{"nodes", scene.nodes.size(), limits.nodes},
         {"meshes", meshes.size(), limits.meshes},
         {"materials", scene.materials.size(), limits.materials},
         {"images", scene.images.size(), limits.images},
         {"clips", scene.clips.size(), limits.clips},
         {"vertices", sum(meshes, scene::shaded_vertices), limits.vertices},
         {"indices", sum(meshes, [](const auto& mesh) { return mesh.indices.size(); }), limits.indices},
         {"skin_joints", sum(scene.skins, [](const auto& skin) { return skin.joints.size(); }),
          limits.skin_joints},
         {"influences", sum(meshes, [](const auto& mesh) { return mesh.influences.joints.size(); }),
          limits.influences},
         {"drawn_vertices", drawn(scene, scene::shaded_vertices), limits.drawn_vertices},
         {"drawn_influences", drawn(scene, [](const auto& mesh) { return mesh.influences.joints.size(); }),
          limits.drawn_influences},
         {"morph_deltas", sum(meshes, morph_deltas), limits.morph_deltas},
         {"key_values", sum(scene.clips, key_values), limits.key_values},
         {"total_pixels", sum(scene.images, pixels), limits.total_pixels}});
    if (!totals) return totals;
    if (auto checked = check_drawn_primitives(scene, limits); !checked) return checked;
    return check_each(scene, limits);
}

} // namespace vitrine::worker
