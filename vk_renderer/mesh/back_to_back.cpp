#include "vk_renderer/mesh/back_to_back.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

#include "loaders/scene/geometry/backface_culling.hpp"
#include "vk_renderer/mesh/vertex_signature.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t min_indices_for_sampling = 1u << 16;
constexpr std::size_t max_quad_candidates = 1u << 20; // limit of the search for quads: about 200 MB

struct HashedFace {
    std::uint64_t corners = 0; // hash of the three corners, independent of their order
    std::uint32_t at = 0;      // in mesh.indices
    bool reversed = false;     // winding relative to ascending signatures
};

// A Bloom filter with one bit per number: finds all numbers that were added, and a few others.
class BloomFilter {
public:
    explicit BloomFilter(std::size_t numbers) : words_(numbers / 2 + 1, 0) {}

    bool has(std::uint64_t number) const { return (words_[word_of(number)] & bit_of(number)) != 0; }
    void add(std::uint64_t number) { words_[word_of(number)] |= bit_of(number); }

private:
    std::size_t word_of(std::uint64_t number) const { return (number >> 32) * words_.size() >> 32; }
    static std::uint64_t bit_of(std::uint64_t number) { return std::uint64_t{1} << (number & 63); }

    std::vector<std::uint64_t> words_; // fewer than 2^31
};

template <typename Visit>
void for_each_face(const scene::Mesh& mesh, std::span<const std::uint64_t> signature, Visit visit)
{
    for (const auto& primitive : mesh.primitives) {
        if (primitive.topology != scene::Topology::triangles) continue;
        for (auto at = primitive.first; at + 3 <= primitive.first + primitive.count; at += 3) {
            const auto signature_of = [&](std::uint32_t corner) {
                return signature[mesh.indices[at + corner]];
            };
            const std::array s{signature_of(0), signature_of(1), signature_of(2)};
            if (s[0] == s[1] || s[1] == s[2] || s[2] == s[0]) continue; // degenerate
            const int inversions = (s[0] > s[1] ? 1 : 0) + (s[1] > s[2] ? 1 : 0) + (s[0] > s[2] ? 1 : 0);
            visit(HashedFace{mix(s[0] + s[1] + s[2], s[0] ^ s[1] ^ s[2]), at, inversions % 2 == 1});
        }
    }
}

// Returns the faces whose corners another face has too, and a few false positives. Most meshes have no such
// faces, and sorting all of a million would take ten times as long as this search.
std::vector<HashedFace> repeated_faces(const scene::Mesh& mesh, std::span<const std::uint64_t> signature)
{
    BloomFilter visited(mesh.indices.size() / 3);
    std::vector<std::uint64_t> repeated;
    for_each_face(mesh, signature, [&](const HashedFace& face) {
        if (visited.has(face.corners)) repeated.push_back(face.corners);
        visited.add(face.corners);
    });
    if (repeated.empty()) return {};
    BloomFilter repeated_bits(repeated.size());
    for (const auto corners : repeated)
        repeated_bits.add(corners);
    std::vector<HashedFace> faces;
    for_each_face(mesh, signature, [&](const HashedFace& face) {
        if (repeated_bits.has(face.corners)) faces.push_back(face);
    });
    std::ranges::sort(faces, {}, &HashedFace::corners);
    return faces;
}

std::vector<std::uint32_t> twins(std::span<const HashedFace> faces)
{
    std::vector<std::uint32_t> back_to_back;
    for (auto face = faces.begin(); face != faces.end();) {
        const auto& first = *face;
        const auto end = std::find_if(
            face, faces.end(), [&](const HashedFace& other) { return other.corners != first.corners; });
        const bool both =
            std::any_of(face, end, [&](const HashedFace& other) { return other.reversed != first.reversed; });
        for (; face != end; ++face)
            if (both) back_to_back.push_back(face->at);
    }
    std::ranges::sort(back_to_back);
    return back_to_back;
}

// Returns the direction of the normal as one of six axis directions.
std::uint32_t dominant_direction(const glm::vec3& normal)
{
    glm::length_t axis = 0;
    for (glm::length_t k = 1; k < 3; ++k)
        if (std::abs(normal[k]) > std::abs(normal[axis])) axis = k;
    return static_cast<std::uint32_t>(axis) * 2 + (normal[axis] > 0.0f ? 1 : 0);
}

// The opposite direction of an edge with the opposite normal belongs to the back of a face; with the same
// normal, to a neighbor.
bool is_mostly_two_sided(const scene::Mesh& mesh, std::span<const std::uint64_t> signature)
{
    // One edge of 16 is a sufficient sample.
    const std::uint64_t sample_mask = mesh.indices.size() < min_indices_for_sampling ? 0 : 15;
    BloomFilter visited(mesh.indices.size() / (sample_mask + 1));
    std::size_t edges = 0, matched = 0;
    for_each_face(mesh, signature, [&](const HashedFace& face) {
        const auto vertex = [&](std::uint32_t corner) { return mesh.indices[face.at + corner % 3]; };
        const auto p = [&](std::uint32_t corner) { return mesh.positions[vertex(corner)]; };
        for (std::uint32_t k = 0; k < 3; ++k) {
            const auto from = signature[vertex(k)], to = signature[vertex(k + 1)];
            if (((from ^ to) & sample_mask) != 0) continue;
            const auto normal = glm::cross(p(1) - p(0), p(2) - p(0));
            const auto edge = mix(mix(std::min(from, to), std::max(from, to)),
                                  dominant_direction(from < to ? normal : -normal));
            if (visited.has(edge)) ++matched;
            visited.add(edge);
            ++edges;
        }
    });
    // A third if the two sides of no quad are split alike: diagonals have no match.
    return matched > edges / 4;
}

// Ascending, like `back_to_back`.
std::vector<std::uint32_t> remaining_faces(std::span<const std::uint32_t> back_to_back,
                                           const scene::Mesh& mesh, std::span<const std::uint64_t> signature)
{
    std::vector<std::uint32_t> others;
    for_each_face(mesh, signature, [&](const HashedFace& face) {
        if (!std::ranges::binary_search(back_to_back, face.at)) others.push_back(face.at);
    });
    return others;
}

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
            const auto signature_of = [&](std::uint32_t corner) {
                return signature[mesh.indices[at + corner % 3]];
            };
            edges.push_back({mix_unordered(signature_of(k), signature_of(k + 1)), signature_of(k),
                             signature_of(k + 1), signature_of(k + 2), at});
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

// Returns which of `triangles` (positions in mesh.indices, each with three distinct points) are halves of
// quads that the mesh contains once per side, split into triangles along different diagonals; unordered.
// `signature`: the result of signatures(mesh). Edges shared by more than four of the triangles are ignored.
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

} // namespace

bool shows_backs(const scene::Scene& scene, const scene::Mesh& mesh)
{
    return std::ranges::any_of(mesh.primitives,
                               [&](const auto& p) { return !culls_back_faces(scene, p.material); });
}

std::vector<std::uint32_t> back_to_back_triangles(const scene::Mesh& mesh)
{
    const auto signature = signatures(mesh);
    auto back_to_back = twins(repeated_faces(mesh, signature));
    if (!is_mostly_two_sided(mesh, signature)) return back_to_back;
    const auto others = remaining_faces(back_to_back, mesh, signature);
    if (others.size() > max_quad_candidates) return back_to_back;
    const auto quads = back_to_back_quads(mesh, signature, others);
    back_to_back.insert(back_to_back.end(), quads.begin(), quads.end());
    std::ranges::sort(back_to_back);
    back_to_back.erase(std::ranges::unique(back_to_back).begin(), back_to_back.end());
    return back_to_back;
}

} // namespace vitrine::render
