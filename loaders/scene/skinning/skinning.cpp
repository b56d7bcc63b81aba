#include "loaders/scene/skinning/skinning.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/scene/motion/dual_quaternion.hpp"

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

void interpolate(std::span<const glm::vec3> frames, std::size_t vertices, const FrameBlend& blend,
                 std::vector<glm::vec3>& out)
{
    const auto a = frames.subspan(blend.from * vertices, vertices);
    const auto b = frames.subspan(blend.to * vertices, vertices);
    out.resize(vertices);
    for (std::size_t v = 0; v < vertices; ++v)
        out[v] = a[v] + (b[v] - a[v]) * blend.fraction;
}

void add_deltas(const MorphTarget& target, std::span<const glm::vec3> deltas, float weight,
                std::vector<glm::vec3>& out)
{
    for (std::size_t i = 0; i < deltas.size(); ++i)
        out[target.vertices[i]] += weight * deltas[i];
}

void add_deltas(const MorphTarget& target, float weight, std::vector<glm::vec4>& tangents)
{
    if (tangents.empty()) return;
    for (std::size_t i = 0; i < target.tangent_deltas.size(); ++i)
        tangents[target.vertices[i]] += glm::vec4(weight * target.tangent_deltas[i], 0.0f);
}

enum class VertexParts { all, positions };

// Applies vertex frames, then morph targets: the mesh before skinning.
void shape(const Mesh& mesh, const Instance& instance, const Pose& pose, VertexParts parts, SkinnedMesh& out)
{
    if (mesh.frames.count > 0) {
        const FrameBlend blend = pose.vertex_frame[instance.node];
        interpolate(mesh.frames.positions, mesh.positions.size(), blend, out.positions);
        if (parts == VertexParts::all)
            interpolate(mesh.frames.normals, mesh.positions.size(), blend, out.normals);
    } else {
        out.positions.assign(mesh.positions.begin(), mesh.positions.end());
        if (parts == VertexParts::all) out.normals.assign(mesh.normals.begin(), mesh.normals.end());
    }
    if (parts == VertexParts::all) out.tangents.assign(mesh.tangents.begin(), mesh.tangents.end());
    for (std::size_t t = 0; t < mesh.morph_targets.size(); ++t) {
        const float weight = pose.morph_weights[pose.first_weight[instance.node] + t];
        if (weight == 0.0f) continue;
        add_deltas(mesh.morph_targets[t], mesh.morph_targets[t].position_deltas, weight, out.positions);
        if (parts == VertexParts::positions) continue;
        add_deltas(mesh.morph_targets[t], mesh.morph_targets[t].normal_deltas, weight, out.normals);
        add_deltas(mesh.morph_targets[t], weight, out.tangents);
    }
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

class InstanceSkin {
public:
    InstanceSkin(const Scene& scene, const Instance& instance, std::span<const PaletteEntry> palette,
                 std::vector<RigidJoint>& rigid)
        : mesh_(scene.meshes[instance.mesh]),
          method_(instance.skin == none ? SkinningMethod::linear : scene.skins[instance.skin].method),
          joints_(palette.subspan(instance.first_palette, instance.palette_count)), rigid_(rigid)
    {
        if (method_ == SkinningMethod::linear) return;
        rigid_.resize(joints_.size());
        std::ranges::transform(joints_, rigid_.begin(), split);
    }

    void move(std::size_t v, VertexParts parts, SkinnedMesh& out) const
    {
        const Influences& influences = mesh_.influences;
        const bool skinned = joints_.size() > 1 && !influences.first.empty();
        const std::size_t begin = skinned ? influences.first[v] : 0;
        const std::size_t end = skinned ? influences.first[v + 1] : 0;
        const bool own_positions = begin != end && !influences.positions.empty();
        const BlendedTransform blend = blend_of(v, begin, end);
        out.positions[v] =
            own_positions ? sum_of_positions(influences, v, out.positions[v] - mesh_.positions[v], joints_)
                          : blend.point(out.positions[v]);
        if (parts == VertexParts::positions) return;
        out.normals[v] = blend.normal(out.normals[v]);
        if (!out.tangents.empty()) out.tangents[v] = blend.tangent(out.tangents[v]);
    }

private:
    BlendedTransform blend_of(std::size_t v, std::size_t begin, std::size_t end) const
    {
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
    std::vector<RigidJoint>& rigid_;
};

void skin(const Scene& scene, const Instance& instance, const Pose& pose,
          std::span<const PaletteEntry> palette, VertexParts parts, SkinnedMesh& out)
{
    shape(scene.meshes[instance.mesh], instance, pose, parts, out);
    const InstanceSkin by(scene, instance, palette, out.rigid_joints);
    for (std::size_t v = 0; v < out.positions.size(); ++v)
        by.move(v, parts, out);
}

} // namespace

void skin_instance(const Scene& scene, const Instance& instance, const Pose& pose,
                   std::span<const PaletteEntry> palette, SkinnedMesh& out)
{
    skin(scene, instance, pose, palette, VertexParts::all, out);
}

void skin_positions(const Scene& scene, const Instance& instance, const Pose& pose,
                    std::span<const PaletteEntry> palette, SkinnedMesh& out)
{
    skin(scene, instance, pose, palette, VertexParts::positions, out);
}

} // namespace vitrine::scene
