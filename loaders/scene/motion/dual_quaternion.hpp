#pragma once
// Dual quaternion skinning, as used by SkinningMethod::dual_quaternion. skinning.cpp and the renderer's
// shader use the same formulas.
//
// Each joint matrix is split as M = T * R * S: R is the nearest rotation, S = R^-1 * linear(M) is the
// non-rigid part (scale, shear, mirroring). For the influences of a vertex with weights w_i
//   q = sum w_i s_i r_i,  d = sum w_i s_i (t_i r_i) / 2,  S = sum w_i S_i / sum w_i
// where the sign s_i puts r_i into the hemisphere of the rotation with the largest weight (the first if
// several), so that the shorter arc is blended. Then v' = R(q / |q|) * S * v + 2 d q* / |q|^2 (L. Kavan et
// al., Geometric Skinning with Approximate Dual Quaternion Blending, 2008; scale before the rigid part as in
// Blender and ufbx). For a vertex with one joint the result equals linear skinning.

#include <span>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/scene/motion/pose.hpp"

namespace vitrine::scene {

// Fractions of sum |w|. If the sum of weights or the length |q| is smaller (negative weights, or joints with
// opposite rotations), the blended rotation is undefined and the vertex is skinned linearly.
inline constexpr double min_weight_share = 0.1;
inline constexpr double min_rotation_share = 1e-3;

// The rotation nearest to the linear part (polar decomposition). For a mirroring matrix, the rotation nearest
// to its negative, so that S mirrors through the origin. Defined for singular matrices too.
glm::dquat nearest_rotation(const PaletteEntry& entry);

struct RigidJoint {
    glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
    glm::dquat dual{0.0, 0.0, 0.0, 0.0}; // t * r / 2
    glm::dmat3 stretch{1.0};
};
RigidJoint split(const PaletteEntry& entry);

// Rows of a 3 x 4 matrix.
struct BlendedMatrix {
    glm::dvec4 row[3];
};

// Computes the matrix of a vertex with the given influences. Returns false, leaving `rows` unchanged, if the
// blended rotation is undefined. Precondition: at least one influence, every joint < joints.size().
bool blend_dual_quaternions(std::span<const RigidJoint> joints, std::span<const std::uint16_t> influences,
                            std::span<const float> weights, BlendedMatrix& rows);

} // namespace vitrine::scene
