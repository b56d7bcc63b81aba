#include "vk_renderer/mesh/lod.hpp"

#include <algorithm>
#include <span>

#include "loaders/scene/motion/pose.hpp"
#include "vk_renderer/mesh/back_to_back.hpp"
#include "vk_renderer/mesh/simplifier.hpp"
#include "vk_renderer/mesh/split_sides.hpp"

namespace vitrine::render {
namespace {

constexpr std::uint64_t min_triangles = 5'000; // with fewer, single triangles become visible

std::uint64_t triangles_of(const scene::Mesh& mesh)
{
    std::uint64_t sum = 0;
    for (const auto& primitive : mesh.primitives)
        if (primitive.topology == scene::Topology::triangles) sum += primitive.count / 3;
    return sum;
}

// Builds the index lists of one mesh.
class LodBuilder {
public:
    LodBuilder(const scene::Scene& scene, std::uint32_t mesh)
        : mesh_(scene.meshes[mesh]), draws_apart_(shows_backs(scene, mesh_))
    {
        const auto back_to_back = back_to_back_triangles(mesh_);
        for (const auto& primitive : mesh_.primitives)
            part(primitive, back_to_back);
    }

    // The single faces and one side of the back-to-back faces share edges, and so do the single faces and the
    // other side.
    void simplify(double fraction)
    {
        Simplifier simplifier(mesh_);
        auto first_side = simplifier.simplify(first_side_, fraction);
        auto second_side = simplifier.simplify(second_side_, fraction);
        first_side_ = std::move(first_side);
        second_side_ = std::move(second_side);
    }

    LodIndices::PrimitiveRanges write(std::size_t number, std::vector<std::uint32_t>& out) const
    {
        const auto& primitive = mesh_.primitives[number];
        const bool is_surface = primitive.topology == scene::Topology::triangles;
        const auto single = is_surface ? std::span(first_side_[2 * number])
                                       : std::span(mesh_.indices).subspan(primitive.first, primitive.count);
        const auto first = static_cast<std::uint32_t>(out.size());
        out.insert(out.end(), single.begin(), single.end());
        const auto middle = static_cast<std::uint32_t>(out.size());
        for (const auto* side : {&first_side_[2 * number + 1], &second_side_[number]})
            out.insert(out.end(), side->begin(), side->end());
        const auto end = static_cast<std::uint32_t>(out.size());
        if (!draws_apart_) return {{first, end - first}, {}};
        return {{first, middle - first}, {middle, end - middle}};
    }

private:
    void part(const scene::Primitive& primitive, std::span<const std::uint32_t> back_to_back)
    {
        Simplifier::Patch single, twice;
        const auto end = primitive.topology == scene::Topology::triangles ? primitive.first + primitive.count
                                                                          : primitive.first;
        auto next = std::ranges::lower_bound(back_to_back, primitive.first);
        for (auto at = primitive.first; at + 3 <= end; at += 3) {
            const bool is_back_to_back = next != back_to_back.end() && *next == at;
            if (is_back_to_back) ++next;
            for (const auto vertex : std::span(mesh_.indices).subspan(at, 3))
                (is_back_to_back ? twice : single).push_back(vertex);
        }
        auto sides = split_sides(mesh_, twice);
        first_side_.push_back(std::move(single));
        first_side_.push_back(std::move(sides.one));
        second_side_.push_back(std::move(sides.other));
    }

    const scene::Mesh& mesh_;
    bool draws_apart_; // see DrawItem::back_to_back
    // Two per primitive: single faces, and one side of the back-to-back faces.
    std::vector<Simplifier::Patch> first_side_;
    std::vector<Simplifier::Patch> second_side_; // one per primitive: the other side
};

std::uint64_t triangles_of(const scene::Scene& scene)
{
    std::uint64_t sum = 0;
    for (const auto& instance : scene::find_instances(scene))
        sum += triangles_of(scene.meshes[instance.mesh]);
    return sum;
}

} // namespace

std::uint64_t lod_triangle_count(const scene::Scene& scene)
{
    return std::clamp(triangles_of(scene) / 4, min_triangles, max_lod_triangles);
}

std::shared_ptr<const LodIndices> build_lod(const scene::Scene& scene, std::uint64_t triangles,
                                            double min_reduction)
{
    const std::uint64_t total = triangles_of(scene);
    std::vector<bool> drawn(scene.meshes.size(), false);
    for (const auto& instance : scene::find_instances(scene))
        drawn[instance.mesh] = true;
    if (static_cast<double>(total) < min_reduction * static_cast<double>(triangles)) return nullptr;
    const double fraction = static_cast<double>(triangles) / static_cast<double>(total);
    auto lod = std::make_shared<LodIndices>();
    lod->primitives.resize(scene.meshes.size());
    for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
        if (!drawn[m]) continue;
        LodBuilder lod_builder(scene, static_cast<std::uint32_t>(m));
        lod_builder.simplify(fraction);
        for (std::size_t p = 0; p < scene.meshes[m].primitives.size(); ++p)
            lod->primitives[m].push_back(lod_builder.write(p, lod->indices));
    }
    return lod;
}

} // namespace vitrine::render
