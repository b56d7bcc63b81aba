#include "vk_renderer/mesh/back_to_back_quads.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "vk_renderer/mesh/vertex_signature.hpp"

namespace vitrine::render {
namespace {

constexpr std::ptrdiff_t max_triangles_per_edge = 4; // two per side
// Cosine between the normals of the halves; a larger angle is not a quad.
constexpr float min_normal_cosine = 0.5f;

struct Edge {
    std::uint64_t key = 0; // hash of both ends, independent of their order
    std::uint64_t from = 0, to = 0;
    std::uint64_t opposite = 0; // the third corner of the triangle
    std::uint32_t triangle = 0;
};

// Two triangles that share an edge in opposite directions and have similar normals.
struct Quad {
    std::uint64_t key = 0; // hash of both diagonals, independent of the split
    std::uint64_t cut = 0;
    bool reversed = false; // winding: after the lowest corner the next one is higher than the previous one
    std::array<std::uint32_t, 2> halves{};
};

std::uint64_t mix_unordered(std::uint64_t a, std::uint64_t b)
{
    return mix(std::min(a, b), std::max(a, b));
}

std::vector<Edge> edges_of(const scene::Mesh& mesh, std::span<const std::uint64_t> signature,
                           std::span<const std::uint32_t> triangles)
{
    std::vector<Edge> edges;
    edges.reserve(triangles.size() * 3);
    for (const auto at : triangles) {
        for (std::uint32_t k = 0; k < 3; ++k) {
            const auto of = [&](std::uint32_t corner) { return signature[mesh.indices[at + corner % 3]]; };
            edges.push_back({mix_unordered(of(k), of(k + 1)), of(k), of(k + 1), of(k + 2), at});
        }
    }
    std::ranges::sort(edges, {}, &Edge::key);
    return edges;
}

Quad join(const Edge& one, const Edge& other)
{
    // The corners in order, beginning at one end of the diagonal.
    const std::array corners{one.from, other.opposite, one.to, one.opposite};
    const auto lowest =
        static_cast<std::size_t>(std::distance(corners.begin(), std::ranges::min_element(corners)));
    const auto other_diagonal = mix_unordered(one.opposite, other.opposite);
    return {.key = mix_unordered(one.key, other_diagonal),
            .cut = one.key,
            .reversed = corners[(lowest + 1) % 4] > corners[(lowest + 3) % 4],
            .halves = {one.triangle, other.triangle}};
}

bool is_flat(const scene::Mesh& mesh, std::uint32_t one, std::uint32_t other)
{
    const auto normal = [&](std::uint32_t at) {
        const auto p = [&](std::uint32_t corner) { return mesh.positions[mesh.indices[at + corner]]; };
        const auto cross = glm::cross(p(1) - p(0), p(2) - p(0));
        const float length = glm::length(cross);
        return length > 0.0f ? cross / length : glm::vec3(0.0f);
    };
    return glm::dot(normal(one), normal(other)) > min_normal_cosine;
}

std::vector<Quad> quads_of(const scene::Mesh& mesh, std::span<const Edge> edges)
{
    std::vector<Quad> quads;
    for (auto edge = edges.begin(); edge != edges.end();) {
        const auto end = std::find_if(edge, edges.end(), [&](const Edge& e) { return e.key != edge->key; });
        if (std::distance(edge, end) <= max_triangles_per_edge)
            for (auto one = edge; one != end; ++one)
                for (auto other = std::next(one); other != end; ++other)
                    if (one->from == other->to && one->opposite != other->opposite &&
                        is_flat(mesh, one->triangle, other->triangle))
                        quads.push_back(join(*one, *other));
        edge = end;
    }
    std::ranges::sort(quads, {}, &Quad::key);
    return quads;
}

} // namespace

std::vector<std::uint32_t> back_to_back_quads(const scene::Mesh& mesh,
                                              std::span<const std::uint64_t> signature,
                                              std::span<const std::uint32_t> triangles)
{
    const auto quads = quads_of(mesh, edges_of(mesh, signature, triangles));
    std::vector<std::uint32_t> back_to_back;
    for (auto quad = quads.begin(); quad != quads.end();) {
        const auto& first = *quad;
        const auto end =
            std::find_if(quad, quads.end(), [&](const Quad& other) { return other.key != first.key; });
        const bool both = std::any_of(quad, end, [&](const Quad& other) {
            return other.cut != first.cut && other.reversed != first.reversed;
        });
        for (; quad != end; ++quad)
            if (both) back_to_back.insert(back_to_back.end(), quad->halves.begin(), quad->halves.end());
    }
    return back_to_back;
}

} // namespace vitrine::render
