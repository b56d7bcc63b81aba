#include "loaders/dae/transforms/shear_element.hpp"

#include <cmath>

#include "loaders/dae/transforms/vectors.hpp"

namespace vitrine::dae {
namespace {

// p' = p + k (p . a) b, where a is the rotation axis, b the translation axis and k the tangent of the angle,
// also for axes that are not perpendicular (the format's first implementations agree on that; RenderMan, the
// origin of <skew>, has another k there, and none where the angle reaches that of the axes).
struct ShearElement {
    glm::dvec3 along{1.0, 0.0, 0.0};  // b, unit
    glm::dvec3 across{0.0, 1.0, 0.0}; // a, unit
    double k = 0.0;
};

ShearElement read_skew(const TransformValues& v)
{
    ShearElement skew;
    skew.across = unit_or(vec3(v, 1), {0.0, 1.0, 0.0});
    skew.along = unit_or(vec3(v, 4), {0.0, 0.0, 0.0});
    skew.k = std::tan(v[0] * degree);
    if (!std::isfinite(skew.k) || std::abs(skew.k) > 1e6) skew.k = 0.0;
    if (skew.along != glm::dvec3(0.0)) return skew;
    return {}; // zero axis: identity
}

} // namespace

glm::dmat4 shear_element_matrix(const TransformValues& v)
{
    const ShearElement skew = read_skew(v);
    glm::dmat4 m(1.0);
    for (glm::length_t c = 0; c < 3; ++c)
        m[c] += glm::dvec4(skew.k * skew.across[c] * skew.along, 0.0);
    return m;
}

bool is_oblique(const TransformValues& v)
{
    const ShearElement skew = read_skew(v);
    return std::abs(glm::dot(skew.across, skew.along)) > 1e-9;
}

// From the singular values s, 1/s of [1 k; 0 1].
DoubleTrs shear_element_part(const TransformValues& v, std::uint8_t part)
{
    const ShearElement skew = read_skew(v);
    const double s = 0.5 * (skew.k + std::sqrt(skew.k * skew.k + 4.0));
    if (part == 1) return {.scale = {s, 1.0 / s, 1.0}};
    const glm::dvec3 normal = glm::cross(skew.along, skew.across);
    // The basis (along, across, normal) as a rotation.
    const glm::dquat basis = glm::quat_cast(glm::dmat3(skew.along, skew.across, normal));
    // The angle of the longer axis in the image, and 90 degrees minus the angle of its preimage.
    if (part == 0) return {.rotation = turn(normal, std::atan2(1.0, s)) * basis};
    return {.rotation = glm::inverse(turn(normal, std::atan2(s, 1.0)) * basis)};
}

} // namespace vitrine::dae
