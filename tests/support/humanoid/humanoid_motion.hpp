#pragma once
// The motion of humanoid_rigs.hpp, for a body that faces +Z with its arms stretched out at rest.

#include <array>
#include <cstddef>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace vitrine::test {

inline constexpr int motion_frame_rate = 30;
inline constexpr int motion_frames = 61;

// Where the toes of a foot are, in lengths of the leg from the point below the hips at the start, and how the
// foot is turned.
struct FootState {
    glm::vec3 toes{0.0f};
    glm::quat turn{1.0f, 0.0f, 0.0f, 0.0f};
    bool stands = true;
};

// Turns are in scene space, since the rest pose.
struct BodyState {
    glm::vec3 hips{0.0f, 0.9f, 0.0f}; // the point between the hip joints above the ankles of a standing body
    glm::quat hips_turn{1.0f, 0.0f, 0.0f, 0.0f};
    glm::quat chest{1.0f, 0.0f, 0.0f, 0.0f};
    glm::quat head{1.0f, 0.0f, 0.0f, 0.0f};
    std::array<glm::quat, 2> upper_arms{}, lower_arms{}, hands{}; // left, right
    std::array<FootState, 2> feet{};
};

BodyState body_state(std::size_t motion, double seconds);
const char* motion_name(std::size_t motion);

} // namespace vitrine::test
