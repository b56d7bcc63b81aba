#include "loaders/fbx/transforms/transform.hpp"

#include <algorithm>
#include <cmath>

#include <glm/gtc/constants.hpp>

namespace vitrine::fbx {
namespace {

bool is_zero(const glm::dvec3& v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

} // namespace

AxisOrder axes_of(RotationOrder order)
{
    switch (order) {
    case RotationOrder::xzy: return {0, 2, 1, -1.0};
    case RotationOrder::yzx: return {1, 2, 0, 1.0};
    case RotationOrder::yxz: return {1, 0, 2, -1.0};
    case RotationOrder::zxy: return {2, 0, 1, 1.0};
    case RotationOrder::zyx: return {2, 1, 0, -1.0};
    case RotationOrder::xyz:
    case RotationOrder::spheric: break;
    }
    return {0, 1, 2, 1.0};
}

NodeTransform::PropertyValues NodeTransform::default_values()
{
    PropertyValues values{};
    values[static_cast<std::size_t>(TransformProperty::scaling)] = glm::dvec3(1.0);
    return values;
}

glm::dquat turn_about(int axis, double degrees)
{
    const double half = glm::radians(degrees) * 0.5;
    glm::dvec3 v(0.0);
    double cosine = 1.0;
    ::sincos(half, &v[axis], &cosine);
    return {cosine, v.x, v.y, v.z};
}

glm::dquat quat_from_euler(const glm::dvec3& degrees, RotationOrder order)
{
    const AxisOrder axes = axes_of(order);
    return turn_about(axes.third, degrees[axes.third]) * turn_about(axes.second, degrees[axes.second]) *
           turn_about(axes.first, degrees[axes.first]);
}

// From the elements of the matrix R = R3 R2 R1. With i, j, k the axes first to last applied and p the parity
// of (i, j, k): R[k][i] (row k, column i) = -p sin(second).
glm::dvec3 euler_from_quat(const glm::dquat& q, RotationOrder order)
{
    const auto [i, j, k, parity] = axes_of(order);
    const glm::dmat3 m = glm::mat3_cast(q); // m[column][row]
    const double sine = std::clamp(-parity * m[i][k], -1.0, 1.0);
    glm::dvec3 angles(0.0);
    angles[j] = std::asin(sine);
    // Near the poles the first and third rotation have the same axis: the first gets the whole angle.
    if (std::abs(sine) < 1.0 - 1e-12) {
        angles[i] = std::atan2(parity * m[j][k], m[k][k]);
        angles[k] = std::atan2(parity * m[i][j], m[i][i]);
    } else {
        angles[i] = std::atan2(-parity * m[k][j], m[j][j]);
    }
    return glm::degrees(angles);
}

glm::dquat rotation_of(const NodeTransform& t)
{
    const glm::dvec3& rotation = t[TransformProperty::rotation];
    if (!t.rotation_space) return quat_from_euler(rotation, RotationOrder::xyz);
    glm::dquat q = quat_from_euler(rotation, t.order);
    const glm::dvec3& pre = t[TransformProperty::pre_rotation];
    const glm::dvec3& post = t[TransformProperty::post_rotation];
    if (!is_zero(pre)) q = quat_from_euler(pre, RotationOrder::xyz) * q;
    if (!is_zero(post)) q = q * glm::conjugate(quat_from_euler(post, RotationOrder::xyz));
    return q;
}

DoubleTrs local_trs(const NodeTransform& t)
{
    const glm::dvec3& rotation_pivot = t[TransformProperty::rotation_pivot];
    const glm::dvec3& scaling_pivot = t[TransformProperty::scaling_pivot];
    DoubleTrs out{.translation = {}, .rotation = rotation_of(t), .scale = t[TransformProperty::scaling]};
    const glm::dvec3 inner =
        t[TransformProperty::scaling_offset] + scaling_pivot - out.scale * scaling_pivot - rotation_pivot;
    out.translation = t[TransformProperty::translation] + t[TransformProperty::rotation_offset] +
                      rotation_pivot + (is_zero(inner) ? inner : out.rotation * inner);
    return out;
}

glm::dmat4 to_matrix(const DoubleTrs& t)
{
    glm::dmat3 linear = glm::mat3_cast(t.rotation);
    for (int axis = 0; axis < 3; ++axis)
        linear[axis] *= t.scale[axis];
    glm::dmat4 m(linear);
    m[3] = glm::dvec4(t.translation, 1.0);
    return m;
}

} // namespace vitrine::fbx
