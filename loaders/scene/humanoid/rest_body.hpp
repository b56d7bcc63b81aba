#pragma once
// A humanoid in the static pose of its scene. Private to loaders/scene/humanoid.

#include <array>
#include <optional>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/scene/humanoid/human_bone_map.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

template <class T>
using ByBone = std::array<T, human_bone_count>;

constexpr std::size_t index_of(HumanBone bone)
{
    return static_cast<std::size_t>(bone);
}

struct RestBody {
    HumanBoneMap bones;
    Pose pose;                   // the static pose, scene space
    ByBone<glm::vec3> positions; // of known bones, scene space
    ByBone<glm::mat3> axes;      // orthonormal, scene space; may mirror
    glm::mat3 frame;             // directions to the left, upward and to the front, a rotation
    float leg_length = 0.0f;     // from the hip joint over the knee to the ankle, mean of both
    glm::vec3 ground;            // between the hip joints, at the height of the ankles
    bool legs_are_straight = false;

    bool has(HumanBone bone) const { return bones[bone] != scene::none; }
    glm::vec3 at(HumanBone bone) const { return positions[index_of(bone)]; }
    glm::vec3 up() const { return frame[1]; }
};

// nullopt: no humanoid, or one without extent.
std::optional<RestBody> find_rest_body(const Scene& scene);

// The axes of a matrix without scale and shear, mirrored if the matrix is.
glm::mat3 orthonormal_axes(const glm::mat4& matrix);

// The shortest rotation from one direction to another; the identity if one has no length.
glm::quat swing(const glm::vec3& from, const glm::vec3& to);

} // namespace vitrine::scene
