#include "loaders/scene/bounds/clip_bounds.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "loaders/base/stop.hpp"
#include "loaders/scene/arrays/arrays.hpp"
#include "loaders/scene/bounds/joint_boxes.hpp"
#include "loaders/scene/motion/sample_poses.hpp"

namespace vitrine::scene {
namespace {

// Smaller clusters fit more tightly, but have more boxes to transform.
constexpr std::uint32_t cluster_vertices = 64;
// Every n-th pose first: the box then soon has nearly its final size.
constexpr std::size_t first_pass_stride = 8;

// Whether a vertex has one position before skinning.
bool has_fixed_shape(const Mesh& mesh)
{
    return mesh.frames.count == 0 && mesh.morph_targets.empty() && mesh.influences.positions.empty();
}

bool is_skinned(const Instance& instance, const Mesh& mesh)
{
    return instance.skin != none && !mesh.influences.first.empty();
}

Aabb infinite_box()
{
    constexpr float infinite = std::numeric_limits<float>::infinity();
    return {glm::vec3(-infinite), glm::vec3(infinite)};
}

Aabb translated(const Aabb& box, glm::dvec3 by)
{
    return {glm::vec3(glm::dvec3(box.min) + by), glm::vec3(glm::dvec3(box.max) + by)};
}

} // namespace

ClipBounds::ClipBounds(const Scene& scene, glm::dvec3 origin)
    : scene_(scene), boxes_(joint_boxes(scene)), origin_(origin), palette_(boxes_.boxes.size()),
      entry_outside_(boxes_.boxes.size())
{
    for (std::size_t i = 0; i < boxes_.instances.size(); ++i) {
        const auto first = static_cast<std::uint32_t>(clusters_.size());
        add_clusters(i);
        instances_.push_back({first, static_cast<std::uint32_t>(clusters_.size())});
    }
}

// A mesh that changes its shape before skinning is one cluster per range, with the boxes of the whole
// instance.
void ClipBounds::add_clusters(std::size_t index)
{
    const Instance& instance = boxes_.instances[index];
    const Mesh& mesh = scene_.meshes[instance.mesh];
    const auto& remainder = boxes_.remainders[index].vertices; // ascending
    const bool fixed = has_fixed_shape(mesh);
    std::vector<Aabb> boxes(fixed ? instance.palette_count : 0);
    for (const VertexRange& range : used_vertices(mesh)) {
        const auto step = fixed ? cluster_vertices : range.end - range.first;
        for (auto v = range.first; v < range.end; v += step) {
            Cluster cluster{.first_vertex = v, .end_vertex = std::min(v + step, range.end)};
            const auto outside = std::ranges::lower_bound(remainder, v);
            cluster.always_skinned = outside != remainder.end() && *outside < cluster.end_vertex;
            add_boxes(instance, cluster, boxes);
            clusters_.push_back(cluster);
        }
    }
}

void ClipBounds::add_boxes(const Instance& instance, Cluster& cluster, std::span<Aabb> boxes)
{
    const Mesh& mesh = scene_.meshes[instance.mesh];
    const Influences& influences = mesh.influences;
    cluster.first_box = static_cast<std::uint32_t>(cluster_boxes_.size());
    if (boxes.empty())
        boxes = std::span(boxes_.boxes).subspan(instance.first_palette, instance.palette_count);
    for (auto v = cluster.first_vertex; v < cluster.end_vertex && has_fixed_shape(mesh); ++v) {
        const bool skinned = is_skinned(instance, mesh) && influences.first[v] < influences.first[v + 1];
        if (!skinned) boxes.back().add(mesh.positions[v]);
        for (std::size_t i = skinned ? influences.first[v] : 0; skinned && i < influences.first[v + 1]; ++i)
            if (influences.weights[i] != 0.0f) boxes[influences.joints[i]].add(mesh.positions[v]);
    }
    for (std::uint32_t entry = 0; entry < boxes.size(); ++entry) {
        if (boxes[entry].empty()) continue;
        cluster_boxes_.push_back({instance.first_palette + entry, boxes[entry]});
        if (has_fixed_shape(mesh)) boxes[entry] = {};
    }
    cluster.end_box = static_cast<std::uint32_t>(cluster_boxes_.size());
}

// The hull of s * box over the sums s of weights.
Aabb ClipBounds::scaled(const Aabb& box, std::size_t instance) const
{
    Aabb out = box;
    if (box.empty()) return out;
    for (const float s : {boxes_.remainders[instance].min_sum, boxes_.remainders[instance].max_sum}) {
        out.add(box.min * s);
        out.add(box.max * s);
    }
    return out;
}

// Boxes with NaN are outside.
bool ClipBounds::is_outside(const Cluster& cluster, std::size_t instance, const Aabb& box) const
{
    if (cluster.always_skinned) return true;
    for (auto i = cluster.first_box; i < cluster.end_box; ++i) {
        const ClusterBox& moved = cluster_boxes_[i];
        if (entry_outside_[moved.entry] != 0 &&
            !box.contains(scaled(transform_box(palette_[moved.entry], moved.box), instance)))
            return true;
    }
    return false;
}

void ClipBounds::add_instance(std::size_t index, const Pose& pose, ClipBox& box)
{
    const Instance& instance = boxes_.instances[index];
    bool any_outside = !boxes_.remainders[index].vertices.empty();
    for (std::uint32_t p = 0; p < instance.palette_count; ++p) {
        const auto entry = instance.first_palette + p;
        const auto moved = scaled(transform_box(palette_[entry], boxes_.boxes[entry]), index);
        box.conservative.add(moved);
        entry_outside_[entry] = box.exact.contains(moved) ? 0 : 1;
        any_outside = any_outside || entry_outside_[entry] != 0;
    }
    if (!any_outside) return;
    std::optional<PositionSkinner> skinner;
    for (auto i = instances_[index].first; i < instances_[index].end; ++i) {
        const Cluster& cluster = clusters_[i];
        if (!is_outside(cluster, index, box.exact)) continue;
        if (!skinner) skinner.emplace(scene_, instance, pose, palette_, scratch_);
        positions_.resize(
            std::max<std::size_t>(positions_.size(), cluster.end_vertex - cluster.first_vertex));
        const auto positions = std::span(positions_).first(cluster.end_vertex - cluster.first_vertex);
        skinner->skin(cluster.first_vertex, positions);
        skinned_vertices_ += positions.size();
        Aabb found;
        if (!add_points(positions, found.min, found.max)) found = infinite_box();
        box.exact.add(found);
    }
}

void ClipBounds::add_pose(const Pose& pose, ClipBox& box)
{
    joint_palette(scene_, boxes_.instances, pose, palette_);
    for (std::size_t i = 0; i < boxes_.instances.size(); ++i) {
        check_stop();
        add_instance(i, pose, box);
    }
}

ClipBox ClipBounds::over(std::uint32_t clip, std::span<const double> times)
{
    ClipBox box;
    std::vector<double> ordered;
    ordered.reserve(times.size());
    for (std::size_t i = 0; i < times.size(); i += first_pass_stride)
        ordered.push_back(times[i]);
    for (std::size_t i = 0; i < times.size(); ++i)
        if (i % first_pass_stride != 0) ordered.push_back(times[i]);
    visit_poses(scene_, clip, ordered, origin_, [&](std::size_t, const Pose& pose) { add_pose(pose, box); });
    box.conservative.add(box.exact); // rounding differs between the boxes and the vertices
    return {translated(box.exact, origin_), translated(box.conservative, origin_)};
}

} // namespace vitrine::scene
