#include "loaders/scene/motion/dual_quaternion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "loaders/scene/motion/matrix.hpp"

namespace vitrine::scene {
namespace {

glm::dmat3 linear_part(const PaletteEntry& entry)
{
    return glm::transpose(
        glm::dmat3(glm::dvec3(entry.row[0]), glm::dvec3(entry.row[1]), glm::dvec3(entry.row[2])));
}

// A unit vector perpendicular to the unit vector `to`, as close as possible to `preferred`.
glm::dvec3 perpendicular(const glm::dvec3& to, const glm::dvec3& preferred)
{
    const glm::dvec3 along = preferred - to * glm::dot(to, preferred);
    if (glm::length(along) > 1e-3) return glm::normalize(along);
    const glm::dvec3 other = std::abs(to.x) < 0.7 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
    return glm::normalize(glm::cross(to, other));
}

// Fraction of the largest stretch below which the direction of an axis is undefined.
constexpr double singular_ratio = 1e-6;

// Most joints are rigid or uniformly scaled: L^T * L = s^2 * I within the precision of floats accumulated
// over several bones. L / s is their rotation.
std::optional<glm::dmat3> rotation_of_rigid(const glm::dmat3& linear)
{
    const glm::dmat3 square = glm::transpose(linear) * linear;
    const double s2 = square[0][0];
    double off = std::max(std::abs(square[1][1] - s2), std::abs(square[2][2] - s2));
    off = std::max({off, std::abs(square[0][1]), std::abs(square[0][2]), std::abs(square[1][2])});
    if (!(off < 1e-6 * s2)) return std::nullopt;
    const double sign = glm::determinant(linear) < 0.0 ? -1.0 : 1.0;
    return linear * (sign / std::sqrt(s2));
}

// L = U * diag * V^T with a proper rotation V: the rotation is U * V^T. Directions that L collapses are
// completed close to V.
glm::dmat3 polar_rotation(const glm::dmat3& linear)
{
    glm::dmat3 v = eigenvectors(glm::transpose(linear) * linear);
    std::array<glm::dvec3, 3> image;
    std::array<int, 3> order{0, 1, 2};
    for (int i = 0; i < 3; ++i)
        image[static_cast<std::size_t>(i)] = linear * v[i];
    const auto size = [&](int i) { return glm::length(image[static_cast<std::size_t>(i)]); };
    std::ranges::sort(order, [&](int a, int b) { return size(a) > size(b); });
    const double largest = size(order[0]);
    v = glm::dmat3(v[order[0]], v[order[1]], v[order[2]]);
    v[2] = glm::cross(v[0], v[1]);
    const glm::dvec3 x = image[static_cast<std::size_t>(order[0])] / largest;
    const glm::dvec3 second = image[static_cast<std::size_t>(order[1])] / largest;
    const bool plane = glm::length(second) > singular_ratio;
    const glm::dvec3 y = perpendicular(x, plane ? glm::normalize(second) : v[1]);
    const glm::dvec3 z = glm::cross(x, y);
    const bool mirrored = glm::dot(linear * v[2], z) < -singular_ratio * largest;
    return (mirrored ? glm::dmat3(-x, -y, z) : glm::dmat3(x, y, z)) * glm::transpose(v);
}

double largest_element(const glm::dmat3& m)
{
    double largest = 0.0;
    for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r)
            largest = std::max(largest, std::abs(m[c][r]));
    }
    return largest;
}

} // namespace

glm::dquat nearest_rotation(const PaletteEntry& entry)
{
    const glm::dmat3 linear = linear_part(entry);
    const double size = largest_element(linear);
    if (!(size > 0.0) || !std::isfinite(size)) return {1.0, 0.0, 0.0, 0.0};
    const std::optional<glm::dmat3> rigid = rotation_of_rigid(linear / size);
    return glm::normalize(glm::quat_cast(rigid ? *rigid : polar_rotation(linear / size)));
}

RigidJoint split(const PaletteEntry& entry)
{
    const glm::dquat r = nearest_rotation(entry);
    const glm::dvec3 t(entry.row[0].w, entry.row[1].w, entry.row[2].w);
    return {r, glm::dquat(0.0, 0.5 * t) * r, glm::transpose(glm::mat3_cast(r)) * linear_part(entry)};
}

bool blend_dual_quaternions(std::span<const RigidJoint> joints, std::span<const std::uint16_t> influences,
                            std::span<const float> weights, BlendedMatrix& rows)
{
    const auto heaviest = std::ranges::max_element(weights) - weights.begin();
    const glm::dquat& pivot = joints[influences[static_cast<std::size_t>(heaviest)]].rotation;
    glm::dquat real(0.0, 0.0, 0.0, 0.0), dual(0.0, 0.0, 0.0, 0.0);
    glm::dmat3 stretch(0.0);
    double sum = 0.0, magnitude = 0.0;
    for (std::size_t i = 0; i < influences.size(); ++i) {
        const RigidJoint& joint = joints[influences[i]];
        const double weight = double{weights[i]};
        const double towards = glm::dot(joint.rotation, pivot) < 0.0 ? -weight : weight;
        real += joint.rotation * towards;
        dual += joint.dual * towards;
        stretch += joint.stretch * weight;
        sum += weight;
        magnitude += std::abs(weight);
    }
    const double length = glm::length(real);
    if (!(length > min_rotation_share * magnitude) || !(std::abs(sum) > min_weight_share * magnitude))
        return false;
    const glm::dmat3 linear = glm::mat3_cast(real / length) * (stretch / sum);
    const glm::dquat moved = dual * glm::conjugate(real) * (2.0 / (length * length));
    const glm::dvec3 translation(moved.x, moved.y, moved.z);
    for (int r = 0; r < 3; ++r)
        rows.row[r] = glm::dvec4(linear[0][r], linear[1][r], linear[2][r], translation[r]);
    return true;
}

} // namespace vitrine::scene
