#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::scene {
namespace {

// Plain arithmetic: files with frames of vertices have most of their numbers here.
void convert_all(Array<glm::vec3>& vectors, const glm::mat3& axes, double unit)
{
    for (glm::vec3& v : vectors) {
        const float x = v.x, y = v.y, z = v.z;
        v.x = static_cast<float>((axes[0].x * x + axes[1].x * y + axes[2].x * z) * unit);
        v.y = static_cast<float>((axes[0].y * x + axes[1].y * y + axes[2].y * z) * unit);
        v.z = static_cast<float>((axes[0].z * x + axes[1].z * y + axes[2].z * z) * unit);
    }
}

// p' = S p with S = unit * axes, and the corresponding conversion of other quantities. A linear map L between
// spaces of this kind becomes S L S^-1; with a signed permutation the unit cancels in the linear part and
// every product is exact.
class SpaceConverter {
public:
    explicit SpaceConverter(const FileSpace& space)
        : axes_(space.axes),
          magnitude_(glm::abs(space.axes[0]), glm::abs(space.axes[1]), glm::abs(space.axes[2])),
          unit_(space.unit_meters), handedness_(glm::determinant(space.axes) < 0.0f ? -1.0f : 1.0f)
    {
    }

    bool mirrors() const { return handedness_ < 0.0f; }
    bool keeps_directions() const { return axes_ == glm::mat3(1.0f); }

    void convert_points(Array<glm::vec3>& points) const { convert_all(points, axes_, unit_); }
    void convert_directions(Array<glm::vec3>& directions) const { convert_all(directions, axes_, 1.0); }
    glm::vec3 point(const glm::vec3& v) const { return glm::vec3(glm::dvec3(axes_ * v) * unit_); }
    glm::vec3 scale(const glm::vec3& v) const { return magnitude_ * v; }
    // A rotation about `a` becomes one about axes * a, with the negated angle if mirrored.
    glm::vec3 rotation_axis(const glm::vec3& v) const { return axes_ * v * handedness_; }

    glm::vec4 tangent(const glm::vec4& v) const { return {axes_ * glm::vec3(v), v.w * handedness_}; }

    glm::mat4 matrix(const glm::mat4& m) const
    {
        glm::mat4 out(axes_ * glm::mat3(m) * glm::transpose(axes_));
        out[3] = glm::vec4(point(glm::vec3(m[3])), m[3].w);
        return out;
    }

    Trs trs(const Trs& t) const
    {
        const glm::vec3 axis = rotation_axis({t.rotation.x, t.rotation.y, t.rotation.z});
        return {point(t.translation), glm::quat(t.rotation.w, axis.x, axis.y, axis.z), scale(t.scale)};
    }

private:
    glm::mat3 axes_;
    glm::mat3 magnitude_;
    double unit_;
    float handedness_;
};

template <class Vectors, class Function>
void transform_all(Vectors& vectors, Function f)
{
    for (auto& v : vectors)
        v = f(v);
}

void convert(Mesh& mesh, const SpaceConverter& by)
{
    for (auto* positions : {&mesh.positions, &mesh.influences.positions, &mesh.frames.positions})
        by.convert_points(*positions);
    for (MorphTarget& target : mesh.morph_targets)
        by.convert_points(target.position_deltas);
    if (by.keeps_directions()) return;
    by.convert_directions(mesh.normals);
    by.convert_directions(mesh.frames.normals);
    transform_all(mesh.tangents, [&](const glm::vec4& v) { return by.tangent(v); });
    for (MorphTarget& target : mesh.morph_targets) {
        by.convert_directions(target.normal_deltas);
        by.convert_directions(target.tangent_deltas);
    }
    if (by.mirrors()) flip_winding(mesh);
}

// The maps are linear, so the tangents of cubic keys are converted as the values are.
template <class Function>
void convert_vectors(std::span<float> values, std::size_t stride, Function f)
{
    for (std::size_t i = 0; i + stride <= values.size(); i += stride) {
        const glm::vec3 v = f(glm::vec3(values[i], values[i + 1], values[i + 2]));
        values[i] = v.x;
        values[i + 1] = v.y;
        values[i + 2] = v.z;
    }
}

void convert(Channel& channel, const SpaceConverter& by)
{
    if (channel.path == Path::translation)
        convert_vectors(channel.values, 3, [&](const glm::vec3& v) { return by.point(v); });
    else if (channel.path == Path::rotation)
        convert_vectors(channel.values, 4, [&](const glm::vec3& v) { return by.rotation_axis(v); });
    else if (channel.path == Path::scale)
        convert_vectors(channel.values, 3, [&](const glm::vec3& v) { return by.scale(v); });
}

void convert(DeclaredBox& box, const SpaceConverter& by)
{
    const glm::vec3 a = by.point(box.min), b = by.point(box.max);
    box = {glm::min(a, b), glm::max(a, b)};
}

} // namespace

void convert_to_scene_space(Scene& scene, const FileSpace& space)
{
    const SpaceConverter by(space);
    for (Node& node : scene.nodes) {
        node.local = by.trs(node.local);
        if (node.matrix) node.matrix = by.matrix(*node.matrix);
    }
    for (Mesh& mesh : scene.meshes)
        convert(mesh, by);
    for (Skin& skin : scene.skins)
        transform_all(skin.inverse_bind, [&](const glm::mat4& m) { return by.matrix(m); });
    for (Clip& clip : scene.clips) {
        for (Channel& channel : clip.channels)
            convert(channel, by);
        for (DeclaredBox& box : clip.declared_boxes)
            convert(box, by);
    }
    scene.file_space = space;
}

} // namespace vitrine::scene
