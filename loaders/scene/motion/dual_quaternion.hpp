#pragma once
// Dual quaternion skinning as SkinningMethod::dual_quaternion means it; skinning.cpp and the renderer's
// shader follow the same formulas.
//
// Each joint's matrix is split, M = T * R * S: R the nearest rotation, S = R^-1 * linear(M) what is not rigid
// (scale, skew, mirroring). For the vertex's influences with weights w_i
//   q = sum w_i s_i r_i,  d = sum w_i s_i (t_i r_i) / 2,  S = sum w_i S_i / sum w_i
// with the sign s_i that brings r_i to the side of the heaviest influence's (the first of them), so that each
// takes the shorter way. Then v' = R(q / |q|) * S * v + 2 d q* / |q|^2 (L. Kavan et al., Geometric Skinning
// with Approximate Dual Quaternion Blending, 2008; scale before the rigid part as in Blender and ufbx).
// A vertex of one joint goes exactly where linear skinning takes it.

#include <span>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/scene/motion/pose.hpp"

namespace vitrine::scene {

// Shares of sum |w| below which a sum of weights and a length |q| (which takes negative weights, or joints
// turned against each other) do not say anything: such a vertex is skinned linearly.
inline constexpr double min_weight_share = 0.1;
inline constexpr double min_rotation_share = 1e-3;

// The rotation nearest to the linear part (its polar decomposition); for a mirrored one, of its negative, so
// that S mirrors through the origin. Complete for singular matrices too.
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

// The matrix of a vertex with the given influences; false where `rows` stays as it was because they say no
// direction. Precondition: at least one influence, every joint < joints.size().
bool blend_dual_quaternions(std::span<const RigidJoint> joints, std::span<const std::uint16_t> influences,
                            std::span<const float> weights, BlendedMatrix& rows);

} // namespace vitrine::scene
