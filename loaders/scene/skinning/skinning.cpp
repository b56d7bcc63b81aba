#include "loaders/scene/skinning/skinning.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "loaders/scene/motion/dual_quaternion.hpp"
#include "loaders/scene/skinning/shape.hpp"

namespace vitrine::scene {
namespace {

// The blended linear part and translation of one vertex, in double so that the rounding of this reference is
// below that of the results compared with it.
struct BlendedTransform : BlendedMatrix {
    BlendedTransform() : BlendedMatrix{{glm::dvec4(0.0), glm::dvec4(0.0), glm::dvec4(0.0)}} {}

    void add(const PaletteEntry& entry, double weight)
    {
        for (int i = 0; i < 3; ++i)
            row[i] += glm::dvec4(entry.row[i]) * weight;
    }
    void mix(const BlendedMatrix& other, double weight)
    {
        for (int i = 0; i < 3; ++i)
            row[i] += (other.row[i] - row[i]) * weight;
    }
    glm::vec3 point(const glm::vec3& p) const
    {
        const glm::dvec4 v(p.x, p.y, p.z, 1.0);
        return glm::vec3(glm::dvec3(glm::dot(row[0], v), glm::dot(row[1], v), glm::dot(row[2], v)));
    }
    glm::vec3 normal(const glm::vec3& source) const;
    glm::vec4 tangent(const glm::vec4& source) const;
    bool mirrors() const;
};

// A sum of lengths that cannot overflow or underflow in intermediate results.
glm::vec3 unit_or(const glm::dvec3& v, const glm::vec3& otherwise)
{
    const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    if (!(largest > 0.0) || !std::isfinite(largest)) return otherwise;
    return glm::vec3(glm::normalize(v / largest));
}

// The inverse transpose is the cofactor matrix divided by the determinant, of which only the sign matters
// after normalization. The cofactors give the normal of the plane if one axis is scaled to zero; if they
// vanish as well, the matrix itself is used, and finally the source.
glm::vec3 BlendedTransform::normal(const glm::vec3& source) const
{
    const glm::dvec3 r0(row[0]), r1(row[1]), r2(row[2]), n(source);
    const double size = std::max({glm::length(r0), glm::length(r1), glm::length(r2)});
    const glm::vec3 fallback = unit_or(n, glm::vec3(0.0f));
    if (!(size > 0.0) || !std::isfinite(size)) return fallback;
    const glm::dvec3 a = r0 / size, b = r1 / size, c = r2 / size;
    const glm::dvec3 cofactors[3] = {glm::cross(b, c), glm::cross(c, a), glm::cross(a, b)};
    const double sign = glm::dot(a, cofactors[0]) < 0.0 ? -1.0 : 1.0;
    const glm::dvec3 moved(glm::dot(cofactors[0], n), glm::dot(cofactors[1], n), glm::dot(cofactors[2], n));
    if (glm::length(moved) > 1e-12 * glm::length(n)) return unit_or(moved * sign, fallback);
    return unit_or(glm::dvec3(glm::dot(a, n), glm::dot(b, n), glm::dot(c, n)), fallback);
}

bool BlendedTransform::mirrors() const
{
    const glm::dvec3 r0(row[0]), r1(row[1]), r2(row[2]);
    const double size = std::max({glm::length(r0), glm::length(r1), glm::length(r2)});
    return size > 0.0 && glm::dot(r0 / size, glm::cross(r1 / size, r2 / size)) < 0.0;
}

glm::vec4 BlendedTransform::tangent(const glm::vec4& source) const
{
    const glm::dvec3 t(source), moved(glm::dot(glm::dvec3(row[0]), t), glm::dot(glm::dvec3(row[1]), t),
                                      glm::dot(glm::dvec3(row[2]), t));
    return {unit_or(moved, unit_or(t, glm::vec3(0.0f))), mirrors() ? -source.w : source.w};
}

// Each influence has its own bind position; a morph target moves all of them equally.
glm::vec3 sum_of_positions(const Influences& influences, std::size_t vertex, const glm::vec3& morph,
                           std::span<const PaletteEntry> joints)
{
    glm::dvec3 sum(0.0);
    for (std::size_t i = influences.first[vertex]; i < influences.first[vertex + 1]; ++i) {
        const PaletteEntry& joint = joints[influences.joints[i]];
        const glm::dvec4 p(glm::dvec3(influences.positions[i]) + glm::dvec3(morph), 1.0);
        for (int r = 0; r < 3; ++r)
            sum[r] += double{influences.weights[i]} * glm::dot(glm::dvec4(joint.row[r]), p);
    }
    return glm::vec3(sum);
}

SkinningMethod method_of(const Scene& scene, const Instance& instance)
{
    return instance.skin == none ? SkinningMethod::linear : scene.skins[instance.skin].method;
}

void split_joints(SkinningMethod method, std::span<const PaletteEntry> joints, std::vector<RigidJoint>& rigid)
{
    if (method == SkinningMethod::linear) return;
    rigid.resize(joints.size());
    std::ranges::transform(joints, rigid.begin(), split);
}

// Skins single vertices. `rigid` comes from split_joints().
class VertexSkinner {
public:
    VertexSkinner(const Mesh& mesh, SkinningMethod method, std::span<const PaletteEntry> joints,
                  std::span<const RigidJoint> rigid)
        : mesh_(mesh), method_(method), joints_(joints), rigid_(rigid)
    {
    }

    // `shaped` is the position before skinning.
    glm::vec3 position(std::size_t v, const glm::vec3& shaped) const
    {
        return has_own_positions(v) ? own_position(v, shaped) : blend_of(v).point(shaped);
    }

    void move(std::size_t v, SkinnedMesh& out) const
    {
        const BlendedTransform blend = blend_of(v);
        glm::vec3& position = out.positions[v];
        position = has_own_positions(v) ? own_position(v, position) : blend.point(position);
        if (!out.normals.empty()) out.normals[v] = blend.normal(out.normals[v]);
        if (!out.tangents.empty()) out.tangents[v] = blend.tangent(out.tangents[v]);
    }

private:
    // Of the influences of the vertex.
    std::pair<std::size_t, std::size_t> range_of(std::size_t v) const
    {
        const auto& first = mesh_.influences.first;
        if (joints_.size() <= 1 || first.empty()) return {0, 0};
        return {first[v], first[v + 1]};
    }

    bool has_own_positions(std::size_t v) const
    {
        const auto [begin, end] = range_of(v);
        return begin != end && !mesh_.influences.positions.empty();
    }

    glm::vec3 own_position(std::size_t v, const glm::vec3& shaped) const
    {
        return sum_of_positions(mesh_.influences, v, shaped - mesh_.positions[v], joints_);
    }

    BlendedTransform blend_of(std::size_t v) const
    {
        const auto [begin, end] = range_of(v);
        const Influences& influences = mesh_.influences;
        BlendedTransform blend;
        if (begin == end) blend.add(joints_.back(), 1.0);
        for (std::size_t i = begin; i < end; ++i)
            blend.add(joints_[influences.joints[i]], double{influences.weights[i]});
        const double weight = begin == end ? 0.0 : dual_quaternion_weight(influences, method_, v);
        BlendedMatrix rigid;
        const std::size_t count = end - begin;
        if (weight > 0.0 &&
            blend_dual_quaternions(rigid_, std::span(influences.joints).subspan(begin, count),
                                   std::span(influences.weights).subspan(begin, count), rigid))
            blend.mix(rigid, weight);
        return blend;
    }

    const Mesh& mesh_;
    SkinningMethod method_;
    std::span<const PaletteEntry> joints_;
    std::span<const RigidJoint> rigid_;
};

std::span<const PaletteEntry> entries_of(const Instance& instance, std::span<const PaletteEntry> palette)
{
    return palette.subspan(instance.first_palette, instance.palette_count);
}

} // namespace

void skin_instance(const Scene& scene, const Instance& instance, const Pose& pose,
                   std::span<const PaletteEntry> palette, SkinnedMesh& out)
{
    skin_instance(scene, scene.meshes[instance.mesh], instance, pose, palette, out);
}

void skin_instance(const Scene& scene, const Mesh& mesh, const Instance& instance, const Pose& pose,
                   std::span<const PaletteEntry> palette, SkinnedMesh& out)
{
    const auto joints = entries_of(instance, palette);
    shape_vertices(mesh, instance, pose, out);
    split_joints(method_of(scene, instance), joints, out.rigid_joints);
    const VertexSkinner skinner(mesh, method_of(scene, instance), joints, out.rigid_joints);
    for (std::size_t v = 0; v < out.positions.size(); ++v)
        skinner.move(v, out);
}

void skin_positions(const Scene& scene, const Instance& instance, const Pose& pose,
                    std::span<const PaletteEntry> palette, SkinnedMesh& out)
{
    const PositionSkinner skinner(scene, instance, pose, palette, out);
    out.positions.resize(scene.meshes[instance.mesh].positions.size());
    skinner.skin(0, out.positions);
}

PositionSkinner::PositionSkinner(const Scene& scene, const Instance& instance, const Pose& pose,
                                 std::span<const PaletteEntry> palette, SkinnedMesh& scratch)
    : mesh_(scene.meshes[instance.mesh]), method_(method_of(scene, instance)),
      joints_(entries_of(instance, palette)), shaped_(mesh_.positions), scratch_(scratch),
      loop_(choose_loop())
{
    if (is_shaped(mesh_, instance, pose)) {
        shape_positions(mesh_, instance, pose, scratch.positions);
        shaped_ = scratch.positions;
    }
    split_joints(method_, joints_, scratch.rigid_joints);
    scratch.joint_matrices.clear();
    if (loop_ == Loop::by_vertex) return;
    const auto used = loop_ == Loop::one_matrix ? joints_.last(1) : joints_;
    for (const PaletteEntry& entry : used)
        scratch.joint_matrices.push_back(to_joint_matrix(entry.row));
}

PositionSkinner::Loop PositionSkinner::choose_loop() const
{
    if (joints_.size() <= 1 || mesh_.influences.first.empty()) return Loop::one_matrix;
    const bool linear = method_ == SkinningMethod::linear && mesh_.influences.positions.empty();
    return linear ? Loop::linear : Loop::by_vertex;
}

void PositionSkinner::skin(std::size_t first_vertex, std::span<glm::vec3> out) const
{
    const auto points = shaped_.subspan(first_vertex, out.size());
    if (loop_ == Loop::one_matrix) return transform_points(scratch_.joint_matrices[0], points, out);
    if (loop_ == Loop::linear)
        return skin_points(mesh_.influences, scratch_.joint_matrices, first_vertex, points, out);
    const VertexSkinner skinner(mesh_, method_, joints_, scratch_.rigid_joints);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = skinner.position(first_vertex + i, points[i]);
}

void set_skinning_method(Scene& scene, SkinningMethod method)
{
    std::vector<bool> stays_linear(scene.skins.size());
    for (const Node& node : scene.nodes)
        if (node.skin != none && !scene.meshes[node.mesh].influences.positions.empty())
            stays_linear[node.skin] = true;
    for (std::size_t i = 0; i < scene.skins.size(); ++i)
        if (!stays_linear[i]) scene.skins[i].method = method;
}

} // namespace vitrine::scene
