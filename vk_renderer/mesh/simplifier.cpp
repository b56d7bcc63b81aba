#include "vk_renderer/mesh/simplifier.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include <meshoptimizer.h>

#include "loaders/base/unit_vector.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "vk_renderer/mesh/vertex_signature.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t min_simplified_triangles = 64; // fewer would not preserve the shape of a small part
// Relative to the extent: beyond this error the topology is simplified instead.
constexpr float max_relative_error = 0.05f;
constexpr std::size_t max_overshoot = 3;       // times the target triangle count
constexpr std::size_t max_flipped_divisor = 5; // one triangle in this many

std::size_t target_count_of(std::size_t triangles, double fraction)
{
    const auto target_count = static_cast<std::size_t>(std::ceil(static_cast<double>(triangles) * fraction));
    return std::max(target_count, min_simplified_triangles);
}

// Surfaces that are flat in the bind pose but not when deformed must not be treated as flat: morph targets
// contribute with different weights, and of vertex frames the middle one contributes half.
std::vector<glm::vec3> representative_shape(const scene::Mesh& mesh)
{
    std::vector<glm::vec3> shape(mesh.positions.begin(), mesh.positions.end());
    const std::size_t middle = mesh.frames.count / 2 * shape.size();
    for (std::size_t v = 0; mesh.frames.count > 0 && v < shape.size(); ++v)
        shape[v] = 0.5f * (shape[v] + mesh.frames.positions[middle + v]);
    for (std::size_t t = 0; t < mesh.morph_targets.size(); ++t) {
        const auto& target = mesh.morph_targets[t];
        const float part = 0.3f + 0.4f * static_cast<float>(t * 5 % 8) / 7.0f;
        for (std::size_t i = 0; i < target.vertices.size(); ++i)
            shape[target.vertices[i]] += part * target.position_deltas[i];
    }
    return shape;
}

// Normals by vertex, or none unless the mesh is flat: the mean of the triangles' normals by area, in double
// precision, because areas of a tiny or huge mesh are beyond single precision.
std::vector<glm::vec3> mean_normals(const scene::Mesh& mesh)
{
    if (!scene::is_flat(mesh)) return {};
    std::vector<glm::dvec3> sums(mesh.positions.size(), glm::dvec3(0.0));
    for (std::size_t i = 0; i + 3 <= mesh.indices.size(); i += 3) {
        const auto t = std::span(mesh.indices).subspan(i, 3);
        const glm::dvec3 a(mesh.positions[t[0]]), b(mesh.positions[t[1]]), c(mesh.positions[t[2]]);
        for (const auto vertex : t)
            sums[vertex] += glm::cross(b - a, c - a);
    }
    std::vector<glm::vec3> normals;
    normals.reserve(sums.size());
    for (const auto& sum : sums)
        normals.emplace_back(unit_or(sum, glm::dvec3(0.0)));
    return normals;
}

} // namespace

Simplifier::Simplifier(const scene::Mesh& mesh)
    : mesh_(mesh), mean_normals_(mean_normals(mesh)),
      normals_(mean_normals_.empty() ? std::span<const glm::vec3>(mesh.normals) : mean_normals_),
      signatures_(signatures(mesh)), shape_(representative_shape(mesh)),
      local_(mesh.positions.size(), scene::none)
{
}

std::vector<Simplifier::Patch> Simplifier::simplify(std::span<const Patch> patches, double fraction)
{
    gather(patches);
    const std::size_t triangles = patch_.size(), target_count = target_count_of(triangles, fraction);
    if (target_count >= triangles) return {patches.begin(), patches.end()};
    for (const bool with_texture : {true, false}) {
        if (!with_texture && mesh_.uv0.empty()) break;
        const Weld points = weld(keys(with_texture));
        const auto found = collapse(points, target_count);
        if (!found.empty() && found.size() <= 3 * target_count * max_overshoot)
            return assign_to_patches(points, found, patches.size());
    }
    std::vector<Patch> merged;
    for (const Patch& patch : patches)
        merged.push_back(merge(patch, fraction));
    return merged;
}

void Simplifier::gather(std::span<const Patch> patches)
{
    vertices_.clear();
    patch_.clear();
    for (std::uint32_t patch = 0; patch < patches.size(); ++patch) {
        vertices_.insert(vertices_.end(), patches[patch].begin(), patches[patch].end());
        patch_.insert(patch_.end(), patches[patch].size() / 3, patch);
    }
    std::size_t facing = 0;
    for (std::size_t i = 0; i < vertices_.size(); i += 3)
        facing += agrees_with_normals(std::span(vertices_).subspan(i, 3)) ? 1 : 0;
    winding_sign_ = 2 * facing >= patch_.size() ? 1.0f : -1.0f;
}

// Returns the joint of the greatest total weight at the corners; none for a triangle without joints.
std::uint32_t Simplifier::joint_of(std::span<const std::uint32_t> triangle) const
{
    const auto& influences = mesh_.influences;
    if (influences.first.empty()) return scene::none;
    std::array<std::pair<std::uint32_t, float>, 12> sums; // of four influences per corner; more are ignored
    std::size_t count = 0;
    std::uint32_t best = scene::none;
    float max_weight = 0.0f;
    for (const auto vertex : triangle)
        for (auto i = influences.first[vertex]; i < influences.first[vertex + 1]; ++i) {
            const std::uint32_t joint = influences.joints[i];
            const auto end = sums.begin() + static_cast<std::ptrdiff_t>(count);
            auto entry = std::find_if(sums.begin(), end, [&](const auto& sum) { return sum.first == joint; });
            if (entry == sums.end()) continue;
            if (entry == end) {
                *entry = {joint, 0.0f};
                ++count;
            }
            entry->second += influences.weights[i];
            if (entry->second <= max_weight) continue;
            max_weight = entry->second;
            best = joint;
        }
    return best;
}

// Keys by corner. Normals are ignored, so that faces with separate vertices are connected. A change of the
// dominant joint counts as an edge, because the surface bends there.
std::vector<std::uint64_t> Simplifier::keys(bool with_texture) const
{
    std::vector<std::uint64_t> keys(vertices_.size());
    std::uint32_t joint = scene::none;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto vertex = vertices_[i];
        if (i % 3 == 0) joint = joint_of(std::span(vertices_).subspan(i, 3));
        keys[i] = mix(signatures_[vertex], std::uint64_t{patch_[i / 3]} << 32 | joint);
        if (!with_texture || mesh_.uv0.empty()) continue;
        const auto uv = mesh_.uv0[vertex] + 0.0f; // -0 is 0
        keys[i] = mix(keys[i], std::uint64_t{std::bit_cast<std::uint32_t>(uv.x)} << 32 |
                                   std::bit_cast<std::uint32_t>(uv.y));
    }
    return keys;
}

// Returns triangles of welded points.
std::vector<std::uint32_t> Simplifier::collapse(const Weld& points, std::size_t target) const
{
    std::vector<glm::vec3> positions(points.size());
    for (std::size_t p = 0; p < positions.size(); ++p)
        positions[p] = shape_[vertices_[points.corners[points.first[p]]]];
    std::vector<std::uint32_t> out(points.points.size());
    out.resize(meshopt_simplify(out.data(), points.points.data(), points.points.size(), &positions.front().x,
                                positions.size(), sizeof(glm::vec3), 3 * target, max_relative_error, 0,
                                nullptr));
    return out;
}

// Converts points back to vertices and assigns each triangle to the patch of its points.
std::vector<Simplifier::Patch> Simplifier::assign_to_patches(const Weld& points,
                                                             std::span<const std::uint32_t> triangles,
                                                             std::size_t patches) const
{
    std::vector<Patch> out(patches);
    const auto first_vertex = [&](std::uint32_t point) {
        return vertices_[points.corners[points.first[point]]];
    };
    for (std::size_t i = 0; i < triangles.size(); i += 3) {
        const auto t = triangles.subspan(i, 3);
        const std::uint32_t any[] = {first_vertex(t[0]), first_vertex(t[1]), first_vertex(t[2])};
        const auto face = face_normal(any) * winding_sign_;
        const float length = glm::length(face);
        const auto normal = length > 0.0f ? face / length : glm::vec3(0.0f);
        const auto a = vertex_for(points, t[0], normal, {});
        auto& patch = out[patch_[points.corners[points.first[t[0]]] / 3]];
        patch.insert(patch.end(),
                     {a, vertex_for(points, t[1], normal, a), vertex_for(points, t[2], normal, a)});
    }
    for (Patch& patch : out)
        fix_flipped(patch);
    return out;
}

// Of the vertices at a point, returns the one whose normal is nearest to the face's and whose texture
// coordinates are close to those of vertex `neighbor`.
std::uint32_t Simplifier::vertex_for(const Weld& points, std::uint32_t point, const glm::vec3& normal,
                                     std::optional<std::uint32_t> neighbor) const
{
    std::uint32_t best = scene::none;
    float best_score = 0.0f;
    for (auto at = points.first[point]; at < points.first[point + 1]; ++at) {
        const auto vertex = vertices_[points.corners[at]];
        float score = glm::dot(normals_[vertex], normal);
        if (neighbor && !mesh_.uv0.empty())
            score -= std::min(glm::distance(mesh_.uv0[vertex], mesh_.uv0[*neighbor]), 2.0f);
        if (best != scene::none && !(score > best_score)) continue;
        best = vertex;
        best_score = score;
    }
    return best;
}

// Clusters nearby vertices evenly, regardless of topology.
Simplifier::Patch Simplifier::merge(const Patch& patch, double fraction)
{
    const std::size_t target = 3 * target_count_of(patch.size() / 3, fraction);
    if (target >= patch.size()) return patch;
    std::vector<std::uint32_t> used, corners;
    std::vector<glm::vec3> positions;
    for (const auto vertex : patch) {
        if (local_[vertex] == scene::none) {
            local_[vertex] = static_cast<std::uint32_t>(used.size());
            used.push_back(vertex);
            positions.push_back(mesh_.positions[vertex]);
        }
        corners.push_back(local_[vertex]);
    }
    for (const auto vertex : used)
        local_[vertex] = scene::none;
    Patch out(patch.size());
    out.resize(meshopt_simplifySloppy(out.data(), corners.data(), corners.size(), &positions.front().x,
                                      positions.size(), sizeof(glm::vec3), target, 1.0f, nullptr));
    if (out.empty()) return patch;
    for (auto& vertex : out)
        vertex = used[vertex];
    fix_flipped(out);
    return out;
}

// Simplification occasionally folds a small triangle over its neighbors. Seen from behind it would be shaded
// as the other side of the surface (a dark speck), so its winding is reversed if nearly all others agree.
void Simplifier::fix_flipped(std::span<std::uint32_t> triangles) const
{
    const auto count = triangles.size() / 3;
    std::size_t against = 0;
    for (std::size_t i = 0; i < triangles.size(); i += 3)
        against += agrees_with_normals(triangles.subspan(i, 3)) ? 0 : 1;
    const bool majority_agrees = against * 2 < count;
    if (std::min(against, count - against) > count / max_flipped_divisor) return;
    for (std::size_t i = 0; i < triangles.size(); i += 3)
        if (agrees_with_normals(triangles.subspan(i, 3)) != majority_agrees)
            std::swap(triangles[i], triangles[i + 1]);
}

glm::vec3 Simplifier::face_normal(std::span<const std::uint32_t> t) const
{
    const auto& p = mesh_.positions;
    return glm::cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]);
}

bool Simplifier::agrees_with_normals(std::span<const std::uint32_t> t) const
{
    return glm::dot(face_normal(t), normals_[t[0]] + normals_[t[1]] + normals_[t[2]]) >= 0.0f;
}

} // namespace vitrine::render
