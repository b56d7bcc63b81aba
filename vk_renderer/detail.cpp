#include "vk_renderer/detail.hpp"

#include <algorithm>
#include <span>

#include "loaders/scene/pose.hpp"
#include "vk_renderer/scene/doubled.hpp"
#include "vk_renderer/scene/sides.hpp"
#include "vk_renderer/simplifier.hpp"

namespace vitrine::render {
namespace {

constexpr std::uint64_t worth_it = 3;            // times the triangles that are wanted
constexpr std::uint64_t least_triangles = 5'000; // of fewer a person would see every one

std::uint64_t triangles_of(const scene::Mesh& mesh)
{
    std::uint64_t sum = 0;
    for (const auto& primitive : mesh.primitives)
        if (primitive.topology == scene::Topology::triangles) sum += primitive.count / 3;
    return sum;
}

// A mesh's index lists, one after the other, coarse.
class Coarsener {
public:
    Coarsener(const scene::Scene& scene, std::uint32_t mesh, double share, std::vector<std::uint32_t>& out)
        : mesh_(scene.meshes[mesh]), simplifier_(mesh_), share_(share), out_(out),
          doubled_(doubled_triangles(mesh_)), draws_apart_(shows_backs(scene, mesh_))
    {
    }

    CoarseScene::Runs add(const scene::Primitive& primitive)
    {
        const auto indices = std::span(mesh_.indices).subspan(primitive.first, primitive.count);
        if (primitive.topology != scene::Topology::triangles)
            return {run_of([&] { out_.insert(out_.end(), indices.begin(), indices.end()); }), {}};
        const auto from = std::ranges::lower_bound(doubled_, primitive.first);
        const auto end = std::lower_bound(from, doubled_.end(), primitive.first + primitive.count);
        if (from == end) return {run_of([&] { simplifier_.add(indices, share_, out_); }), {}};
        const auto [single, doubled] = parted(primitive, {from, end});
        const auto add_single = [&] { simplifier_.add(single, share_, out_); };
        // Together a side would get vertices, and so normals, of the other.
        const auto add_doubled = [&, sides = split_sides(mesh_, doubled)] {
            simplifier_.add(sides.one, share_, out_);
            simplifier_.add(sides.other, share_, out_);
        };
        if (draws_apart_) return {run_of(add_single), run_of(add_doubled)};
        return {run_of([&] { add_single(), add_doubled(); }), {}};
    }

private:
    struct Parts {
        std::vector<std::uint32_t> single, doubled;
    };

    Parts parted(const scene::Primitive& primitive, std::span<const std::uint32_t> doubled) const
    {
        Parts parts;
        auto next = doubled.begin();
        for (auto at = primitive.first; at + 3 <= primitive.first + primitive.count; at += 3) {
            const bool is_doubled = next != doubled.end() && *next == at;
            if (is_doubled) ++next;
            auto& part = is_doubled ? parts.doubled : parts.single;
            for (const auto vertex : std::span(mesh_.indices).subspan(at, 3))
                part.push_back(vertex);
        }
        return parts;
    }

    CoarseScene::Run run_of(const auto& write)
    {
        const auto first = static_cast<std::uint32_t>(out_.size());
        write();
        return {first, static_cast<std::uint32_t>(out_.size()) - first};
    }

    const scene::Mesh& mesh_;
    Simplifier simplifier_;
    double share_;
    std::vector<std::uint32_t>& out_;
    std::vector<std::uint32_t> doubled_;
    bool draws_apart_; // see DrawItem::doubled
};

std::uint64_t triangles_of(const scene::Scene& scene)
{
    std::uint64_t sum = 0;
    for (const auto& instance : scene::find_instances(scene))
        sum += triangles_of(scene.meshes[instance.mesh]);
    return sum;
}

} // namespace

std::uint64_t coarse_triangles_of(const scene::Scene& scene)
{
    return std::clamp(triangles_of(scene) / 4, least_triangles, coarse_triangles);
}

std::shared_ptr<const CoarseScene> coarsen(const scene::Scene& scene, std::uint64_t triangles)
{
    const std::uint64_t all = triangles_of(scene);
    std::vector<bool> drawn(scene.meshes.size(), false);
    for (const auto& instance : scene::find_instances(scene))
        drawn[instance.mesh] = true;
    if (all < worth_it * triangles) return nullptr;
    const double share = static_cast<double>(triangles) / static_cast<double>(all);
    auto coarse = std::make_shared<CoarseScene>();
    coarse->primitives.resize(scene.meshes.size());
    for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
        if (!drawn[m]) continue;
        Coarsener coarsener(scene, static_cast<std::uint32_t>(m), share, coarse->indices);
        for (const auto& primitive : scene.meshes[m].primitives)
            coarse->primitives[m].push_back(coarsener.add(primitive));
    }
    return coarse;
}

} // namespace vitrine::render
