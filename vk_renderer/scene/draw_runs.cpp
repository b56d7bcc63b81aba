#include "vk_renderer/scene/pack_steps.hpp"

#include <algorithm>

#include "vk_renderer/mesh/back_to_back.hpp"
#include "vk_renderer/mesh/mesh_islands.hpp"
#include "vk_renderer/textures/material_extensions.hpp"

namespace vitrine::render {
namespace {

// Limits of separately sorted islands per blended primitive and per scene; each is a draw.
constexpr std::size_t max_islands = 256, max_blended_draws = 2048;

} // namespace

DrawRuns::DrawRuns(const scene::Scene& scene, AlphaModes& alphas, PackedScene& out)
    : scene_(scene), alphas_(alphas), out_(out), runs_(scene.meshes.size())
{
}

const std::vector<std::vector<DrawRun>>& DrawRuns::find_or_build(std::uint32_t number)
{
    auto& runs = runs_[number];
    const auto& mesh = scene_.meshes[number];
    if (!runs.empty() || mesh.primitives.empty()) return runs;
    const auto first = static_cast<std::uint32_t>(out_.indices.size());
    out_.indices.insert(out_.indices.end(), mesh.indices.begin(), mesh.indices.end());
    std::vector<std::uint32_t> back_to_back;
    if (shows_backs(scene_, mesh)) back_to_back = back_to_back_triangles(mesh);
    for (std::uint32_t p = 0; p < mesh.primitives.size(); ++p)
        runs.push_back(runs_of(number, p, first, back_to_back));
    return runs;
}

// `first`: where the mesh's indices begin in out_.indices. Back-to-back triangles are last.
std::vector<DrawRun> DrawRuns::runs_of(std::uint32_t number, std::uint32_t p, std::uint32_t first,
                                       std::span<const std::uint32_t> back_to_back)
{
    std::vector<DrawRun> runs;
    const auto& mesh = scene_.meshes[number];
    const auto& primitive = mesh.primitives[p];
    const bool blended = is_blended(number, p);
    const auto single = put_back_to_back_last(primitive, first, back_to_back);
    first += primitive.first;
    add(mesh, blended, {{first, single}, false}, runs);
    add(mesh, blended, {{first + single, primitive.count - single}, true}, runs);
    return runs;
}

// Returns how many indices of the primitive are not of back-to-back triangles.
std::uint32_t DrawRuns::put_back_to_back_last(const scene::Primitive& primitive, std::uint32_t first,
                                              std::span<const std::uint32_t> back_to_back)
{
    const auto last = primitive.first + primitive.count;
    const auto from = std::ranges::lower_bound(back_to_back, primitive.first);
    const std::span twins(from, std::ranges::lower_bound(from, back_to_back.end(), last));
    if (twins.empty()) return primitive.count;
    const auto indices = std::span(out_.indices).subspan(first + primitive.first, primitive.count);
    const std::vector<std::uint32_t> original(indices.begin(), indices.end());
    const auto single = static_cast<std::uint32_t>(primitive.count - 3 * twins.size());
    std::uint32_t to[2] = {0, single};
    for (std::uint32_t at = 0; at + 3 <= primitive.count; at += 3) {
        auto& next = to[std::ranges::binary_search(twins, primitive.first + at) ? 1 : 0];
        std::ranges::copy(std::span(original).subspan(at, 3), indices.begin() + next);
        next += 3;
    }
    return single;
}

bool DrawRuns::is_blended(std::uint32_t number, std::uint32_t p)
{
    const auto& primitive = scene_.meshes[number].primitives[p];
    return primitive.topology == scene::Topology::triangles && primitive.material != scene::none &&
           (alphas_.of(number, p) == scene::AlphaMode::blend ||
            transmits(scene_.materials[primitive.material]));
}

void DrawRuns::add(const scene::Mesh& mesh, bool blended, const DrawRun& all, std::vector<DrawRun>& runs)
{
    if (all.indices.count == 0) return;
    if (!blended || islands_ + max_islands > max_blended_draws) {
        runs.push_back(all);
        return;
    }
    const auto triangles = std::span(out_.indices).subspan(all.indices.first, all.indices.count);
    auto first = all.indices.first;
    for (const auto count : group_islands(mesh, triangles, max_islands)) {
        runs.push_back({{first, count}, all.back_to_back});
        first += count;
        ++islands_;
    }
}

} // namespace vitrine::render
