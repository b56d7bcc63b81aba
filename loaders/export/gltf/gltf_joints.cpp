#include "loaders/export/gltf/gltf_joints.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "loaders/scene/bounds/bounds.hpp"

namespace vitrine::exporting {

namespace {

using scene::none;

// Position error relative to the mesh's size above which a vertex gets corners.
constexpr double min_visible_offset = 2e-5;
// glTF's joint indices have 16 bits.
constexpr std::size_t max_joints = 65536;

constexpr std::array<std::array<float, 3>, 4> tetrahedron{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};

glm::vec3 direction(std::size_t index)
{
    return {tetrahedron[index][0], tetrahedron[index][1], tetrahedron[index][2]};
}

float total_weight(const scene::Influences& influences, std::size_t vertex)
{
    float total = 0.0f;
    for (auto i = influences.first[vertex]; i < influences.first[vertex + 1]; ++i)
        total += influences.weights[i];
    return total;
}

double size_of(const scene::Mesh& mesh)
{
    scene::Aabb box;
    for (const auto& position : mesh.positions)
        box.add(position);
    return glm::length(glm::dvec3(box.size()));
}

// Returns the offset of an influence's own position from the vertex's. Weights printed with few digits do not
// sum to exactly 1; glTF's do, so the position must compensate.
glm::dvec3 offset_of(const scene::Mesh& mesh, std::size_t influence, std::size_t vertex, double total)
{
    return glm::dvec3(mesh.influences.positions[influence]) * total - glm::dvec3(mesh.positions[vertex]);
}

// Collects the weights of one vertex at a time, reusing memory.
class Collector {
public:
    Collector(const scene::Mesh& mesh, const GltfJoints& joints)
        : mesh_(mesh), joints_(joints), place_of_(max_joints)
    {
    }

    // Not yet normalized.
    std::vector<JointWeight>& gather(std::size_t vertex)
    {
        vertex_ = vertex;
        total_ = double{total_weight(mesh_.influences, vertex)};
        out_.clear();
        for (auto i = mesh_.influences.first[vertex]; i < mesh_.influences.first[vertex + 1]; ++i)
            add(i);
        return out_;
    }

private:
    void add(std::size_t influence)
    {
        const auto& influences = mesh_.influences;
        const auto joint = influences.joints[influence];
        const float weight = influences.weights[influence];
        const auto& corners = joints_.corners;
        if (!corners.vertices.empty() && corners.vertices[vertex_] && corners.joints[joint])
            return add_corners(joint, weight, offset_of(mesh_, influence, vertex_, total_));
        add(joint, weight);
    }

    // A point d of the tetrahedron is the sum of its corners D c_i with weights 1/4 + d . c_i / (4 D).
    void add_corners(std::uint16_t joint, float weight, const glm::dvec3& offset)
    {
        for (std::size_t i = 0; i < 4; ++i) {
            const double along = glm::dot(offset, glm::dvec3(direction(i)));
            const double corner_weight = 0.25 + along / (4.0 * joints_.corners.reach);
            add(static_cast<std::uint16_t>(joints_.first_corner[joint] + i),
                static_cast<float>(double{weight} * std::max(corner_weight, 0.0)));
        }
    }

    void add(std::uint16_t joint, float weight)
    {
        if (!(weight > 0.0f)) return;
        auto& place = place_of_[joint];
        if (place < out_.size() && out_[place].first == joint) {
            out_[place].second += weight;
        } else {
            place = static_cast<std::uint32_t>(out_.size());
            out_.emplace_back(joint, weight);
        }
    }

    const scene::Mesh& mesh_;
    const GltfJoints& joints_;
    std::size_t vertex_ = 0;
    double total_ = 0.0;
    std::vector<JointWeight> out_;
    std::vector<std::uint32_t> place_of_; // by joint: its index in out_, if present
};

void normalize(std::vector<JointWeight>& weights, InfluenceLosses& losses)
{
    double sum = 0.0;
    for (const auto& [joint, weight] : weights)
        sum += double{weight};
    losses.not_normalized = losses.not_normalized || std::abs(sum - 1.0) > 1e-3;
    for (auto& [joint, weight] : weights)
        weight = static_cast<float>(double{weight} / sum);
    // A weight below the smallest float is zero.
    std::erase_if(weights, [](const JointWeight& entry) { return !(entry.second > 0.0f); });
    std::ranges::sort(weights, {}, [](const JointWeight& w) { return std::pair(-w.second, w.first); });
}

} // namespace

glm::vec3 corner(const JointCorners& corners, std::size_t index)
{
    return static_cast<float>(corners.reach) * direction(index);
}

JointCorners find_corners(const scene::Mesh& mesh)
{
    const auto& influences = mesh.influences;
    JointCorners out;
    if (influences.positions.empty()) return out;
    out.vertices.assign(mesh.positions.size(), false);
    const double limit = min_visible_offset * size_of(mesh);
    double max_distance = 0.0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const double total = double{total_weight(influences, v)};
        double weighted_distance = 0.0, farthest = 0.0;
        for (auto i = influences.first[v]; i < influences.first[v + 1]; ++i) {
            const double distance = glm::length(offset_of(mesh, i, v, total));
            weighted_distance += std::abs(double{influences.weights[i]}) * distance;
            farthest = std::max(farthest, distance);
        }
        if (weighted_distance <= limit) continue;
        out.vertices[v] = true;
        max_distance = std::max(max_distance, farthest);
        for (auto i = influences.first[v]; i < influences.first[v + 1]; ++i) {
            const std::size_t joint = influences.joints[i];
            if (joint >= out.joints.size()) out.joints.resize(joint + 1, false);
            out.joints[joint] = true;
        }
    }
    out.reach = 1.001 * std::sqrt(3.0) * max_distance;
    return out;
}

// The other corners follow from the first; the mesh determines which joints have any.
InfluenceLayout layout_of(const GltfJoints& joints)
{
    return {joints.follow, joints.corners.vertices.empty() ? none : joints.count};
}

JointWeights joint_weights(const scene::Mesh& mesh, const GltfJoints& joints, InfluenceLosses& losses)
{
    const bool can_follow = joints.follow < max_joints; // false for none
    const JointWeight loose{can_follow ? static_cast<std::uint16_t>(joints.follow) : std::uint16_t{0}, 1.0f};
    losses.negative =
        losses.negative || std::ranges::any_of(mesh.influences.weights, [](float w) { return w < 0.0f; });
    Collector collector(mesh, joints);
    JointWeights out;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        auto& weights = collector.gather(v);
        if (!weights.empty()) normalize(weights, losses);
        if (weights.empty()) weights.push_back(loose);
        out.list.insert(out.list.end(), weights.begin(), weights.end());
        out.first.push_back(out.list.size());
        out.sets = std::max(out.sets, (weights.size() + 3) / 4);
    }
    return out;
}

InfluenceAttributes influence_set(const JointWeights& weights, std::size_t set)
{
    const std::size_t n = weights.first.size() - 1;
    InfluenceAttributes out{std::vector(n, glm::u16vec4(0)), std::vector(n, glm::vec4(0.0f))};
    for (std::size_t v = 0; v < n; ++v) {
        const std::size_t begin = weights.first[v] + 4 * set, end = std::min(begin + 4, weights.first[v + 1]);
        for (std::size_t i = begin; i < end; ++i) {
            out.joints[v][static_cast<int>(i - begin)] = weights.list[i].first;
            out.weights[v][static_cast<int>(i - begin)] = weights.list[i].second;
        }
    }
    return out;
}

bool has_unskinned_vertices(const scene::Mesh& mesh)
{
    for (std::size_t v = 0; v + 1 < mesh.influences.first.size(); ++v)
        if (total_weight(mesh.influences, v) <= 0.0f) return true;
    return false;
}

} // namespace vitrine::exporting
