#pragma once
// The steps of retarget_clip(). Private to loaders/scene/humanoid.
//
// All positions and rotations are in the scene space of the character, rotations relative to its rest pose
// unless noted.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

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

// A humanoid in the static pose of its scene.
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

// The bones of the animation in one frame, scaled and turned into the character's space.
struct SourceFrame {
    ByBone<glm::quat> turns; // of each bone since the rest pose of the animation
    ByBone<glm::vec3> at;
};

struct SourceMotion {
    std::vector<double> times; // seconds from the start of the clip
    std::vector<SourceFrame> frames;
};

// The value that a twentieth of all are below, instead of the lowest one, which may be a fault of the
// animation. Precondition: there are values.
float low_value(std::vector<float> values);

SourceMotion read_source_motion(const Scene& animation, std::uint32_t clip, const RestBody& source,
                                const RestBody& target);

// A bone that both bodies have.
struct TargetBone {
    HumanBone bone = HumanBone::none;
    std::size_t parent = 0;    // index among the bones; its own: none
    std::uint32_t node = none; // of the character, that holds the rotation
    glm::vec3 offset{0.0f};    // from the parent bone, rest pose
    // The bone that this one points to, and the direction at rest; none: `fixed` is applied first.
    HumanBone aim = HumanBone::none;
    glm::vec3 aim_offset{0.0f};
    glm::quat fixed{1.0f, 0.0f, 0.0f, 0.0f};
    // A bone of the animation alone between this bone and the one that it points to.
    HumanBone blend = HumanBone::none;
    glm::mat3 parent_axes{1.0f};                      // of the node's parent, rest pose
    glm::quat local_rotation{1.0f, 0.0f, 0.0f, 0.0f}; // of the node, rest pose
};

// In the order of the hierarchy. Without the hips or a leg: empty.
std::vector<TargetBone> find_target_bones(const Scene& character, const RestBody& source,
                                          const RestBody& target);

// The character in one frame, by index among its bones.
struct TargetFrame {
    std::vector<glm::quat> turns;
    std::vector<glm::vec3> at;
    glm::vec3 hips{0.0f}; // offset of `at` of the hips
};

class TargetPoser {
public:
    TargetPoser(const std::vector<TargetBone>& bones, const RestBody& target);

    // Turns the bones as those of the animation.
    void turn(const SourceFrame& source, TargetFrame& frame) const;
    // Places the bones, the hip joints where those of the animation are, lower by `drop` meters.
    void place(const SourceFrame& source, float drop, TargetFrame& frame) const;
    // Places the bones below the given one again.
    void place_below(std::size_t first, TargetFrame& frame) const;

    std::size_t index(HumanBone bone) const { return index_[index_of(bone)]; } // size of the bones: absent
    bool has(HumanBone bone) const { return index(bone) < bones_.size(); }

private:
    const std::vector<TargetBone>& bones_;
    const RestBody& target_;
    ByBone<std::size_t> index_;
};

// Bends the knees so that standing feet stay where the feet of the animation are.
void plant_feet(const SourceMotion& source, const RestBody& target, const TargetPoser& poser,
                std::vector<TargetFrame>& frames);

} // namespace vitrine::scene
