#include "loaders/scene/humanoid/retarget_parts.hpp"

#include <cmath>

namespace vitrine::scene {
namespace {

constexpr float min_length = 1e-6f;
constexpr float upright_cosine = 0.7f;     // up to 45 degrees
constexpr float straight_fraction = 0.97f; // of the leg's length, from the hip joint to the ankle

glm::vec3 middle(const RestBody& body, HumanBone a, HumanBone b)
{
    return 0.5f * (body.at(a) + body.at(b));
}

// Bodies that stand are upright exactly, so that a bent back does not tilt the motion.
bool find_frame(RestBody& body)
{
    using enum HumanBone;
    glm::vec3 up =
        middle(body, left_upper_arm, right_upper_arm) - middle(body, left_upper_leg, right_upper_leg);
    if (glm::length(up) < min_length) return false;
    up = glm::normalize(up);
    if (up.y > upright_cosine) up = {0.0f, 1.0f, 0.0f};
    glm::vec3 left = body.at(left_upper_leg) - body.at(right_upper_leg) + body.at(left_upper_arm) -
                     body.at(right_upper_arm);
    left -= up * glm::dot(left, up);
    if (glm::length(left) < min_length) return false;
    left = glm::normalize(left);
    body.frame = glm::mat3(left, up, glm::cross(left, up));
    return true;
}

struct LegMeasure {
    float length = 0.0f;
    float reach = 0.0f;  // from the hip joint to the ankle
    float height = 0.0f; // of the ankle, along `up`
};

LegMeasure measure_leg(const RestBody& body, HumanBone upper, HumanBone lower, HumanBone foot)
{
    const glm::vec3 ankle = body.at(body.has(foot) ? foot : lower);
    LegMeasure leg;
    leg.length = glm::length(body.at(lower) - body.at(upper)) + glm::length(ankle - body.at(lower));
    leg.reach = glm::length(ankle - body.at(upper));
    leg.height = glm::dot(ankle, body.up());
    return leg;
}

bool measure_legs(RestBody& body)
{
    using enum HumanBone;
    const auto left = measure_leg(body, left_upper_leg, left_lower_leg, left_foot);
    const auto right = measure_leg(body, right_upper_leg, right_lower_leg, right_foot);
    body.leg_length = 0.5f * (left.length + right.length);
    if (!(body.leg_length > min_length)) return false; // also not a number
    body.legs_are_straight = left.reach + right.reach > straight_fraction * (left.length + right.length);
    const glm::vec3 hip_joints = middle(body, left_upper_leg, right_upper_leg);
    const float ankles = 0.5f * (left.height + right.height);
    body.ground = hip_joints + body.up() * (ankles - glm::dot(hip_joints, body.up()));
    return true;
}

} // namespace

glm::mat3 orthonormal_axes(const glm::mat4& matrix)
{
    const glm::vec3 x(matrix[0]), y(matrix[1]), z(matrix[2]);
    const float scale = glm::length(x);
    if (!(scale > 0.0f)) return glm::mat3(1.0f);
    const glm::vec3 first = x / scale;
    const glm::vec3 rest = y - first * glm::dot(first, y);
    if (!(glm::length(rest) > min_length * glm::length(y))) return glm::mat3(1.0f);
    const glm::vec3 second = glm::normalize(rest);
    const glm::vec3 third = glm::cross(first, second);
    return {first, second, glm::dot(third, z) < 0.0f ? -third : third};
}

glm::quat swing(const glm::vec3& from, const glm::vec3& to)
{
    const float lengths = glm::length(from) * glm::length(to);
    if (!(lengths > min_length * min_length)) return {1.0f, 0.0f, 0.0f, 0.0f};
    const float cosine = glm::dot(from, to) / lengths;
    if (cosine < -0.99999f) { // any axis across
        const glm::vec3 across =
            std::abs(from.x) < 0.5f * glm::length(from) ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0);
        const glm::vec3 axis = glm::normalize(glm::cross(from, across));
        return {0.0f, axis.x, axis.y, axis.z};
    }
    const glm::vec3 axis = glm::cross(from, to) / lengths;
    return glm::normalize(glm::quat(1.0f + cosine, axis.x, axis.y, axis.z));
}

std::optional<RestBody> find_rest_body(const Scene& scene)
{
    RestBody body;
    body.bones = find_human_bones(scene);
    if (!body.bones.is_humanoid()) return std::nullopt;
    static_pose(scene, body.pose);
    for (std::size_t bone = 1; bone < human_bone_count; ++bone) {
        const auto node = body.bones.nodes[bone];
        if (node == scene::none) continue;
        body.positions[bone] = glm::vec3(body.pose.model[node][3]);
        body.axes[bone] = orthonormal_axes(body.pose.model[node]);
    }
    if (!find_frame(body) || !measure_legs(body)) return std::nullopt;
    return body;
}

} // namespace vitrine::scene
