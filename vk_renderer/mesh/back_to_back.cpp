#include "vk_renderer/mesh/back_to_back.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "loaders/scene/geometry/backface_culling.hpp"
#include "vk_renderer/mesh/back_to_back_quads.hpp"
#include "vk_renderer/mesh/vertex_signature.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t many_indices = 1u << 16;
constexpr std::size_t max_quad_candidates = 1u << 20; // limit of the search for quads: about 200 MB

struct Face {
    std::uint64_t corners = 0; // hash of the three corners, independent of their order
    std::uint32_t at = 0;      // in mesh.indices
    bool reversed = false;     // winding relative to ascending signatures
};

// A Bloom filter with one bit per number: finds all numbers that were added, and a few others.
class Bits {
public:
    explicit Bits(std::size_t numbers) : words_(numbers / 2 + 1, 0) {}

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
            const auto of = [&](std::uint32_t corner) { return signature[mesh.indices[at + corner]]; };
            const std::array s{of(0), of(1), of(2)};
            if (s[0] == s[1] || s[1] == s[2] || s[2] == s[0]) continue; // degenerate
            const int inversions = (s[0] > s[1] ? 1 : 0) + (s[1] > s[2] ? 1 : 0) + (s[0] > s[2] ? 1 : 0);
            visit(Face{mix(s[0] + s[1] + s[2], s[0] ^ s[1] ^ s[2]), at, inversions % 2 == 1});
        }
    }
}

// Returns the faces whose corners another face has too, and a few false positives. Most meshes have no such
// faces, and sorting all of a million would take ten times as long as this search.
std::vector<Face> repeated_faces(const scene::Mesh& mesh, std::span<const std::uint64_t> signature)
{
    Bits seen(mesh.indices.size() / 3);
    std::vector<std::uint64_t> repeated;
    for_each_face(mesh, signature, [&](const Face& face) {
        if (seen.has(face.corners)) repeated.push_back(face.corners);
        seen.add(face.corners);
    });
    if (repeated.empty()) return {};
    Bits repeated_bits(repeated.size());
    for (const auto corners : repeated)
        repeated_bits.add(corners);
    std::vector<Face> faces;
    for_each_face(mesh, signature, [&](const Face& face) {
        if (repeated_bits.has(face.corners)) faces.push_back(face);
    });
    std::ranges::sort(faces, {}, &Face::corners);
    return faces;
}

std::vector<std::uint32_t> twins(std::span<const Face> faces)
{
    std::vector<std::uint32_t> back_to_back;
    for (auto face = faces.begin(); face != faces.end();) {
        const auto& first = *face;
        const auto end = std::find_if(face, faces.end(),
                                      [&](const Face& other) { return other.corners != first.corners; });
        const bool both =
            std::any_of(face, end, [&](const Face& other) { return other.reversed != first.reversed; });
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
    const std::uint64_t sample_mask = mesh.indices.size() < many_indices ? 0 : 15;
    Bits seen(mesh.indices.size() / (sample_mask + 1));
    std::size_t edges = 0, matched = 0;
    for_each_face(mesh, signature, [&](const Face& face) {
        const auto vertex = [&](std::uint32_t corner) { return mesh.indices[face.at + corner % 3]; };
        const auto p = [&](std::uint32_t corner) { return mesh.positions[vertex(corner)]; };
        for (std::uint32_t k = 0; k < 3; ++k) {
            const auto from = signature[vertex(k)], to = signature[vertex(k + 1)];
            if (((from ^ to) & sample_mask) != 0) continue;
            const auto normal = glm::cross(p(1) - p(0), p(2) - p(0));
            const auto edge = mix(mix(std::min(from, to), std::max(from, to)),
                                  dominant_direction(from < to ? normal : -normal));
            if (seen.has(edge)) ++matched;
            seen.add(edge);
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
    for_each_face(mesh, signature, [&](const Face& face) {
        if (!std::ranges::binary_search(back_to_back, face.at)) others.push_back(face.at);
    });
    return others;
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
