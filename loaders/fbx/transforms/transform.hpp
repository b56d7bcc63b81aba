#pragma once
// Computes one translation, rotation and scale from the properties of a node, as FBX defines its transform:
//
// T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1
//
// The linear part is always (Rpre R Rpost^-1) * S, so a TRS represents it exactly at any time; only the
// translation depends on all properties. (FBX SDK help, "Computing transformation matrices".) Double
// precision, degrees as in the file, axes and unit of the file.

#include <array>
#include <cstdint>
#include <string_view>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/base/double_trs.hpp"

namespace vitrine::fbx {

// Values of the property RotationOrder. Spheric is evaluated as XYZ, as the SDK does.
enum class RotationOrder : std::uint8_t { xyz, xzy, yzx, yxz, zxy, zyx, spheric };

// Values of the property InheritType: how a parent's scale reaches its children.
enum class InheritType : std::uint8_t {
    RrSs, // rotations first, then the scales of parent and child per axis
    RSrs, // plain matrix product
    Rrs,  // the parent's own scale is not inherited ("segment scale compensate")
};

// The properties of a transform, in the order of NodeTransform::values.
enum class TransformProperty : std::uint8_t {
    translation, // Lcl Translation
    rotation,    // Lcl Rotation, degrees about the axes
    scaling,     // Lcl Scaling
    rotation_offset,
    rotation_pivot,
    pre_rotation,
    post_rotation,
    scaling_offset,
    scaling_pivot,
};
inline constexpr std::size_t transform_property_count = 9;
inline constexpr std::array<std::string_view, transform_property_count> transform_property_names{
    "Lcl Translation", "Lcl Rotation", "Lcl Scaling",   "RotationOffset", "RotationPivot",
    "PreRotation",     "PostRotation", "ScalingOffset", "ScalingPivot"};

struct NodeTransform {
    using PropertyValues = std::array<glm::dvec3, transform_property_count>;

    PropertyValues values = default_values();
    RotationOrder order = RotationOrder::xyz;
    // False: rotation order, pre- and post-rotation are ignored and Lcl Rotation is XYZ (RotationActive).
    bool rotation_space = true;

    static PropertyValues default_values();
    glm::dvec3& operator[](TransformProperty p) { return values[static_cast<std::size_t>(p)]; }
    const glm::dvec3& operator[](TransformProperty p) const { return values[static_cast<std::size_t>(p)]; }
};

// Axes in the order in which rotations are applied, and the parity of the permutation (1 even, -1 odd).
struct AxisOrder {
    int first, second, third;
    double parity;
};
AxisOrder axes_of(RotationOrder order);

// Returns a rotation about x, y or z (0, 1, 2).
glm::dquat turn_about(int axis, double degrees);
// Converts angles in degrees about x, y, z; the first letter of the order is applied first: xyz is Rz * Ry *
// Rx.
glm::dquat quat_from_euler(const glm::dvec3& degrees, RotationOrder order);
// The inverse; the second angle is within +-90 degrees. Precondition: unit length.
glm::dvec3 euler_from_quat(const glm::dquat& q, RotationOrder order);

// Rpre R Rpost^-1.
glm::dquat rotation_of(const NodeTransform& t);
DoubleTrs local_trs(const NodeTransform& t);

glm::dmat4 to_matrix(const DoubleTrs& t);

} // namespace vitrine::fbx
