#include "loaders/scene/bounds/joint_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "loaders/scene/arrays/arrays.hpp"

namespace vitrine::scene {
namespace {

// Fraction of the largest summand by which a transformed box is enlarged: 32 ulps of single precision.
constexpr float rounding_margin = 0x1p-18f;
// A vertex whose sum of weights differs from 1 by at most this is inside the scaled union of its joints'
// boxes.
constexpr double weight_sum_tolerance = 1e-3;

// The box of the displacements that morph targets can add to each vertex: the sum of each target's extremes.
std::vector<Aabb> morph_boxes(const Mesh& mesh, std::span<const WeightRange> ranges)
{
    if (mesh.morph_targets.empty()) return {};
    std::vector<Aabb> boxes(mesh.positions.size(), Aabb{glm::vec3(0.0f), glm::vec3(0.0f)});
    for (std::size_t t = 0; t < ranges.size(); ++t) {
        const MorphTarget& target = mesh.morph_targets[t];
        for (std::size_t i = 0; i < target.vertices.size(); ++i) {
            const glm::vec3 a = target.position_deltas[i] * ranges[t].low;
            const glm::vec3 b = target.position_deltas[i] * ranges[t].high;
            boxes[target.vertices[i]].min += glm::min(a, b);
            boxes[target.vertices[i]].max += glm::max(a, b);
        }
    }
    return boxes;
}

// All positions that a vertex can have before skinning.
std::vector<Aabb> shape_boxes(const Mesh& mesh)
{
    std::vector<Aabb> boxes(mesh.positions.size());
    const std::size_t n = mesh.positions.size();
    for (std::size_t f = 0; f < mesh.frames.count; ++f) {
        for (std::size_t v = 0; v < n; ++v)
            boxes[v].add(mesh.frames.positions[f * n + v]);
    }
    for (std::size_t v = 0; v < n && mesh.frames.count == 0; ++v)
        boxes[v].add(mesh.positions[v]);
    return boxes;
}

Aabb sum(const Aabb& a, const Aabb& b)
{
    return {a.min + b.min, a.max + b.max};
}

// Extends the box of each joint by the points of its vertices; that of the node, the last, by the others.
void add_joint_points(const Influences& influences, const VertexRange& range,
                      std::span<const glm::vec3> positions, std::span<Aabb> boxes)
{
    for (std::size_t v = range.first; v < range.end; ++v) {
        const std::size_t end = influences.first[v + 1];
        if (influences.first[v] == end) boxes.back().add(positions[v]);
        for (std::size_t i = influences.first[v]; i < end; ++i) {
            if (influences.weights[i] != 0.0f) boxes[influences.joints[i]].add(positions[v]);
        }
    }
}

class BoxBuilder {
public:
    BoxBuilder(const Scene& scene, JointBoxes& out) : scene_(scene), out_(out) {}

    void add(const Instance& instance, std::span<const WeightRange> ranges)
    {
        const Mesh& mesh = scene_.meshes[instance.mesh];
        JointBoxes::Remainder rest;
        if (mesh.frames.count == 0 && mesh.morph_targets.empty() && mesh.influences.positions.empty())
            add_points(instance, mesh, rest);
        else
            add_boxes(instance, mesh, ranges, rest);
        out_.remainders.push_back(std::move(rest));
    }

private:
    static bool is_skinned(const Instance& instance, const Mesh& mesh)
    {
        return instance.skin != none && !mesh.influences.first.empty();
    }

    Aabb& node_box(const Instance& instance)
    {
        return out_.boxes[instance.first_palette + instance.palette_count - 1];
    }

    // For meshes whose vertices have one position before skinning.
    void add_points(const Instance& instance, const Mesh& mesh, JointBoxes::Remainder& rest)
    {
        const auto boxes = std::span(out_.boxes).subspan(instance.first_palette, instance.palette_count);
        for (const VertexRange& range : used_vertices(mesh)) {
            if (!is_skinned(instance, mesh)) {
                const auto points = std::span(mesh.positions).subspan(range.first, range.end - range.first);
                scene::add_points(points, boxes.back().min, boxes.back().max);
                continue;
            }
            add_joint_points(mesh.influences, range, mesh.positions, boxes);
            for (std::uint32_t v = range.first; v < range.end; ++v)
                add_weights(instance, mesh.influences, v, rest);
        }
    }

    void add_boxes(const Instance& instance, const Mesh& mesh, std::span<const WeightRange> ranges,
                   JointBoxes::Remainder& rest)
    {
        const std::vector<Aabb> shapes = shape_boxes(mesh);
        const std::vector<Aabb> morphs = morph_boxes(mesh, ranges);
        for (const VertexRange& range : used_vertices(mesh)) {
            for (std::uint32_t v = range.first; v < range.end; ++v)
                add_vertex(instance, mesh, v, shapes[v], morphs.empty() ? nullptr : &morphs[v], rest);
        }
    }

    void add_vertex(const Instance& instance, const Mesh& mesh, std::uint32_t v, const Aabb& shape,
                    const Aabb* morph, JointBoxes::Remainder& rest)
    {
        const Influences& influences = mesh.influences;
        const Aabb box = morph ? sum(shape, *morph) : shape;
        if (!is_skinned(instance, mesh) || influences.first[v] == influences.first[v + 1])
            return node_box(instance).add(box);
        add_weights(instance, influences, v, rest);
        for (std::size_t i = influences.first[v]; i < influences.first[v + 1]; ++i) {
            Aabb vertex_box = box;
            if (!influences.positions.empty()) {
                const Aabb moved{shape.min - mesh.positions[v], shape.max - mesh.positions[v]};
                vertex_box = sum({influences.positions[i], influences.positions[i]},
                                 morph ? sum(moved, *morph) : moved);
            }
            if (influences.weights[i] != 0.0f)
                out_.boxes[instance.first_palette + influences.joints[i]].add(vertex_box);
        }
    }

    // Dual quaternions move a vertex on an arc between the positions for its joints, outside their convex
    // hull.
    bool leaves_convex_hull(const Instance& instance, const Influences& influences, std::uint32_t v,
                            std::span<const float> weights) const
    {
        return dual_quaternion_weight(influences, scene_.skins[instance.skin].method, v) > 0.0 &&
               std::ranges::count_if(weights, [](float w) { return w != 0.0f; }) > 1;
    }

    // sum w_i p_i with w_i >= 0 and sum w_i = s is in s times the convex hull of the p_i: for s near 1 the
    // union is scaled; everything else is evaluated exactly.
    void add_weights(const Instance& instance, const Influences& influences, std::uint32_t v,
                     JointBoxes::Remainder& rest) const
    {
        const std::size_t first = influences.first[v], end = influences.first[v + 1];
        if (first == end) return;
        const auto weights = std::span(influences.weights).subspan(first, end - first);
        bool outside = leaves_convex_hull(instance, influences, v, weights);
        double total = 0.0;
        for (const float w : weights) {
            total += double{w};
            outside = outside || w < 0.0f;
        }
        if (outside || !(std::abs(total - 1.0) <= weight_sum_tolerance)) return rest.vertices.push_back(v);
        rest.min_sum = std::min(rest.min_sum, static_cast<float>(total));
        rest.max_sum = std::max(rest.max_sum, static_cast<float>(total));
    }

    const Scene& scene_;
    JointBoxes& out_;
};

} // namespace

Aabb transform_box(const PaletteEntry& entry, const Aabb& box)
{
    Aabb out;
    if (box.empty()) return out;
    const glm::vec3 size = glm::max(glm::abs(box.min), glm::abs(box.max));
    for (int i = 0; i < 3; ++i) {
        const glm::vec3 row(entry.row[i]);
        const glm::vec3 a = row * box.min;
        const glm::vec3 b = row * box.max;
        const glm::vec3 low = glm::min(a, b);
        const glm::vec3 high = glm::max(a, b);
        const float margin = rounding_margin * (glm::dot(glm::abs(row), size) + std::abs(entry.row[i].w));
        out.min[i] = low.x + low.y + low.z + entry.row[i].w - margin;
        out.max[i] = high.x + high.y + high.z + entry.row[i].w + margin;
    }
    return out;
}

JointBoxes joint_boxes(const Scene& scene)
{
    JointBoxes out;
    out.instances = find_instances(scene);
    out.boxes.resize(palette_size(out.instances));
    Pose rest;
    static_pose(scene, rest);
    const std::vector<WeightRange> ranges = weight_ranges(scene, rest);
    BoxBuilder builder(scene, out);
    for (const Instance& instance : out.instances) {
        const std::uint32_t first = rest.first_weight[instance.node];
        builder.add(instance, std::span(ranges).subspan(first, rest.first_weight[instance.node + 1] - first));
    }
    return out;
}

std::vector<Aabb> joint_bounds(const Scene& scene, const JointBoxes& boxes, const Pose& pose)
{
    std::vector<PaletteEntry> palette(boxes.boxes.size());
    joint_palette(scene, boxes.instances, pose, palette);
    std::vector<Aabb> out(boxes.boxes.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = transform_box(palette[i], boxes.boxes[i]);
    return out;
}

namespace {

// The hull of s * box over s in [min_scale, max_scale].
Aabb scaled(const Aabb& box, float min_scale, float max_scale)
{
    Aabb out = box;
    if (box.empty()) return out;
    for (const float s : {min_scale, max_scale}) {
        out.add(box.min * s);
        out.add(box.max * s);
    }
    return out;
}

void add_remainder(const Scene& scene, const JointBoxes& boxes, std::size_t index, const Pose& pose,
                   std::span<const PaletteEntry> palette, Aabb& out)
{
    if (boxes.remainders[index].vertices.empty()) return;
    SkinnedMesh skinned;
    skin_positions(scene, boxes.instances[index], pose, palette, skinned);
    for (const std::uint32_t v : boxes.remainders[index].vertices) {
        const glm::vec3 margin = glm::abs(skinned.positions[v]) * rounding_margin;
        out.add(skinned.positions[v] - margin);
        out.add(skinned.positions[v] + margin);
    }
}

} // namespace

Aabb conservative_bounds(const Scene& scene, const JointBoxes& boxes, const Pose& pose)
{
    std::vector<PaletteEntry> palette(boxes.boxes.size());
    joint_palette(scene, boxes.instances, pose, palette);
    Aabb out;
    for (std::size_t i = 0; i < boxes.instances.size(); ++i) {
        const Instance& instance = boxes.instances[i];
        Aabb merged;
        for (std::uint32_t p = 0; p < instance.palette_count; ++p) {
            const std::uint32_t entry = instance.first_palette + p;
            merged.add(transform_box(palette[entry], boxes.boxes[entry]));
        }
        out.add(scaled(merged, boxes.remainders[i].min_sum, boxes.remainders[i].max_sum));
        add_remainder(scene, boxes, i, pose, palette, out);
    }
    return out;
}

} // namespace vitrine::scene
