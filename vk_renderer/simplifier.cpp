#include "vk_renderer/simplifier.hpp"

#include <algorithm>
#include <cmath>

#include <meshoptimizer.h>

namespace vitrine::render {
namespace {

constexpr std::size_t small_part = 3 * 64; // indices; of a screw nothing would be left
// Of a part's extent: how far its surface may move before its topology is given up instead.
constexpr float most_error = 0.05f;
constexpr std::size_t most_folded = 5; // one triangle in so many

} // namespace

void Simplifier::add(std::span<const std::uint32_t> triangles, double share, std::vector<std::uint32_t>& out)
{
    if (mesh_.influences.first.empty())
        add_part(triangles, share, 0, out);
    else
        add_by_joint(triangles, share, out);
}

// What is straight in the bind pose bends where one joint's part ends: those borders keep their vertices.
void Simplifier::add_by_joint(std::span<const std::uint32_t> indices, double share,
                              std::vector<std::uint32_t>& out)
{
    order_.clear();
    for (std::uint32_t i = 0; i + 3 <= indices.size(); i += 3)
        order_.emplace_back(joint_of(indices[i]), i);
    std::ranges::sort(order_);
    for (auto part = order_.begin(); part != order_.end();) {
        part_.clear();
        const auto joint = part->first;
        for (; part != order_.end() && part->first == joint; ++part)
            for (const auto vertex : indices.subspan(part->second, 3))
                part_.push_back(vertex);
        add_part(part_, share, meshopt_SimplifyLockBorder, out);
    }
}

// The one of the greatest weight.
std::uint32_t Simplifier::joint_of(std::uint32_t vertex) const
{
    const auto& influences = mesh_.influences;
    const auto first = influences.weights.begin() + influences.first[vertex];
    const auto end = influences.weights.begin() + influences.first[vertex + 1];
    if (first == end) return scene::none;
    return influences
        .joints[static_cast<std::size_t>(std::max_element(first, end) - influences.weights.begin())];
}

void Simplifier::add_part(std::span<const std::uint32_t> indices, double share, unsigned options,
                          std::vector<std::uint32_t>& out)
{
    const std::size_t triangles = indices.size() / 3;
    const auto wanted = static_cast<std::size_t>(std::ceil(static_cast<double>(triangles) * share));
    const auto target = std::max(3 * wanted, small_part);
    if (target >= indices.size()) {
        out.insert(out.end(), indices.begin(), indices.end());
        return;
    }
    gather(indices);
    for (const auto vertex : simplify(target, options))
        out.push_back(used_[vertex]);
    for (const auto vertex : used_)
        local_[vertex] = scene::none;
}

void Simplifier::gather(std::span<const std::uint32_t> indices)
{
    used_.clear();
    corners_.clear();
    positions_.clear();
    for (const auto vertex : indices) {
        if (local_[vertex] == scene::none) {
            local_[vertex] = static_cast<std::uint32_t>(used_.size());
            used_.push_back(vertex);
            positions_.push_back(mesh_.positions[vertex]);
        }
        corners_.push_back(local_[vertex]);
    }
}

// Seams of texture and normal hold edges in place. Where there is little else (each face with vertices of
// its own), or where shapes change freely, nearby vertices are merged evenly, whatever they belong to.
std::span<const std::uint32_t> Simplifier::simplify(std::size_t target, unsigned options)
{
    out_.resize(corners_.size());
    const auto* positions = &positions_.front().x;
    const bool free = !mesh_.morph_targets.empty() || mesh_.frames.count > 0;
    std::size_t count = corners_.size();
    if (!free)
        count = meshopt_simplify(out_.data(), corners_.data(), corners_.size(), positions, positions_.size(),
                                 sizeof(glm::vec3), target, most_error, options, nullptr);
    if (count > 2 * target)
        count = meshopt_simplifySloppy(out_.data(), corners_.data(), corners_.size(), positions,
                                       positions_.size(), sizeof(glm::vec3), target, 1.0f, nullptr);
    if (count == 0) return corners_;
    unfold(std::span(out_).first(count));
    return {out_.data(), count};
}

// Here and there a small triangle comes out folded over its neighbours. Seen from behind it would be
// shaded as the other side of the surface, a dark speck: it is turned round like most, if nearly all
// agree.
void Simplifier::unfold(std::span<std::uint32_t> triangles) const
{
    const auto count = triangles.size() / 3;
    std::size_t against = 0;
    for (std::size_t i = 0; i < triangles.size(); i += 3)
        against += faces_its_normals(triangles.subspan(i, 3)) ? 0 : 1;
    const bool most_face = against * 2 < count;
    if (std::min(against, count - against) > count / most_folded) return;
    for (std::size_t i = 0; i < triangles.size(); i += 3)
        if (faces_its_normals(triangles.subspan(i, 3)) != most_face)
            std::swap(triangles[i], triangles[i + 1]);
}

bool Simplifier::faces_its_normals(std::span<const std::uint32_t> t) const
{
    const auto face = glm::cross(positions_[t[1]] - positions_[t[0]], positions_[t[2]] - positions_[t[0]]);
    const auto& normals = mesh_.normals;
    return glm::dot(face, normals[used_[t[0]]] + normals[used_[t[1]]] + normals[used_[t[2]]]) >= 0.0f;
}

} // namespace vitrine::render
